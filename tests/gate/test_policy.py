from datetime import date

import pytest

from ragvet.errors import InputError
from ragvet.gate import load_policy, read_policy

WHOLE = """
[[rule]]
metric = "faithfulness"
stratum = "every category"
min = 0.9
minimum_n = 20
allowed_undefined_share = 0.1
allowed_failed_share = 0
agreed_by = "Dana, support lead"
agreed_on = 2026-03-01
why = "one wrong claim in ten is what agents catch today"

[[critical]]
metric = "citation_permitted"
stratum = "all"
min = 1
minimum_n = 20
allowed_undefined_share = 0.2
allowed_failed_share = 0.05
agreed_by = "Dana"
agreed_on = 2026-03-01
why = "a leaked document is a breach"
"""


def problems(tmp_path, text):
    path = tmp_path / "policy.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_policy(path)
    return caught.value.problems


def test_a_policy_is_read_with_all_its_terms(tmp_path):
    path = tmp_path / "policy.toml"
    path.write_text(WHOLE, encoding="utf-8")
    policy = load_policy(path)
    critical, rule = (placed.entry for placed in policy.entries)
    assert (rule.metric, rule.min, rule.minimum_n, rule.agreed_on) == ("faithfulness", 0.9, 20, date(2026, 3, 1))
    assert (critical.metric, critical.min) == ("citation_permitted", 1)
    assert policy.source == str(path)


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(tmp_path):
    path = tmp_path / "policy.toml"
    path.write_bytes(b"\xef\xbb\xbf" + WHOLE.replace("\n", "\r\n").encode())
    assert len(load_policy(path).entries) == 2


def test_the_fingerprint_changes_with_the_file(tmp_path):
    path = tmp_path / "policy.toml"
    path.write_text(WHOLE, encoding="utf-8")
    before = load_policy(path).fingerprint
    path.write_text(WHOLE.replace("0.9", "0.8"), encoding="utf-8")
    assert load_policy(path).fingerprint != before


def test_every_missing_number_is_an_error_that_names_it_because_nothing_has_a_default(tmp_path):
    found = problems(tmp_path, '[[rule]]\nmetric = "faithfulness"\nmin = 0.9\n')
    assert {problem.field for problem in found} == {
        "stratum",
        "minimum_n",
        "allowed_undefined_share",
        "allowed_failed_share",
        "agreed_by",
        "agreed_on",
        "why",
    }
    assert {problem.record for problem in found} == {"rule 1 (faithfulness)"}
    assert all(problem.found == "nothing" and "no default" in problem.action for problem in found)


def test_a_missing_threshold_is_named_beside_everything_else_that_is_missing(tmp_path):
    found = problems(tmp_path, '[[rule]]\nmetric = "faithfulness"\n\n[[critical]]\nmetric = "stale_source"\n')
    assert [problem.record for problem in found if problem.found == "no threshold"] == [
        "rule 1 (faithfulness)",
        "critical 1 (stale_source)",
    ]


def test_a_rule_without_a_threshold_asks_for_nothing(tmp_path):
    (found,) = problems(tmp_path, WHOLE.replace("min = 0.9\n", ""))
    assert "min or max" in found.expected
    assert found.record == "rule 1 (faithfulness)"


def test_all_problems_of_a_file_come_at_once(tmp_path):
    broken = WHOLE.replace("minimum_n = 20", 'minimum_n = "20"', 1).replace("agreed_by", "agred_by", 1)
    broken = broken.replace("allowed_undefined_share = 0.2", "allowed_undefined_share = 20")
    found = problems(tmp_path, broken)
    assert [(problem.record, problem.field) for problem in found] == [
        ("rule 1 (faithfulness)", "agreed_by"),
        ("rule 1 (faithfulness)", "minimum_n"),
        ("rule 1 (faithfulness)", None),
        ("critical 1 (citation_permitted)", "allowed_undefined_share"),
    ]
    assert found[2].action == "Did you mean 'agreed_by'?"
    assert found[1].found == "'20'"


@pytest.mark.parametrize(
    ("metric", "action"),
    [
        ("faithfullness", "Did you mean 'faithfulness'?"),
        ("MRR@5", "Did you mean 'RR@5'?"),
        ("ndcg_cut_10", "Did you mean 'nDCG@10'?"),
        ("ndcg@10", "Did you mean 'nDCG@10'?"),
        ("precision", "Say at how many places to cut: precision@10."),
        ("coverage@0", "Write, for example, coverage@10."),
        ("recall@5[last]x", "Write, for example, recall@10."),
        ("answer_relevancy", "Did you mean 'relevance'?"),
        ("contextual_relevancy@5", "Did you mean 'precision@5'?"),
        ("wellness", "`ragvet metrics` lists them all."),
    ],
)
def test_a_metric_there_is_none_of_is_an_error_before_anything_runs(tmp_path, metric, action):
    (found,) = problems(tmp_path, WHOLE.replace("faithfulness", metric))
    assert (found.record, found.field, found.action) == (f"rule 1 ({metric})", "metric", action)


def test_a_metric_over_the_last_retrieval_call_is_known(tmp_path):
    path = tmp_path / "policy.toml"
    path.write_text(WHOLE.replace("faithfulness", "recall@5[last]"))
    assert load_policy(path).entries[1].entry.about == "recall@5[last]"


