"""Messages of Django and of Django REST framework that this site translates itself.

Our catalogues are asked before theirs, so a message that stands here is shown in our words. It
stands here for one of two reasons: their catalogue lacks it in a language of our interface, so
that people would read English (Croatian lacks many, and the framework has no Croatian at all), or
it is formal there, where our pages say “ti”. Nothing imports this module: it is here for
`make messages`, which gathers what it names. `tests/site/test_borrowed_messages.py` compares it
with the messages of the versions that are installed.
"""

from __future__ import annotations

from django.utils.translation import gettext_noop, ngettext_lazy

# Forms and validators (django.forms, django.core.validators)
FORMS = (
    gettext_noop("Enter a whole number."),
    gettext_noop("Enter a number."),
    gettext_noop("Enter a valid date."),
    gettext_noop("Enter a valid time."),
    gettext_noop("Enter a valid date/time."),
    gettext_noop("The number of days must be between {min_days} and {max_days}."),
    gettext_noop("No file was submitted. Check the encoding type on the form."),
    ngettext_lazy(
        "Ensure this filename has at most %(max)d character (it has %(length)d).",
        "Ensure this filename has at most %(max)d characters (it has %(length)d).",
    ),
    gettext_noop("Enter a valid URL."),
    gettext_noop("Select a valid choice. %(value)s is not one of the available choices."),
    gettext_noop("Enter a list of values."),
    gettext_noop("Enter a complete value."),
    gettext_noop("Enter a valid UUID."),
    gettext_noop("Enter a valid JSON."),
    gettext_noop("The inline value did not match the parent instance."),
    gettext_noop("Select a valid choice. That choice is not one of the available choices."),
    gettext_noop("“%(pk)s” is not a valid value."),
    gettext_noop(
        "%(datetime)s couldn’t be interpreted in time zone %(current_timezone)s; it may be "
        "ambiguous or it may not exist."
    ),
    gettext_noop("Enter a valid value."),
    gettext_noop("Enter a valid domain name."),
    gettext_noop("Enter a valid email address."),
    gettext_noop("Enter a valid “slug” consisting of letters, numbers, underscores or hyphens."),
    gettext_noop(
        "Enter a valid “slug” consisting of Unicode letters, numbers, underscores, or hyphens."
    ),
    gettext_noop("Ensure this value is less than or equal to %(limit_value)s."),
    gettext_noop("Ensure this value is greater than or equal to %(limit_value)s."),
    gettext_noop("Ensure this value is a multiple of step size %(limit_value)s."),
    ngettext_lazy(
        "Ensure this value has at least %(limit_value)d character (it has %(show_value)d).",
        "Ensure this value has at least %(limit_value)d characters (it has %(show_value)d).",
    ),
    ngettext_lazy(
        "Ensure this value has at most %(limit_value)d character (it has %(show_value)d).",
        "Ensure this value has at most %(limit_value)d characters (it has %(show_value)d).",
    ),
    gettext_noop(
        "File extension “%(extension)s” is not allowed. Allowed extensions are: "
        "%(allowed_extensions)s."
    ),
    gettext_noop("Null characters are not allowed."),
    gettext_noop("Enter a valid integer."),
    gettext_noop("Enter a valid %(protocol)s address."),
    gettext_noop(
        "Ensure this value is a multiple of step size %(limit_value)s, starting from "
        "%(offset)s, e.g. %(offset)s, %(valid_value1)s, %(valid_value2)s, and so on."
    ),
)

# Passwords and usernames (django.contrib.auth)
ACCOUNTS = (
    gettext_noop("The password is too similar to the %(verbose_name)s."),
    gettext_noop("Your password can’t be too similar to your other personal information."),
    gettext_noop("This password is too common."),
    gettext_noop("Your password can’t be a commonly used password."),
    gettext_noop("Your password can’t be entirely numeric."),
    ngettext_lazy(
        "This password is too short. It must contain at least %d character.",
        "This password is too short. It must contain at least %d characters.",
    ),
    gettext_noop(
        "Enter a valid username. This value may contain only unaccented lowercase a-z and "
        "uppercase A-Z letters, numbers, and @/./+/-/_ characters."
    ),
    gettext_noop(
        "Enter a valid username. This value may contain only letters, numbers, and @/./+/-/_ "
        "characters."
    ),
    gettext_noop("The two password fields didn’t match."),
    gettext_noop(
        "Please enter a correct %(username)s and password. Note that both fields may be "
        "case-sensitive."
    ),
    gettext_noop("Your old password was entered incorrectly. Please enter it again."),
    gettext_noop("Enter the same password as before, for verification."),
)

