"""What two runs were made of differently."""

from tests.runs.make import case, corpus, dataset, finished

from ragvet.runs import difference
from ragvet.runs._project import code_fingerprint


def answering(**versions):
    return lambda question, k: {"text": "so", "retrieved": ["d"], "versions": versions}


def test_a_run_is_no_different_from_itself(tmp_path):
    run = finished(tmp_path, dataset(case("q", "d")), answering(prompt="v1"))
    assert difference(run.manifest, run.manifest) == []


def test_what_changed_is_told_by_name_with_both_values(tmp_path):
    first = finished(tmp_path / "a", dataset(case("q", "d")), answering(prompt="v1", index="i"))
    second = finished(
        tmp_path / "b", dataset(case("q", "d")), answering(prompt="v2"), depths=(1, 4), documents=corpus("d")
    )
    assert first.manifest.components == {"index": {"i": 1}, "prompt": {"v1": 1}}
    found = {one.what: one for one in difference(first.manifest, second.manifest)}
    assert (found["components.prompt"].before, found["components.prompt"].after) == (["v1"], ["v2"])
    assert (found["supplied_k"].before, found["supplied_k"].after) == (2, 1)
    assert found["config.retrieval.supplied_k"].known
    assert "dataset" not in found
    # what one of them did not say is not known to have changed
    assert not found["components.index"].known
    assert not found["corpus"].known


def test_the_rules_of_the_policy_in_force_are_compared_one_by_one(tmp_path):
    run = finished(tmp_path, dataset(case("q", "d")), answering())
    before = run.manifest.model_copy(update={"policy": {"rule": [{"metric": "coverage@5", "min": 0.9}]}})
    after = run.manifest.model_copy(update={"policy": {"rule": [{"metric": "coverage@5", "min": 0.8}]}})
    (one,) = difference(before, after)
    assert (one.what, one.before[0]["min"], one.after[0]["min"]) == ("policy.rule", 0.9, 0.8)


def test_code_is_known_by_its_content_committed_or_not(tmp_path):
    assert code_fingerprint(tmp_path) is None
    (tmp_path / "app.py").write_text("A = 1\n")
    first = code_fingerprint(tmp_path)
    for beside in ("docs/x.py", ".ragvet/runs/y.py", "venv/z.py"):
        path = tmp_path / beside
        path.parent.mkdir(parents=True)
        path.write_text("B = 1\n")
    (tmp_path / "venv" / "pyvenv.cfg").touch()
    (tmp_path / "notes.md").touch()
    assert code_fingerprint(tmp_path) == first
    (tmp_path / "app.py").write_text("A = 2\n")
    assert code_fingerprint(tmp_path) not in {None, first}