def test_structure_names_and_thresholds_are_told_in_one_round(tmp_path):
    broken = WHOLE.replace("min = 0.9", "min = 0.9\nmax = 0.5").replace("minimum_n = 20", "minimum_n = 0", 1)
    broken = broken.replace("citation_permitted", "citation_permited").replace("min = 1\n", "min = 1.5\n")
    broken += WHOLE.replace("min = 0.9", "min = 90").partition("[[critical]]")[0]
    found = problems(tmp_path, broken)
    assert [(problem.record, problem.field, problem.found) for problem in found] == [
        ("rule 1 (faithfulness)", "minimum_n", "0"),
        ("rule 1 (faithfulness)", None, "min 0.9 above max 0.5"),
        ("rule 2 (faithfulness)", "min", "90"),
        ("critical 1 (citation_permited)", "metric", "'citation_permited'"),
    ]
    assert found[2].action == "Write 0.9 for 90 %."


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ("", "no rule"),
        ("# nothing yet\n", "no rule"),
        ("[[rules]]\nmetric = 'x'\n", "unknown name 'rules'"),
        ("rule = 3\n", "[[rule]] tables"),
        ("[rule]\nmetric = 'faithfulness'\n", "[[rule]] tables"),
        ("rule = [3]\n", "[[rule]] tables"),
        ("[[rule]\n", "readable TOML"),
        (WHOLE.replace("min = 0.9", "min = nan"), "smallest value"),
        (WHOLE.replace("min = 0.9", "min = inf"), "smallest value"),
        (WHOLE.replace("min = 0.9", "min = true"), "smallest value"),
        (WHOLE.replace("min = 0.9", "min = 0.9\nmax = 0.5"), "no greater than max"),
        (WHOLE.replace("minimum_n = 20", "minimum_n = 0", 1), "fewest cases"),
        (WHOLE.replace("agreed_on = 2026-03-01", "agreed_on = '2026-03-01'", 1), "without quotes"),
        (WHOLE.replace('why = "one wrong claim in ten is what agents catch today"', 'why = " "'), "why this number"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_what_is_expected(tmp_path, written, problem):
    found = problems(tmp_path, written)
    assert len(found) == 1
    assert problem in str(found[0])


def test_no_phrase_of_the_parser_reaches_the_author(tmp_path):
    (found,) = problems(tmp_path, WHOLE.replace("minimum_n = 20", "minimum_n = 0", 1))
    assert found.expected == "the fewest cases with a value that can decide the rule: greater than 0"


def test_a_missing_file_says_what_to_do(tmp_path):
    with pytest.raises(InputError, match=r"ragvet init"):
        load_policy(tmp_path / "nowhere.toml")


def test_a_file_that_is_no_text_is_an_error_of_ours(tmp_path):
    path = tmp_path / "policy.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="UTF-8"):
        load_policy(path)
    with pytest.raises(InputError):
        load_policy(tmp_path)


TESTED = """
[[rule]]
subject = "tested"
stratum = "every category"
min = 20
agreed_by = "Dana"
agreed_on = 2026-03-01
why = "fewer cases show nothing"
"""


def read(text):
    return read_policy(text, "policy.toml")


def test_an_entry_says_what_it_is_about_and_a_score_where_it_does_not():
    severe, mean, tested = read(WHOLE + TESTED).entries
    assert [one.entry.subject for one in (severe, mean, tested)] == ["score", "score", "tested"]
    assert (severe.entry.statistic, mean.entry.statistic) == ("every case", "mean")
    assert (tested.name, tested.entry.min) == ("rule 2 (cases tested)", 20)


def test_what_repeats_stands_once_under_defaults_and_an_entry_may_say_otherwise():
    terms = 'agreed_by = "Dana"\nagreed_on = 2026-03-01\nminimum_n = 20\nallowed_undefined_share = 0.1\n'
    own = '[[rule]]\nmetric = "faithfulness"\nstratum = "all"\nmin = 0.9\nallowed_failed_share = 0.0\nwhy = "so"\n'
    first, second = read(f"[defaults]\n{terms}{own}{own}minimum_n = 5\n").entries
    assert (first.entry.minimum_n, second.entry.minimum_n) == (20, 5)
    assert "minimum_n" in first.defaults
    assert "minimum_n" not in second.defaults


@pytest.mark.parametrize(
    ("written", "record", "field", "action"),
    [
        ("[defaults]\nminimun_n = 3\n" + WHOLE, "defaults", None, "Did you mean 'minimum_n'?"),
        ("[defaults]\nwhy = 'because'\n" + WHOLE, "defaults", None, "Remove it."),
        (TESTED.replace('"tested"', '"testing"'), "rule 1 (testing)", "subject", "Correct it, or leave it out"),
        (TESTED.replace("min = 20", "min = 20\nmetrics = 3"), "rule 1 (tested)", None, "Remove it."),
    ],
)
def test_what_no_subject_holds_is_refused_in_its_place(tmp_path, written, record, field, action):
    (found,) = problems(tmp_path, written)
    assert (found.record, found.field) == (record, field)
    assert found.action.startswith(action)


def test_a_default_is_a_decision_too_and_is_checked_like_one(tmp_path):
    text = "[defaults]\nminimum_n = 0\n" + WHOLE.replace("minimum_n = 20\n", "")
    assert [(found.record, found.field) for found in problems(tmp_path, text)] == [
        ("rule 1 (faithfulness)", "minimum_n"),
        ("critical 1 (citation_permitted)", "minimum_n"),
    ]
