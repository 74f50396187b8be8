"""Quiz sheets, as Kahoot’s: a question, several answers, and which of them is right."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

_QUESTION = re.compile(
    r"(?:question|frage|pitanje|vprašanje|pytanie|otázka|domanda|pregunta|pergunta|vraag|kérdés"
    r"|întrebare|fråga|spørgsmål|spørsmål|kysymys|soru|ερώτηση|вопрос|запитання|питання|питање"
    r"|въпрос|سؤال|שאלה|سوال|问题|質問|問題|질문)\b.*",
    re.IGNORECASE | re.DOTALL,
)
_ANSWER = re.compile(
    r"(?:answer|option|choice|antwort|odgovor|odpowiedź|odpověď|odpoveď|réponse|risposta|respuesta"
    r"|resposta|antwoord|válasz|răspuns|svar|vastaus|cevap|απάντηση|ответ|відповідь|одговор|отговор"
    r"|إجابة|תשובה|答案|回答|답)\s*([1-9]|[A-H])\b.*",
    re.IGNORECASE | re.DOTALL,
)
_RIGHT = re.compile(
    r"(?:correct|right|richtig|točn|točan|toč|pravil|poprawn|správn|bonne|giust|corrett|corret"
    r"|juist|helyes|corect|rätt|korrekt|riktig|oike|doğru|σωστ|правильн|тачан|вярн|верн|正).*",
    re.IGNORECASE | re.DOTALL,
)
_MARK = re.compile(r"[1-9]|[A-Ha-h]")
_LONGEST = 120


def is_quiz(names: Sequence[str]) -> bool:
    """Return whether columns are named like those of a quiz."""
    return _places(names) is not None


def _places(names: Sequence[str]) -> tuple[dict[str, int], int] | None:
    """Return the columns of the answers by their number, and the one that says which is right."""
    if len(names) < 4 or not any(_QUESTION.match(name.strip()[:_LONGEST]) for name in names):
        return None
    answers: dict[str, int] = {}
    right = None
    for place, name in enumerate(names):
        start = name.strip()[:_LONGEST]
        if match := _ANSWER.match(start):
            answers.setdefault(match[1].upper(), place)
        elif _RIGHT.match(start):
            right = place
    return (answers, right) if len(answers) > 1 and right is not None else None


def right_answers(
    names: Sequence[str], records: Iterable[tuple[int, Sequence[str]]]
) -> tuple[list[str], Iterator[tuple[int, list[str]]]]:
    """Return a quiz as a table of questions and their right answers."""
    places = _places(names)
    assert places is not None  # noqa: S101 - the caller has asked `is_quiz`
    answers, right = places
    others = [place for place in range(len(names)) if place not in answers.values()]
    question = next(p for p in others if _QUESTION.match(names[p].strip()[:_LONGEST]))
    others.remove(right)
    others.remove(question)

    def table() -> Iterator[tuple[int, list[str]]]:
        for line, cells in records:
            padded = [*cells, *[""] * (len(names) - len(cells))]
            yield (
                line,
                [
                    padded[question],
                    "; ".join(_right(padded[right], {k: padded[p] for k, p in answers.items()})),
                    *(padded[place] for place in others),
                ],
            )

    return ["question", "correct answer", *(names[place] for place in others)], table()


def _right(cell: str, answers: dict[str, str]) -> list[str]:
    """Return the answers that a cell names by their numbers, letters or texts."""
    texts = [text.strip() for text in answers.values()]
    if (whole := cell.strip()) in texts and not _MARK.fullmatch(whole):
        return [whole]
    marks = [mark.upper() for mark in re.split(r"[\s,;.&+/]+", whole) if _MARK.fullmatch(mark)]
    numbers = list(answers)
    found = []
    for mark in marks:
        if mark not in answers and mark.isdigit() and int(mark) <= len(numbers):
            mark = numbers[int(mark) - 1]
        elif mark not in answers and mark.isalpha() and ord(mark) - 65 < len(numbers):
            mark = numbers[ord(mark) - 65]
        if answers.get(mark, "").strip():
            found.append(answers[mark].strip())
    return found or ([whole] if whole and not marks else [])
