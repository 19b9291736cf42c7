from tests.metrics.answers.make import bounds, case, measure, reason, value

from ragvet.metrics.answers import REGISTRY

FIELDS = {"/invoice/total": 12.5, "currency": "EUR", "/lines/0/item": "café", "paid": True}
ASKED = case(output_contract={"fields": FIELDS})
SEEN, UNSEEN = {"p1": 1, "p2": 0, "p3": 0}, {"p1": 0, "p2": 0, "p3": 0}


def found(text, evidence=SEEN):
    return measure("field_missing", asked=ASKED, answer={"text": text}, evidence=evidence)


def test_field_missing_by_hand():
    # total agrees (12.50 is 12.5), currency is wrong, the item is not there, paid is null: with evidence at hand
    # 1 agrees, 1 contradicts, 2 are missing, 0 unavailable; without it the two are unavailable and not missing.
    text = '{"invoice": {"total": 12.50}, "currency": "USD", "lines": [], "paid": null}'
    assert value(found(text)) == 2 / 4
    assert value(found(text, UNSEEN)) == 0 / 4


def test_a_check_that_did_not_run_is_no_pass():
    assert reason(found("oops")) == "the answer is not JSON"
    assert reason(found(" ")) == "the answer is blank"


def test_only_cases_that_list_fields_are_eligible():
    assert REGISTRY["field_missing"].applies(ASKED)
    assert not REGISTRY["field_missing"].applies(case(output_contract={"json_schema": {}}))


def test_unjudged_chunks_leave_open_whether_a_field_was_missing_or_unavailable():
    assert bounds(found('{"currency": "EUR"}', {})) == (0.0, 0.75)
