from __future__ import annotations

import pytest
from tests.judging.llm.material import case, judge_for, verdicts_of
from tests.judging.llm.scripted_server import serving

from ragvet.errors import InputError
from ragvet.judging.llm._prompts import EXAMPLES, NAMES, load_prompts
from ragvet.judging.llm._replies import FIELDS, reply_schema


def test_every_topic_has_a_prompt_that_names_its_field_of_the_reply():
    prompts = load_prompts()
    for topic, (field, _) in FIELDS.items():
        assert f"`{field}`" in prompts.texts[topic]


def test_every_packaged_prompt_states_its_version_and_does_not_send_it():
    prompts = load_prompts()
    assert set(prompts.texts) == set(NAMES) - {EXAMPLES}
    assert all(version.isdigit() for version in prompts.versions.values())
    assert not any("<!--" in text for text in prompts.texts.values())


def test_a_language_file_wins_over_a_general_one_and_that_over_the_package(tmp_path):
    (tmp_path / "de").mkdir()
    (tmp_path / "rubric.md").write_text("for all", encoding="utf-8")
    (tmp_path / "de" / "rubric.md").write_text("\ufefffür Deutsch\r\n", encoding="utf-8")
    assert load_prompts("de", tmp_path).texts["rubric"] == "für Deutsch"
    assert load_prompts("fr", tmp_path).texts["rubric"] == "for all"
    assert load_prompts("fr", tmp_path).texts["rules"] == load_prompts().texts["rules"]


def test_examples_are_part_of_every_request(tmp_path):
    (tmp_path / "examples.md").write_text("An example.", encoding="utf-8")
    assert "An example." in load_prompts("en", tmp_path).system(("claims",))


@pytest.mark.parametrize(
    ("name", "content", "found"),
    [
        ("suport.md", b"x", "a file that is no prompt"),
        ("support.md", b" \n", "an empty file"),
        ("support.md", b"<!-- version: 2 -->\n", "an empty file"),
        ("support.md", b"\xff\xfe\x00", "utf-8"),
    ],
)
def test_a_prompt_file_that_cannot_be_used_is_named(tmp_path, name, content, found):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=found) as failure:
        load_prompts("en", tmp_path)
    assert name in str(failure.value)


def test_a_folder_that_is_not_there_is_an_input_error(tmp_path):
    with pytest.raises(InputError, match="folder of prompt files"):
        load_prompts("en", tmp_path / "nowhere")


@pytest.mark.parametrize("topics", [("claims", "behaviour"), ("support", "conflicts"), tuple(FIELDS)])
def test_schemas_are_such_as_strict_servers_demand(topics):
    schema = reply_schema(topics)

    def objects(node):
        if isinstance(node, dict):
            if node.get("type") == "object":
                yield node
            for value in node.values():
                yield from objects(value)
        elif isinstance(node, list):
            for value in node:
                yield from objects(value)

    found = list(objects(schema))
    assert found
    for node in found:
        assert node["additionalProperties"] is False
        assert sorted(node["required"]) == sorted(node["properties"])
        assert "title" not in node


def test_examples_that_hold_a_golden_case_are_refused(tmp_path):
    (tmp_path / "examples.md").write_text("Request: WHEN do refunds  arrive? Answer: …", encoding="utf-8")
    with serving() as server:
        with pytest.raises(InputError, match="question of golden case 1"):
            verdicts_of(judge_for(server, prompts=tmp_path), case(question="When do refunds arrive?"))
        verdicts_of(judge_for(server, prompts=tmp_path), case(question="When is the office open on Fridays?"))


def test_the_rubric_and_language_of_a_project_are_sent(tmp_path):
    (tmp_path / "de").mkdir()
    (tmp_path / "de" / "rubric.md").write_text("<!-- version: 7 -->\nSei streng.", encoding="utf-8")
    with serving() as server:
        verdicts_of(judge_for(server, prompts=tmp_path, language="de"))
    assert all("Sei streng." in body["messages"][0]["content"] for body in server.bodies)
