"""The floors of docs/offline-judge.md, on the half of each public data set that was never tuned on."""

import importlib
import sys
from pathlib import Path

import pytest
from tests.shared_data import shared

from ragvet.judging.local import OfflineJudge

SCRIPTS = Path(__file__).parents[3] / "scripts"


@pytest.fixture(scope="module")
def measured():
    folders = [shared(name) for name in ("wice", "begin", "mtrag")]
    sys.path.insert(0, str(SCRIPTS))
    try:
        data, script = (importlib.import_module(name) for name in ("offline_judge_data", "measure_offline_judge"))
    finally:
        sys.path.remove(str(SCRIPTS))
    items = [item for item in data.load(folders[0].parent) if item.held_out]
    rows = script.measure(script.judge_all(items, OfflineJudge()))
    return {(row.dataset, row.unit): row for row in rows}


@pytest.mark.parametrize("row", [("wice", "texts"), ("begin", "texts"), ("mtrag", "claims")])
def test_what_is_called_supported_or_unsupported_is(measured, row):
    supported, unsupported = measured[row].precision("supported"), measured[row].precision("unsupported")
    assert supported is not None
    assert unsupported is not None
    assert supported[0] >= 0.95
    assert unsupported[0] >= 0.90


@pytest.mark.parametrize(
    ("row", "floor"), [(("wice", "texts"), 0.80), (("begin", "texts"), 0.95), (("mtrag", "answers"), 0.90)]
)
def test_the_support_score_ranks_unsupported_texts_low(measured, row, floor):
    assert measured[row].auc >= floor


def test_a_worthwhile_share_is_decided(measured):
    for row, least in ((("wice", "texts"), 0.25), (("begin", "texts"), 0.42), (("mtrag", "claims"), 0.25)):
        decided = sum(called for _, called in measured[row].decided.values()) / measured[row].items
        assert decided >= least
