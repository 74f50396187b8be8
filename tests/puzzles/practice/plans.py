"""A student's plan of a day, asked for by itself."""

from puzzles.access import Moment
from puzzles.practice import plan
from puzzles.practice import services as practice


def day_plan(student, at):
    return plan.Today.of(Moment(student, at)).plan()


def more_words(student, at):
    return plan.Today.of(Moment(student, at)).more(plan.MORE)


def words_to_practise(student, vocabulary_list, kind, at):
    of_day = plan.Today.of(Moment(student, at), vocabulary_list, practice.SIZE)
    return practice.to_practise(of_day, kind, practice.SIZE)
