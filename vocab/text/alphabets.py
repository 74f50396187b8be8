"""The letters of each language, for filling a grid and for the on-screen keyboard.

The tables follow the alphabets taught at school, which are the main exemplar characters of CLDR in
their order; letters used only in loanwords are added if a list uses them. Scripts without a
practical alphabet have a set of their most common tiles.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

import regex

from vocab.text.cutting import digraphs_of, splits_syllables, tiles
from vocab.text.languages import canonical_language, primary, script_of

_LATIN = "A B C D E F G H I J K L M N O P Q R S T U V W X Y Z"
_GAJ = "A B C Č Ć D DŽ Đ E F G H I J K L LJ M N NJ O P R S Š T U V Z Ž"
_VUK = "А Б В Г Д Ђ Е Ж З И Ј К Л Љ М Н Њ О П Р С Т Ћ У Ф Х Ц Ч Џ Ш"
_RUSSIAN = "А Б В Г Д Е Ё Ж З И Й К Л М Н О П Р С Т У Ф Х Ц Ч Ш Щ Ъ Ы Ь Э Ю Я"
_ARABIC = "ا ب ت ث ج ح خ د ذ ر ز س ش ص ض ط ظ ع غ ف ق ك ل م ن ه و ي ء آ أ ؤ إ ئ ة ى"
_HIRAGANA = (
    "あ い う え お か き く け こ さ し す せ そ た ち つ て と な に ぬ ね の は ひ ふ へ ほ "
    "ま み む め も や ゆ よ ら り る れ ろ わ を ん が ぎ ぐ げ ご ざ じ ず ぜ ぞ だ で ど "
    "ば び ぶ べ ぼ ぱ ぴ ぷ ぺ ぽ っ ゃ ゅ ょ"
)
_KATAKANA = "".join(chr(ord(k) + 0x60) if k != " " else k for k in _HIRAGANA) + " ー"
# What beginners read first.
_KANJI = (
    "一 二 三 四 五 六 七 八 九 十 百 千 万 円 日 月 火 水 木 金 土 年 時 分 人 口 目 手 足 車 "
    "門 雨 電 気 食 飲 行 来 見 聞 話 読 書 大 小 高 安 新 古 長 白 山 川 国 語 学 生 先 校 私 "
    "友 父 母 子 男 女 名 前 後 上 下 中 外 左 右 東 西 南 北 本 何 半 今 毎 週 午 間 花 魚 空 "
    "天 社 店 駅 道 会 休 出 入 立 言 買"
)

ALPHABETS: dict[str, str] = {
    "af": _LATIN,
    "ar": _ARABIC,
    "az": "A B C Ç D E Ə F G Ğ H X I İ J K Q L M N O Ö P R S Ş T U Ü V Y Z",
    "be": "А Б В Г Д Е Ё Ж З І Й К Л М Н О П Р С Т У Ў Ф Х Ц Ч Ш Ы Ь Э Ю Я",
    "bg": "А Б В Г Д Е Ж З И Й К Л М Н О П Р С Т У Ф Х Ц Ч Ш Щ Ъ Ь Ю Я",
    "br": "A B C'H CH D E F G H I J K L M N O P R S T U V W Y Z",
    "bs": _GAJ,
    "bs-Cyrl": _VUK,
    "ca": "A B C Ç D E F G H I J K L M N O P Q R S T U V W X Y Z",
    "cnr": "A B C Č Ć D DŽ Đ E F G H I J K L LJ M N NJ O P R S Š Ś T U V Z Ž Ź",
    "cnr-Cyrl": _VUK,
    "cs": "A Á B C Č D Ď E É Ě F G H CH I Í J K L M N Ň O Ó P Q R Ř S Š T Ť U Ú Ů V W X Y Ý Z Ž",
    "cy": "A B C CH D DD E F FF G NG H I J L LL M N O P PH R RH S T TH U W Y",
    "da": f"{_LATIN} Æ Ø Å",
    "de": f"{_LATIN} Ä Ö Ü ẞ",
    "el": "Α Β Γ Δ Ε Ζ Η Θ Ι Κ Λ Μ Ν Ξ Ο Π Ρ Σ Τ Υ Φ Χ Ψ Ω",
    "en": _LATIN,
    "eo": "A B C Ĉ D E F G Ĝ H Ĥ I J Ĵ K L M N O P R S Ŝ T U Ŭ V Z",
    "es": "A B C D E F G H I J K L M N Ñ O P Q R S T U V W X Y Z",
    "et": "A B D E F G H I J K L M N O P R S Š Z Ž T U V Õ Ä Ö Ü",
    "eu": "A B C D E F G H I J K L M N Ñ O P Q R S T U V W X Y Z",
    "fa": "آ ا ب پ ت ث ج چ ح خ د ذ ر ز ژ س ش ص ض ط ظ ع غ ف ق ک گ ل م ن و ه ی",
    "fi": f"{_LATIN} Å Ä Ö",
    "fil": "A B C D E F G H I J K L M N Ñ NG O P Q R S T U V W X Y Z",
    "fo": "A Á B D Ð E F G H I Í J K L M N O Ó P R S T U Ú V Y Ý Æ Ø",
    "fr": _LATIN,
    "ga": "A Á B C D E É F G H I Í L M N O Ó P R S T U Ú",
    "gd": "A B C D E F G H I L M N O P R S T U",
    "gl": "A B C D E F G H I L M N Ñ O P Q R S T U V X Z",
    "haw": "A E I O U H K L M N P W ʻ",
    "he": "א ב ג ד ה ו ז ח ט י כ ך ל מ ם נ ן ס ע פ ף צ ץ ק ר ש ת",
    "hr": _GAJ,
    "hu": (
        "A Á B C CS D DZ DZS E É F G GY H I Í J K L LY M N NY O Ó Ö Ő P Q R S SZ T TY "
        "U Ú Ü Ű V W X Y Z ZS"
    ),
    "hy": "Ա Բ Գ Դ Ե Զ Է Ը Թ Ժ Ի Լ Խ Ծ Կ Հ Ձ Ղ Ճ Մ Յ Ն Շ Ո Չ Պ Ջ Ռ Ս Վ Տ Ր Ց Ւ Փ Ք Օ Ֆ",
    "id": _LATIN,
    "is": "A Á B D Ð E É F G H I Í J K L M N O Ó P R S T U Ú V X Y Ý Þ Æ Ö",
    "it": "A B C D E F G H I L M N O P Q R S T U V Z",
    "ka": "ა ბ გ დ ე ვ ზ თ ი კ ლ მ ნ ო პ ჟ რ ს ტ უ ფ ქ ღ ყ შ ჩ ც ძ წ ჭ ხ ჯ ჰ",
    "kk": "А Ә Б В Г Ғ Д Е Ё Ж З И Й К Қ Л М Н Ң О Ө П Р С Т У Ұ Ү Ф Х Һ Ц Ч Ш Щ Ъ Ы І Ь Э Ю Я",
    "la": "A B C D E F G H I K L M N O P Q R S T U V X Y Z",
    "lb": f"{_LATIN} Ä É Ë",
    "lt": "A Ą B C Č D E Ę Ė F G H I Į Y J K L M N O P R S Š T U Ų Ū V Z Ž",
    "lv": "A Ā B C Č D E Ē F G Ģ H I Ī J K Ķ L Ļ M N Ņ O P R S Š T U Ū V Z Ž",
    "mk": "А Б В Г Д Ѓ Е Ж З Ѕ И Ј К Л Љ М Н Њ О П Р С Т Ќ У Ф Х Ц Ч Џ Ш",
    "mn": "А Б В Г Д Е Ё Ж З И Й К Л М Н О Ө П Р С Т У Ү Ф Х Ц Ч Ш Щ Ъ Ы Ь Э Ю Я",
    "ms": _LATIN,
    "mt": "A B Ċ D E F Ġ G GĦ H Ħ I IE J K L M N O P Q R S T U V W X Ż Z",
    "nb": f"{_LATIN} Æ Ø Å",
    "nl": "A B C D E F G H I J K L M N O P Q R S T U V W X Y IJ Z",
    "nn": f"{_LATIN} Æ Ø Å",
    "no": f"{_LATIN} Æ Ø Å",
    "pl": "A Ą B C Ć D E Ę F G H I J K L Ł M N Ń O Ó P R S Ś T U W Y Z Ź Ż",
    "pt": _LATIN,
    "ro": "A Ă Â B C D E F G H I Î J K L M N O P Q R S Ș T Ț U V W X Y Z",
    "ru": _RUSSIAN,
    "sk": (
        "A Á Ä B C Č D Ď DZ DŽ E É F G H CH I Í J K L Ĺ Ľ M N Ň O Ó Ô P Q R Ŕ S Š T Ť "
        "U Ú V W X Y Ý Z Ž"
    ),
    "sl": "A B C Č D E F G H I J K L M N O P R S Š T U V Z Ž",
    "sq": "A B C Ç D DH E Ë F G GJ H I J K L LL M N NJ O P Q R RR S SH T TH U V X XH Y Z ZH",
    "sr": _VUK,
    "sr-Latn": _GAJ,
    "sv": f"{_LATIN} Å Ä Ö",
    "sw": "A B C D E F G H I J K L M N O P R S T U V W Y Z",
    "tl": "A B C D E F G H I J K L M N Ñ NG O P Q R S T U V W X Y Z",
    "tr": "A B C Ç D E F G Ğ H I İ J K L M N O Ö P R S Ş T U Ü V Y Z",
    "uk": "А Б В Г Ґ Д Е Є Ж З И І Ї Й К Л М Н О П Р С Т У Ф Х Ц Ч Ш Щ Ь Ю Я",
    "ur": "ا آ ب پ ت ٹ ث ج چ ح خ د ڈ ذ ر ڑ ز ژ س ش ص ض ط ظ ع غ ف ق ک گ ل م ن ں و ہ ھ ء ی ے",
    "uz": "A B CH D E F G Gʻ H I J K L M N O Oʻ P Q R S SH T U V X Y Z",
    "vi": "A Ă Â B C D Đ E Ê G H I K L M N O Ô Ơ P Q R S T U Ư V X Y",
    "yi": "א ב ג ד ה ו ז ח ט י כ ך ל מ ם נ ן ס ע פ ף צ ץ ק ר ש ת",
    # From here on: no alphabets, but tiles that are common in everyday words.
    "hi": (
        "अ आ इ ई उ ए ओ क ख ग घ च छ ज झ ट ठ ड ढ त थ द ध न प फ ब भ म य र ल व श ष स ह "
        "का की के को खा गा गी चा जा जी टी ता ती ते दा दि दी ना नी ने पा पी बा बि भी मा मि मे "
        "या रा री रे ला ली ले वा वि शा सा सी से हा ही है"
    ),
    "ja": _HIRAGANA,
    "ko": (
        "가 거 고 과 구 국 기 김 나 내 너 네 노 는 니 다 "
        "대 도 동 두 드 들 라 람 러 로 루 르 리 마 만 "
        "말 머 모 무 문 물 미 바 방 보 부 비 사 산 상 생 "
        "서 선 소 수 스 시 식 신 아 안 어 연 오 요 우 "
        "원 유 은 음 이 인 일 자 장 저 전 정 제 조 주 지 "
        "진 차 책 치 크 타 터 트 파 피 하 학 한 해 호 화"
    ),
    "th": (
        "ก ข ค ฆ ง จ ฉ ช ซ ญ ฐ ณ ด ต ถ ท ธ น บ ป ผ ฝ พ ฟ ภ ม ย ร ล ว ศ ษ ส ห อ ฮ ะ า เ แ โ ไ ใ "
        "กิ กี กุ คุ จั ชี ดี ดู ตั ต้ ถึ ที นั นี น้ บั มี ม่ รั รู ลู วั สี หั หู อั อี"
    ),
    "zh": (
        "的 一 是 不 了 人 我 在 有 他 这 中 大 来 上 国 "
        "个 到 说 们 为 子 和 你 地 出 道 也 时 年 得 就 "
        "那 要 下 以 生 会 自 着 去 之 过 家 学 对 可 她 "
        "里 后 小 么 心 多 天 而 能 好 都 然 没 日 于 起 "
        "还 发 成 事 只 作 当 想 看 文 无 开 手 十 用 主 "
        "行 方 又 如 前 所 本 见 经 头 面 公 同 三 已 老"
    ),
    "zh-Hant": (
        "的 一 是 不 了 人 我 在 有 他 這 中 大 來 上 國 "
        "個 到 說 們 為 子 和 你 地 出 道 也 時 年 得 就 "
        "那 要 下 以 生 會 自 著 去 之 過 家 學 對 可 她 "
        "裡 後 小 麼 心 多 天 而 能 好 都 然 沒 日 於 起 "
        "還 發 成 事 只 作 當 想 看 文 無 開 手 十 用 主 "
        "行 方 又 如 前 所 本 見 經 頭 面 公 同 三 已 老"
    ),
}

# The letters of syllables by script, for lists that give each of them a square.
_OF_SYLLABLES: dict[str, str] = {
    "Hang": (
        "ㄱ ㄴ ㄷ ㄹ ㅁ ㅂ ㅅ ㅇ ㅈ ㅊ ㅋ ㅌ ㅍ ㅎ ㄲ ㄸ ㅃ ㅆ ㅉ "
        "ㅏ ㅑ ㅓ ㅕ ㅗ ㅛ ㅜ ㅠ ㅡ ㅣ ㅐ ㅒ ㅔ ㅖ ㅘ ㅙ ㅚ ㅝ ㅞ ㅟ ㅢ"
    ),
    "Deva": (
        "अ आ इ ई उ ऊ ऋ ए ऐ ओ औ क् ख् ग् घ् ङ् च् छ् ज् झ् ञ् ट् ठ् ड् ढ् ण् त् थ् द् ध् न् "
        "प् फ् ब् भ् म् य् र् ल् व् श् ष् स् ह् ड\u093c् ढ\u093c्"
    ),
}

# Letters that a language uses in addition to its alphabet. They are on the keyboard, so that a
# letter is not there only because an answer needs it. (CLDR's main exemplars, and those of common
# loanwords.)
_BESIDE: dict[str, str] = {
    "af": "Á É È Ê Ë Í Î Ï Ó Ô Ú Û Ý",
    "ca": "À É È Í Ï Ó Ò Ú Ü",
    "da": "É",
    "de": "É",
    "es": "Á É Í Ó Ú Ü",
    "eu": "Ü",
    "fr": "À Â Æ Ç É È Ê Ë Î Ï Ô Œ Ù Û Ü Ÿ",
    "ga": "J K Q V W X Y Z",
    "gd": "À È Ì Ò Ù",
    "gl": "Á É Í Ó Ú Ü Ï J K W Y",
    "haw": "Ā Ē Ī Ō Ū",
    "it": "À É È Ì Ò Ù J K W X Y",
    "la": "Ā Ē Ī Ō Ū J W",
    "nb": "É È Ê Ó Ò Ô",
    "nl": "É Ë Ï Ó Ö Ü",
    "nn": "É È Ê Ó Ò Ô",
    "no": "É È Ê Ó Ò Ô",
    "pt": "Á Â Ã À Ç É Ê Í Ó Ô Õ Ú",
    "sv": "É",
    "vi": (
        "À Ả Ã Á Ạ Ằ Ẳ Ẵ Ắ Ặ Ầ Ẩ Ẫ Ấ Ậ È Ẻ Ẽ É Ẹ Ề Ể Ễ Ế Ệ Ì Ỉ Ĩ Í Ị Ò Ỏ Õ Ó Ọ Ồ Ổ Ỗ Ố Ộ "
        "Ờ Ở Ỡ Ớ Ợ Ù Ủ Ũ Ú Ụ Ừ Ử Ữ Ứ Ự Ỳ Ỷ Ỹ Ý Ỵ"
    ),
    "cy": "Â Ê Î Ô Û Ŵ Ŷ",
}

# The languages whose letters are known; a list may be in any other language as well.
KNOWN_LANGUAGES: tuple[str, ...] = tuple(sorted(ALPHABETS))

# Other languages that are taught at schools. Their grids are filled with letters of their script,
# or of the words themselves.
_OTHERS = (
    "am as bn bo ckb dv gn gu ha ig km kn ku ky lo mg mi ml mr my ne oc or pa ps qu rm rw sa sd si "
    "sm so st su ta te tg ti tk tn to tt ug wo xh yo yue zu"
)
OTHER_LANGUAGES: tuple[str, ...] = tuple(_OTHERS.split())

# For filling if only the script of the words is known.
_BY_SCRIPT: dict[str, str] = {
    "Latn": _LATIN,
    "Cyrl": _RUSSIAN,
    "Grek": ALPHABETS["el"],
    "Arab": _ARABIC,
    "Hebr": ALPHABETS["he"],
    "Armn": ALPHABETS["hy"],
    "Geor": ALPHABETS["ka"],
    "Deva": ALPHABETS["hi"],
    "Thai": ALPHABETS["th"],
    "Hang": ALPHABETS["ko"],
    "Hira": _HIRAGANA,
    "Kana": _KATAKANA,
    "Hani": ALPHABETS["zh"],
}
_OF_CHARACTERS = {"Hans": "zh", "Hant": "zh-Hant"}
# Japanese mixes three scripts in one list, and even in one word.
_JAPANESE = {"Hira": _HIRAGANA, "Kana": _KATAKANA, "Hani": _KANJI}
_SCRIPT_NAMES = {code: regex.compile(rf"\p{{{code}}}") for code in _BY_SCRIPT}


def alphabet(language: str | None = None, *, digraphs: bool = True) -> tuple[str, ...]:
    """Return the tiles of the language's alphabet in its order.

    For languages without a practical alphabet (Hindi, Thai, Korean, Japanese, Chinese) these are
    common tiles; for one without a table, the letters of its script (Tajik gets Russian's), and A
    to Z if that is unknown too. Without *digraphs*, letters of two characters are left out, and
    syllables of Korean and of Devanagari are replaced by their letters.
    """
    key = table_key(language)
    found = _tiles_of(ALPHABETS[key] if key else _BY_SCRIPT.get(script_of(language), _LATIN))
    return found if digraphs else _single_letters(found, language, ())


def alphabet_for(
    words_tiles: Iterable[Sequence[str]], language: str | None = None, *, digraphs: bool = True
) -> tuple[str, ...]:
    """Return the distinct tiles for filling a grid of these words.

    They are the alphabet of *language* in the script of most of the words' tiles, and every other
    tile that the words use (é in a French list, tiles of another script), so that no tile gives a
    word away. If the script is unknown, only the words' own tiles are returned.
    """
    used = Counter(tile for word in words_tiles for tile in word)
    base = _alphabet_in_scripts(_scripts_by_use(used), language)
    if not digraphs:
        base = _single_letters(base, language, used)
    return base + tuple(sorted(used.keys() - set(base)))


def keyboard_for(
    words_tiles: Iterable[Sequence[str]], language: str | None = None, *, digraphs: bool = True
) -> tuple[str, ...]:
    """Return the letters of the on-screen keyboard for a puzzle, which reveal no word.

    They are the alphabet of *language* in the words' script and the accented letters that it uses,
    whether the words use them or not, and nothing else; none if the script is unknown.
    """
    used = Counter(tile for word in words_tiles for tile in word)
    base = _alphabet_in_scripts(_scripts_by_use(used), language)
    key = table_key(language)
    if key and base == _tiles_of(ALPHABETS[key]):
        base += tuple(letter for letter in _tiles_of(_BESIDE.get(key, "")) if letter not in base)
    return base if digraphs else _single_letters(base, language, used)


def _alphabet_in_scripts(scripts: list[str], language: str | None) -> tuple[str, ...]:
    if not scripts:
        return alphabet(language)
    key, main = table_key(language), scripts[0]
    if key == "ja" and main in _JAPANESE:
        used = [table for script, table in _JAPANESE.items() if script in scripts]
        return _tiles_of(" ".join(used))
    if key and _script_of_table(key) == main:
        return _tiles_of(ALPHABETS[key])
    return _tiles_of(ALPHABETS.get(f"{primary(language)}-{main}") or _BY_SCRIPT.get(main, ""))


def table_key(language: str | None) -> str | None:
    """Return the key in ALPHABETS of the tag's language in its script, None if there is none.

    Languages that are written in Chinese characters, such as Cantonese, share those of Chinese.
    """
    if not language:
        return None
    try:
        tag = canonical_language(language)
    except ValueError:
        return None
    base, script = primary(tag), script_of(tag)
    if f"{base}-{script}" in ALPHABETS:
        return f"{base}-{script}"
    if base not in ALPHABETS:
        return _OF_CHARACTERS.get(script)
    # Uzbek's table is Latin; uz-Cyrl gets no table rather than that one.
    return None if script in _BY_SCRIPT and script != _script_of_table(base) else base


def _scripts_by_use(used: Counter[str]) -> list[str]:
    counts: Counter[str] = Counter()
    for tile, count in used.items():
        counts[_script_of_tile(tile)] += count
    del counts[""]
    return [script for script, _ in counts.most_common()]


@lru_cache(maxsize=4096)
def _script_of_tile(tile: str) -> str:
    """Return the ISO 15924 code of a tile's script, "" for digits, "Zzzz" if not listed."""
    if not any(character.isalpha() for character in tile):
        return ""
    return next((code for code, name in _SCRIPT_NAMES.items() if name.search(tile)), "Zzzz")


def _script_of_table(key: str) -> str:
    return _script_of_tile(_tiles_of(ALPHABETS[key])[0])


@lru_cache(maxsize=256)
def _tiles_of(table: str) -> tuple[str, ...]:
    return tuple(table.split())


def _single_letters(
    letters: tuple[str, ...], language: str | None, used: Iterable[str]
) -> tuple[str, ...]:
    """Return *letters* without digraphs, for words with these *used* tiles."""
    if splits_syllables(language):
        table = _OF_SYLLABLES.get(_script_of_tile(letters[0]) if letters else "")
        # The words may have been cut into syllables all the same.
        are_split = all(tiles(tile, language, digraphs=False) == (tile,) for tile in used)
        return _tiles_of(table) if table and are_split else letters
    pairs = set(digraphs_of(language))
    return tuple(letter for letter in letters if letter not in pairs)
