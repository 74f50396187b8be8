from tests.layers import IS_THOROUGH
from tests.vocab.formats.spoiled import malformed
from vocab import formats
from vocab.formats import FormatError

FILES = 10_000 if IS_THOROUGH else 400


def test_a_spoiled_file_is_read_or_refused_with_a_sentence():
    outcomes = {"read": 0, "refused": 0}
    for _, data in malformed(FILES, seed=5):
        try:
            formats.parse(data)
            outcomes["read"] += 1
        except FormatError as error:
            assert str(error).endswith((".", ")", "!"))
            outcomes["refused"] += 1
    # The control: the files are spoiled enough to be refused, and not so that nothing is read.
    assert min(outcomes.values()) > FILES // 10
