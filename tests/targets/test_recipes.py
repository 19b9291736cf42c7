"""The functions docs/targets.md shows for other libraries, over objects with the fields of theirs."""

import asyncio
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from ragvet.records import Case
from ragvet.targets import PythonTarget

PAGE = (Path(__file__).parents[2] / "docs" / "targets.md").read_text("utf-8")
CASE = Case(id="q", question="How long?", category="c", expected_behaviour="refuse")


class Store:
    def similarity_search_with_score(self, query, k=4):
        document = SimpleNamespace(id="c1", metadata={"source": "terms"}, page_content="Thirty days.")
        return [(document, 0.5)][:k]


class Index:
    def as_retriever(self, similarity_top_k):
        return self

    def retrieve(self, text):
        return [SimpleNamespace(node_id="c1", node=SimpleNamespace(ref_doc_id="terms"), text="Thirty days.", score=0.5)]


@pytest.mark.parametrize(
    ("file", "given"), [("from_langchain", {"store": Store()}), ("from_llama_index", {"index": Index()})]
)
def test_what_other_libraries_find_becomes_items_with_document_and_text(file, given):
    code = re.search(rf"```python\n# {file}\.py\n(.*?)```", PAGE, re.DOTALL)
    exec(code[1], given)  # noqa: S102 - our own page
    answer = asyncio.run(PythonTarget(given["search"], name=file, retriever=True).answer(CASE, 3))
    (item,) = answer.retrievals[0].items
    assert (item.chunk_id, item.doc_id, item.text, item.score) == ("c1", "terms", "Thirty days.", 0.5)
