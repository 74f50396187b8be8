"""Typed answers with the verdict of a fair teacher, in a table that teachers can read."""

import csv
from collections import Counter
from pathlib import Path

from vocab.text.answers import compare_answer
from vocab.text.playing import RULES

TABLE = Path(__file__).parents[2] / "data" / "answers.tsv"


def rows():
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader((line for line in lines if line[0] != "#"), delimiter="\t"))


def verdict(row, accents="warn"):
    comparison = compare_answer(
        row["expected"], row["typed"], language=row["language"], rules=RULES, accents=accents
    )
    if comparison.is_right:
        return "remark" if comparison.is_accent_slip or comparison.is_article_slip else "right"
    return "almost" if comparison.is_near_miss or comparison.is_accent_slip else "wrong"


def test_answers_are_judged_as_a_fair_teacher_judges_them():
    table = rows()
    assert len(table) >= 400
    assert len({row["language"] for row in table}) >= 20
    assert len({(row["language"], row["expected"], row["typed"]) for row in table}) == len(table)
    unlike = [
        f"{verdict(row)}: {' | '.join(row.values())}"
        for row in table
        if verdict(row) != row["verdict"]
    ]
    assert len(unlike) <= 0.02 * len(table), "\n".join(unlike)


def test_each_verdict_is_in_the_table_often_enough_to_count():
    assert min(Counter(row["verdict"] for row in rows()).values()) >= 60
