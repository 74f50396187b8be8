"""Texts that are hard to cut and to compare, drawn by Hypothesis."""

from hypothesis import strategies as st

from tests.layers import IS_THOROUGH

EXAMPLES = 10_000 if IS_THOROUGH else 200
LANGUAGES = [
    None,
    *("en", "hr", "de", "tr", "el", "ru", "ar", "fa", "he", "hi", "th", "ko", "ja", "lt", "la"),
    *("hu", "cy", "uz", "br", "haw", "hy", "ka", "nl", "sk", "ro"),
]
# Every letter that some rule treats, the joiners and the marks, among ordinary text.
TRICKY = (
    "dDžŽlLjJnNiIİıßẞςΣΐΰάέήίόύώϊϋᾳὡἍаёйїґѝ́̀̈̇ͅіўאםשַּׁכََِّآأؤىكیـ‌‍ښक्षिज्ञाไน้ำก็"
    "각각がガﾞﾊーっ々ǆǋĳﬁﬆ²½Ⅳ①ŀŉʼʻ’'·-–  \u00ad\u200b\ufeff\u2028👩🚀🏴️և𐐨ⴀᲐႠꭰ𞤀ᠠ᠋ශ්‍රී"
)
texts = st.text(st.sampled_from(TRICKY) | st.characters(), max_size=24)
words = st.text(st.sampled_from(TRICKY), max_size=12)
languages = st.sampled_from(LANGUAGES)
