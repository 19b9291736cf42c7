import json
import textwrap

import pytest
from tests.runs.make import case, dataset, finished

from ragvet.errors import InputError
from ragvet.runs import config_of, load_config, plan, run

GOOD = """
seed = 7
[dataset]
path = "golden.json"
judgments = "listed"
[target]
python = "app.rag:answer"
repeat = 3
[retrieval]
supplied_k = 5
deep_k = 50
metrics = ["nDCG@20"]
[judge]
kind = "offline"
[[answers.validated]]
metric = "faithfulness"
min = 1.0
"""


def written(tmp_path, text, name="ragvet.toml"):
    path = tmp_path / name
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    return path


def problems(tmp_path, text):
    with pytest.raises(InputError) as caught:
        load_config(written(tmp_path, text))
    return {problem.field: str(problem) for problem in caught.value.problems}


def test_a_configuration_is_read_and_its_paths_are_taken_from_its_folder(tmp_path):
    config = load_config(written(tmp_path, GOOD))
    assert (config.seed, config.target.repeat, config.retrieval.metrics) == (7, 3, ("nDCG@20",))
    assert config.dataset.path == str(tmp_path / "golden.json")
    assert config.answers.validated[0].metric == "faithfulness"


def test_every_fault_is_named_at_once_with_the_nearest_right_name(tmp_path):
    found = problems(
        tmp_path,
        """
        [dataset]
        path = 7
        [target]
        pyton = "app:answer"
        concurency = 4
        deadline = -1
        [retrieval]
        supplied_k = 5
        [judge]
        kind = "offlien"
        [retreival]
        """,
    )
    assert "'python'" in found["target.pyton"]
    assert "'concurrency'" in found["target.concurency"]
    assert "'retrieval'" in found["retreival"]
    assert {"dataset.path", "target.deadline", "retrieval.deep_k"} <= set(found)
    assert any(field and field.startswith("judge") for field in found)
    assert all("ragvet.toml" in text for text in found.values())


def test_both_depths_must_be_said_and_in_the_right_order(tmp_path):
    without = GOOD.replace("supplied_k = 5", "").replace("deep_k = 50", "")
    assert {"retrieval.supplied_k", "retrieval.deep_k"} <= set(problems(tmp_path, without))
    assert "smaller" in problems(tmp_path, GOOD.replace("deep_k = 50", "deep_k = 3"))["retrieval"]


def test_a_missing_table_is_told_what_to_hold(tmp_path):
    found = problems(tmp_path, '[dataset]\npath = "golden.json"')
    assert "supplied_k" in found["retrieval"]
    assert "recorded" in found["target"]


def test_exactly_one_kind_of_target_is_needed(tmp_path):
    both = GOOD.replace('python = "app.rag:answer"', 'python = "a:b"\nrecorded = "t.jsonl"')
    assert "exactly one" in problems(tmp_path, both)["target"]
    assert "exactly one" in problems(tmp_path, GOOD.replace('python = "app.rag:answer"', ""))["target"]


def test_a_missing_file_bad_toml_and_a_byte_order_mark(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        load_config(tmp_path / "none.toml")
    with pytest.raises(InputError, match="TOML"):
        load_config(written(tmp_path, "[dataset\n"))
    path = tmp_path / "bom.toml"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    assert load_config(path).seed == 7


def test_what_a_plan_lacks_is_said_before_the_target_is_called(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = GOOD.replace('"nDCG@20"', '"nDGC@20"').replace('"faithfulness"', '"faithfullness"')
    config = load_config(written(tmp_path, text.replace("app.rag:answer", "no_such_module:answer")))
    with pytest.raises(InputError) as caught:
        plan(config)
    text = "\n".join(map(str, caught.value.problems))
    for named in ("nDGC", "'faithfulness'", "golden.json", "no_such_module"):
        assert named in text


def test_a_secret_header_stands_in_the_manifest_only_as_the_name_of_its_variable(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SHOP_TOKEN", "s3cret-value")
    (tmp_path / "golden.json").write_text(json.dumps({"judgments": "listed", "cases": [case("q", "d")]}))
    config = load_config(
        written(
            tmp_path,
            """
            [dataset]
            path = "golden.json"
            [target]
            retries = 0
            http = { url = "http://127.0.0.1:9/ask", headers = { Authorization = "SHOP_TOKEN" } }
            [retrieval]
            supplied_k = 1
            deep_k = 2
            """,
        )
    )
    done = run(config, runs=tmp_path / "runs")
    assert done.manifest.counts.failed == {"TargetError": 1}
    held = b"".join(path.read_bytes() for path in done.folder.iterdir() if path.is_file())
    assert b"s3cret-value" not in held
    assert b"SHOP_TOKEN" in held
    assert config_of(done.folder) == config


def test_a_run_started_from_python_has_no_configuration_to_go_on_with(tmp_path):
    done = finished(tmp_path, dataset(case("q", "d")), lambda question, k: ["d"])
    with pytest.raises(InputError, match=done.id):
        config_of(done.folder)


PANEL = """
[dataset]
path = "g.json"
[target]
python = "a:b"
[retrieval]
supplied_k = 1
deep_k = 2
[judge]
kind = "panel"
members = [{ kind = "human", labels = "a.jsonl" },{ kind = "model", model = "m", base_url = "http://x", prompts = "p" }]
"""


def test_paths_of_a_judge_are_taken_from_the_folder_of_the_configuration(tmp_path):
    path = tmp_path / "ragvet.toml"
    path.write_text(PANEL, encoding="utf-8")
    human, model = load_config(path).judge.members
    assert (human.labels, model.prompts) == (tmp_path / "a.jsonl", tmp_path / "p")


def test_the_kind_of_a_table_is_told_apart_from_its_fields(tmp_path):
    def told(judge):
        path = tmp_path / "ragvet.toml"
        path.write_text(
            f'[dataset]\npath = "g.json"\n[target]\npython = "a:b"\n[retrieval]\nsupplied_k = 1\ndeep_k = 1\n{judge}'
        )
        with pytest.raises(InputError) as caught:
            load_config(path)
        (problem,) = caught.value.problems
        return problem.field, problem.found, problem.action

    assert told('[judge]\nkind = "modell"\n') == ("judge.kind", "'modell'", "Did you mean 'model'?")
    assert told('[judge]\nmodel = "x"\n') == ("judge", "no 'kind'", "Add it.")
    wrong = told('[judge]\nkind = "model"\nmodel = "x"\nbase_url = "http://localhost"\ntemprature = 0\n')
    assert wrong == ("judge.temprature", "a field with this name", "Rename it.")


@pytest.mark.parametrize(("asked", "refused"), [("", False), ("repeat = 2", False), ("repeat = 3", True)])
def test_a_number_of_repeats_that_recorded_answers_do_not_hold_is_refused(tmp_path, asked, refused):
    (tmp_path / "golden.json").write_text(json.dumps([case("q", "d")]))
    lines = [{"case": "q", "repeat": number, "answer": {"text": "yes"}} for number in range(2)]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    config = load_config(
        written(
            tmp_path,
            GOOD.replace("repeat = 3", asked).replace('python = "app.rag:answer"', 'recorded = "answers.jsonl"'),
        )
    )
    if not refused:
        assert plan(config, runs=tmp_path / "runs").repeat == 2
        return
    with pytest.raises(InputError, match=r"found 3.*2, as .*answers\.jsonl holds"):
        plan(config, runs=tmp_path / "runs")
