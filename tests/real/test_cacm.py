import gzip
import json
import re
from collections import defaultdict

import pytest
from tests.shared_data import shared

from ragvet.dataset import check_files


@pytest.fixture(scope="module")
def checked(tmp_path_factory):
    """CACM's topics and qrels as a golden set, checked against its documents."""
    data, folder = shared("anserini-cacm"), tmp_path_factory.mktemp("cacm")
    gold = defaultdict(list)
    for line in (data / "qrels.cacm.txt").read_text("utf-8").splitlines():
        topic, _, doc_id, grade = line.split()
        gold[topic].append({"doc_id": doc_id, "grade": int(grade)})
    topics = re.findall(
        r"<DOCNO>\s*(\d+)\s*</DOCNO>(.*?)</DOC>", (data / "topics.cacm.txt").read_text("utf-8"), flags=re.DOTALL
    )
    cases = [
        {
            "id": topic,
            "question": " ".join(text.split()),
            "category": "cacm",
            "expected_behaviour": "answer",
            "reference_passages": gold[topic],
        }
        for topic, text in topics
        if gold[topic]
    ]
    assert len(cases) == 52
    (folder / "golden.json").write_text(json.dumps({"judgments": "listed", "cases": cases}))
    with gzip.open(data / "derived" / "corpus.jsonl.gz", "rt", encoding="utf-8") as file:
        documents = [json.loads(line) for line in file]
    known = {document["id"] for document in documents}
    lines = [json.dumps({"doc_id": document["id"], "text": document["text"]}) for document in documents]
    (folder / "corpus.jsonl").write_text("\n".join(lines))
    dangling = {passage["doc_id"] for passages in gold.values() for passage in passages} - known
    return check_files(folder / "golden.json", folder / "corpus.jsonl"), dangling


def test_exactly_the_dangling_gold_ids_are_found_and_the_padded_id_is_suggested(checked):
    found, dangling = checked
    assert len(dangling) == 46
    named = {}
    for finding in found.errors:
        assert finding.kind == "unknown document"
        unknown = re.match(r"the document '([^']+)'", finding.problem.found)[1]
        named[unknown] = re.fullmatch(r"Did you mean '([^']+)'\?", finding.problem.action)[1]
    assert set(named) == dangling
    assert named == {unknown: f"CACM-{int(unknown.removeprefix('CACM-')):04}" for unknown in dangling}


def test_the_rest_of_the_collection_is_sound(checked):
    found, _ = checked
    assert found.dataset.cases == 52
    assert found.corpus.documents == 3_204
    assert "stale annotation" not in {finding.kind for finding in found.findings}
