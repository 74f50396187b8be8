"""Names and words of several languages in which everything comes that makes sorting hard."""

from random import Random

LETTERS = {
    "hr": "a b c č ć d dž đ e f g h i j k l lj m n nj o p r s š t u v z ž",
    "pl": "a ą b c ć d e ę f g h i j k l ł m n ń o ó p r s ś t u w y z ź ż",
    "de": "a ä b c d e f g h i j k l m n o ö p q r s ß t u ü v w x y z",
    "tr": "a b c ç d e f g ğ h ı i j k l m n o ö p r s ş t u ü v y z",
    "el": "α ά β γ δ ε έ ζ η ή θ ι ί ϊ ΐ κ λ μ ν ξ ο ό π ρ σ τ υ ύ ϋ ΰ φ χ ψ ω ώ",
}
LANGUAGES = sorted(LETTERS)
# A few letters of neighbours come into every class.
FOREIGN = ["č", "ł", "ö", "ş", "é", "ñ"]
BETWEEN = ["-", " ", "'", "’", " - "]


def names(language, count=500):
    """Return *count* names, always the same: many begin alike, and some differ in little."""
    rng, letters = Random(language), LETTERS[language].split()
    found = {}
    while len(found) < count:
        found[_name(rng, letters)] = None
        if rng.random() < 0.3:
            alike = _changed(rng.choice([*found]), rng, letters)
            found[alike] = None
    return [*found][:count]


def _name(rng, letters):
    text = "".join(rng.choice(letters) for _letter in range(rng.randint(1, 6)))
    if rng.random() < 0.2:
        text += rng.choice(FOREIGN)
    if rng.random() < 0.3:
        text += rng.choice(BETWEEN) + rng.choice(letters) + rng.choice(letters)
    return rng.choice([str.lower, str.title, str.upper, str.capitalize])(text)


def _changed(name, rng, letters):
    """Return a name that differs in its case, in one letter, or in what stands between."""
    way = rng.randrange(3)
    if way == 0:
        return name.swapcase()
    place = rng.randrange(len(name))
    return name[:place] + rng.choice(letters if way == 1 else BETWEEN) + name[place:] + "a"
