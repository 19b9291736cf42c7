"""One metric of two runs, case by case."""

import pytest
from tests.runs.make import case, dataset, finished

from ragvet.errors import InputError
from ragvet.runs import pairs


def test_values_come_as_columns_with_group_and_weight(tmp_path):
    golden = dataset(case("a", "d1", group="g"), case("b", "d2", category="z"), case("empty", behaviour="refuse"))
    run = finished(tmp_path, golden, lambda question, k: ["d1"], repeat=2)
    found = run.values("coverage@2")
    assert found.rows() == [
        ("a", 0, 1.0, 1.0, "g", 1.0),
        ("a", 1, 1.0, 1.0, "g", 1.0),
        ("b", 0, 0.0, 0.0, None, 1.0),
        ("b", 1, 0.0, 0.0, None, 1.0),
    ]
    assert found.columns == ["case_id", "repeat", "low", "high", "group", "weight"]
    assert set(run.values("coverage@2", "category=z")["case_id"]) == {"b"}
    with pytest.raises(InputError, match=r"'coverage@7'.*Did you mean|There are"):
        run.values("coverage@7")
    with pytest.raises(InputError, match="'category=y'"):
        run.values("coverage@2", "category=y")


def test_cases_are_paired_by_id_and_by_what_is_asked_and_expected(tmp_path):
    shared = [case(name, "d1") for name in ("same", "lost", "won")]
    golden = dataset(*shared, case("reworded", "d1"), case("gone", "d1"))
    other = dataset(*shared, case("reworded", "d1", question="In other words?"), case("new", "d1"))

    def failing(*names):
        def search(question, k):
            if question.removesuffix("?") in names:
                raise RuntimeError("down")
            return ["d1"] if question != "same?" or "won" in names else ["d2"]

        return search

    first = finished(tmp_path / "a", golden, failing("won"))
    second = finished(tmp_path / "b", other, failing("lost"))
    found = pairs(first, second, "coverage@2")
    assert found.frame.rows() == [("same", None, 1.0, 1.0, 1.0, 0.0, 0.0)]
    assert (found.left, found.entered) == (("lost",), ("won",))
    assert (found.changed, found.absent) == (("reworded",), ("gone",))
    assert pairs(first, first, "coverage@2").frame["case_id"].to_list() == ["same", "lost", "reworded", "gone"]


def test_repeats_are_averaged_within_the_case(tmp_path):
    answers = iter([["d1"], ["d2"]] * 2)
    golden = dataset(case("q", "d1"))
    run = finished(tmp_path, golden, lambda question, k: next(answers), repeat=2, concurrency=1)
    (row,) = pairs(run, run, "coverage@2").frame.iter_rows(named=True)
    assert (row["low"], row["other_high"]) == (0.5, 0.5)