# The HTTP API (rest_framework)
API = (
    gettext_noop("A server error occurred."),
    gettext_noop("Invalid input."),
    gettext_noop("Malformed request."),
    gettext_noop("Incorrect authentication credentials."),
    gettext_noop("Authentication credentials were not provided."),
    gettext_noop("You do not have permission to perform this action."),
    gettext_noop("Not found."),
    gettext_noop('Method "{method}" not allowed.'),
    gettext_noop("Could not satisfy the request Accept header."),
    gettext_noop('Unsupported media type "{media_type}" in request.'),
    gettext_noop("Request was throttled."),
    gettext_noop("Expected available in {wait} second."),
    gettext_noop("Expected available in {wait} seconds."),
    gettext_noop("More than {count} items..."),
    gettext_noop("This field may not be null."),
    gettext_noop("Must be a valid boolean."),
    gettext_noop("Not a valid string."),
    gettext_noop("This field may not be blank."),
    gettext_noop("Ensure this field has no more than {max_length} characters."),
    gettext_noop("Ensure this field has at least {min_length} characters."),
    gettext_noop("This value does not match the required pattern."),
    gettext_noop('Enter a valid "slug" consisting of letters, numbers, underscores or hyphens.'),
    gettext_noop(
        'Enter a valid "slug" consisting of Unicode letters, numbers, underscores, or hyphens.'
    ),
    gettext_noop("Must be a valid UUID."),
    gettext_noop("A valid integer is required."),
    gettext_noop("Ensure this value is less than or equal to {max_value}."),
    gettext_noop("Ensure this value is greater than or equal to {min_value}."),
    gettext_noop("String value too large."),
    gettext_noop("A valid biginteger is required."),
    gettext_noop("A valid number is required."),
    gettext_noop("Integer value too large to convert to float"),
    gettext_noop("Ensure that there are no more than {max_digits} digits in total."),
    gettext_noop("Ensure that there are no more than {max_decimal_places} decimal places."),
    gettext_noop(
        "Ensure that there are no more than {max_whole_digits} digits before the decimal point."
    ),
    gettext_noop("Datetime has wrong format. Use one of these formats instead: {format}."),
    gettext_noop("Expected a datetime but got a date."),
    gettext_noop('Invalid datetime for the timezone "{timezone}".'),
    gettext_noop("Datetime value out of range."),
    gettext_noop("Date has wrong format. Use one of these formats instead: {format}."),
    gettext_noop("Expected a date but got a datetime."),
    gettext_noop("Time has wrong format. Use one of these formats instead: {format}."),
    gettext_noop("Duration has wrong format. Use one of these formats instead: {format}."),
    gettext_noop('"{input}" is not a valid choice.'),
    gettext_noop('Expected a list of items but got type "{input_type}".'),
    gettext_noop("This selection may not be empty."),
    gettext_noop('"{input}" is not a valid path choice.'),
    gettext_noop("The submitted data was not a file. Check the encoding type on the form."),
    gettext_noop("No filename could be determined."),
    gettext_noop("Ensure this filename has at most {max_length} characters (it has {length})."),
    gettext_noop("This list may not be empty."),
    gettext_noop("Ensure this field has at least {min_length} elements."),
    gettext_noop("Ensure this field has no more than {max_length} elements."),
    gettext_noop('Expected a dictionary of items but got type "{input_type}".'),
    gettext_noop("This dictionary may not be empty."),
    gettext_noop("Value must be valid JSON."),
    gettext_noop('Invalid pk "{pk_value}" - object does not exist.'),
    gettext_noop("Incorrect type. Expected pk value, received {data_type}."),
    gettext_noop("Invalid hyperlink - No URL match."),
    gettext_noop("Invalid hyperlink - Incorrect URL match."),
    gettext_noop("Invalid hyperlink - Object does not exist."),
    gettext_noop("Incorrect type. Expected URL string, received {data_type}."),
    gettext_noop("Object with {slug_name}={value} does not exist."),
    gettext_noop("Invalid value."),
    gettext_noop("Invalid data. Expected a dictionary, but got {datatype}."),
    gettext_noop("This field must be unique."),
    gettext_noop("The fields {field_names} must make a unique set."),
    gettext_noop("Surrogate characters are not allowed: U+{code_point:X}."),
    gettext_noop('This field must be unique for the "{date_field}" date.'),
    gettext_noop('This field must be unique for the "{date_field}" month.'),
    gettext_noop('This field must be unique for the "{date_field}" year.'),
    gettext_noop("Invalid token header. No credentials provided."),
    gettext_noop("Invalid username/password."),
    gettext_noop("User inactive or deleted."),
    gettext_noop("Invalid token header. Token string should not contain spaces."),
    gettext_noop("Invalid token header. Token string should not contain invalid characters."),
    gettext_noop("Invalid token."),
    gettext_noop("Token"),
    gettext_noop('Must include "username" and "password".'),
    gettext_noop("Unable to log in with provided credentials."),
    gettext_noop("Invalid page."),
)
