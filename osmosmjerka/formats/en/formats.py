"""Dates in English that nobody takes for another day: 11/10 is read in two ways, 10 Nov is not."""

DATE_FORMAT = "j N Y"
DATETIME_FORMAT = "j N Y, H:i"
SHORT_DATE_FORMAT = "j M Y"
SHORT_DATETIME_FORMAT = "j M Y, H:i"
TIME_FORMAT = "H:i"
MONTH_DAY_FORMAT = "j F"
FIRST_DAY_OF_WEEK = 1
