"""Dates and numbers in Arabic with Western digits, as Unicode CLDR has them and browsers too.

Django has no format for a short date with its time, and would write it the American way.
"""

DATE_FORMAT = "j F Y"
DATETIME_FORMAT = "j F Y، H:i"
# The marks keep day, month and year in this order on a page from right to left.
SHORT_DATE_FORMAT = "j\u200f/n\u200f/Y"
SHORT_DATETIME_FORMAT = "j\u200f/n\u200f/Y، H:i"
TIME_FORMAT = "H:i"
DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = ","
