"""Dates and numbers in Arabic with Western digits, as in Unicode CLDR and browsers.

Django has no format for a short date with a time, and would use the American one.
"""

DATE_FORMAT = "j F Y"
DATETIME_FORMAT = "j F Y، H:i"
# The marks keep day, month and year in this order on a right-to-left page.
SHORT_DATE_FORMAT = "j\u200f/n\u200f/Y"
SHORT_DATETIME_FORMAT = "j\u200f/n\u200f/Y، H:i"
TIME_FORMAT = "H:i"
DECIMAL_SEPARATOR = "."
THOUSAND_SEPARATOR = ","
