"""Dates in Croatian orthography: with spaces, and a full stop after the year."""

DATE_FORMAT = "j. E Y."
DATETIME_FORMAT = "j. E Y. H:i"
SHORT_DATE_FORMAT = "j. n. Y."
SHORT_DATETIME_FORMAT = "j. n. Y. H:i"
TIME_FORMAT = "H:i"
FIRST_DAY_OF_WEEK = 1
