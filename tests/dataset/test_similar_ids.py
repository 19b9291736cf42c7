import pytest

from ragvet.dataset import KnownIds
from ragvet.text import nearest

KNOWN = KnownIds(["CACM-0046", "CACM-1410", "Ünïcode", "docs/terms v2.md", "return-policy", "a1b02"])


@pytest.mark.parametrize(
    ("unknown", "known"),
    [
        ("CACM-46", "CACM-0046"),
        ("cacm-0046", "CACM-0046"),
        ("CACM-000046", "CACM-0046"),
        ("U\u0308ni\u0308code", "Ünïcode"),  # the same letters, decomposed
        (" docs/Terms v2.md ", "docs/terms v2.md"),
        ("\uff43\uff41\uff43\uff4d-46", "CACM-0046"),  # full-width letters
        ("a01b2", "a1b02"),
        ("return-polcy", "return-policy"),
        ("entirely different", None),
        ("", None),
    ],
)
def test_an_unknown_id_is_told_the_known_one_it_resembles(unknown, known):
    assert KNOWN.resembling(unknown) == known


@pytest.mark.parametrize(
    ("unknown", "moved"),
    [
        ("kb/a.md", ("a.md", "kb/", True)),
        ("/home/me/kb/a.md", ("a.md", "/home/me/kb/", True)),
        ("./docs/b.md", ("docs/b.md", "./", True)),
        ("b.md", ("docs/b.md", "docs/", False)),
        ("c.md", None),  # there are two of them
        ("kb/", None),
        ("a.txt", None),
    ],
)
def test_an_id_that_differs_by_folders_in_front_is_told_which(unknown, moved):
    assert KnownIds(["a.md", "docs/b.md", "one/c.md", "two/c.md"]).moved(unknown) == moved


def test_among_very_many_ids_differences_of_form_are_still_found():
    many = KnownIds(f"doc-{number:08}" for number in range(50_000))
    assert many.resembling("DOC-49999") == "doc-00049999"
    assert many.resembling("dok-49999") is None, "spelling mistakes are not searched for among so many"


def test_the_nearest_word_ignores_case_and_nothing_near_is_none():
    assert nearest("NDGC", ["nDCG", "AP"]) == "nDCG"
    assert nearest("xyz", ["nDCG", "AP"]) is None
    assert nearest("xyz", []) is None
