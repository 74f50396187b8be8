"""Labels below a chart never touch each other."""

import pytest

from osmosmjerka.paper.charts import line_chart


@pytest.mark.parametrize(
    ("places", "shown"),
    [
        ([0, 3, 10, 14, 20], ["0", "10", "20"]),
        ([0, 5, 20], ["0", "20"]),  # the one at 5 would touch the first
        ([0, 20], ["0", "20"]),
        ([7], ["7"]),
        ([], []),
    ],
)
def test_a_label_in_the_middle_keeps_away_from_both_ends(places, shown):
    labels = [str(place) for place in places]
    chart = line_chart("x", over="y", places=places, labels=labels, series=[("z", places)])
    assert [mark.label for mark in chart.x_labels] == shown


def test_every_value_of_the_table_has_the_name_of_its_line():
    chart = line_chart(
        "x", over="day", places=[1, 2], labels=["a", "b"], series=[("p", [1, None]), ("q", [2, 3])]
    )
    assert chart.rows == [("a", [("p", "1"), ("q", "2")]), ("b", [("p", ""), ("q", "3")])]
