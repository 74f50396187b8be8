"""What an answer says about a student's memory. Pure.

Producing a word that is not in view, without help, shows that it is remembered (Karpicke and
Roediger, 2008). Finding it among letters or among four choices is easier: it brings the word back
later, but proves nothing. No more does what students say of themselves, as on a flashcard, or what
they did on paper, where nobody saw how. A word that nobody tried, or that was in view, says nothing
at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from fsrs import Rating

from vocab.asking import Mode as Mode
from vocab.asking import Skill as Skill

# Modes in which all letters are typed.
TYPED = {Mode.CROSSWORD, Mode.TYPED, Mode.HEARD}


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer, as the review history has it.

    *outcome* is "right", "hinted" or "wrong". *is_slip* means wrong only by an accent or one
    letter, whether the list accepts that or not. *was_tried* is false for words left when a puzzle
    was finished early, *is_taken_back* true for a typo. *at* is aware; *day* is its day of study.
    """

    at: datetime
    day: date
    mode: str
    skill: str
    outcome: str
    hints: int = 0
    wrong_tries: int = 0
    is_slip: bool = False
    was_tried: bool = True
    is_free_practice: bool = False
    is_taken_back: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """What one answer shows.

    *rating* is FSRS's grade. *is_test* is true if the word had to be produced from its meaning,
    *is_unaided* if the answer was right at once without help, *is_wrong* if the word was not known.
    *skills* are the ways of knowing that were asked for.
    """

    rating: Rating
    is_test: bool
    is_unaided: bool
    is_wrong: bool
    skills: tuple[str, ...]

    @property
    def is_recall(self) -> bool:
        """Whether it proves that the word is remembered."""
        return self.is_test and self.is_unaided


def evidence(answer: Answer) -> Evidence | None:
    """Return what *answer* shows, or None if nothing.

    Easy is never used: nothing that a game measures distinguishes an easy answer from a lucky one.
    """
    is_played = answer.was_tried and not answer.is_free_practice
    if not is_played or answer.is_taken_back or answer.skill == Skill.FORM:
        return None
    is_heard = answer.skill == Skill.SOUND_TO_FORM
    is_wrong = answer.outcome == "wrong" and not answer.is_slip
    is_unaided = answer.outcome == "right" and not (
        answer.hints or answer.wrong_tries or answer.is_slip
    )
    if is_unaided:
        rating = Rating.Good
    elif is_wrong and not is_heard:
        rating = Rating.Again
    else:
        # Also a heard word that was not found: who mishears a word may still remember it.
        rating = Rating.Hard
    return Evidence(
        rating,
        is_test=not is_heard and answer.mode in {Mode.CROSSWORD, Mode.TYPED},
        is_unaided=is_unaided,
        is_wrong=is_wrong,
        skills=_skills(answer.mode, is_heard=is_heard),
    )


def _skills(mode: str, *, is_heard: bool) -> tuple[str, ...]:
    if mode == Mode.CARD:  # nobody but the student has seen that
        return ()
    if mode not in TYPED:
        return (Skill.SOUND_TO_FORM,) if is_heard else ()
    return (Skill.SOUND_TO_FORM if is_heard else Skill.MEANING_TO_FORM, Skill.SPELLING)
