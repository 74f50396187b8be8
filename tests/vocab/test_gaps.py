"""A sentence becomes a clue only where it does not tell its word."""

import pytest

from vocab.text import with_gap, without_term


@pytest.mark.parametrize(
    ("sentence", "term", "clue"),
    [
        ("The cat sleeps.", "cat", "The ____ sleeps."),
        ("Cat or no CAT?", "cat", "____ or no ____?"),
        ("Jučer je Mačka spavala.", "mačka", "Jučer je ____ spavala."),
        ("We buy ice cream, always.", "ice cream", "We buy ____, always."),
        ("هذا كتاب جديد.", "كتاب", "هذا ____ جديد."),
        ("Η γάτα κοιμάται.", "γάτα", "Η ____ κοιμάται."),
        ("The dog sleeps.", "cat", ""),
        ("A category of cats.", "cat", ""),
        ("A cat in a category.", "cat", ""),
        ("Mačka voli mačku.", "mačka", ""),
        ("Krokodil, krokodili!", "krokodil", ""),
        ("", "cat", ""),
        ("The cat.", "", ""),
    ],
)
def test_a_gap_stands_for_the_word_and_nothing_left_tells_it(sentence, term, clue):
    assert with_gap(sentence, term, None) == clue


@pytest.mark.parametrize(
    ("hint", "term", "clue"),
    [
        ("It purrs.", "cat", "It purrs."),
        ("A cat is one that purrs.", "cat", "A ____ is one that purrs."),
        ("All cats purr.", "cat", ""),
        ("", "cat", ""),
    ],
)
def test_a_hint_is_a_clue_where_it_does_not_tell_the_word(hint, term, clue):
    assert without_term(hint, term, None) == clue
