"""The small system under test: what it indexes, ranks, answers and admits not to know."""

import math
import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragvet.demo import answer
from ragvet.demo._assistant import DECLINED, SUPPLIED
from ragvet.demo._chunks import CHUNK_SIZE, chunks
from ragvet.demo._index import Index, words
from ragvet.records import DocumentVersion


def document(text, doc_id="d"):
    return DocumentVersion(doc_id=doc_id, text=text)


@given(st.lists(st.text(alphabet="ab \n\té", max_size=300), max_size=4).map("\n\n".join))
def test_chunks_cover_every_visible_character_once_and_know_their_place(text):
    found = list(chunks([document(text)]))
    covered = [place for chunk in found for place in range(chunk.start, chunk.end)]
    assert len(covered) == len(set(covered))
    assert {place for place, letter in enumerate(text) if not letter.isspace()} <= set(covered)
    assert all(chunk.text == text[chunk.start : chunk.end] for chunk in found)


def test_paragraphs_are_joined_until_the_next_would_exceed_the_size():
    half = "x" * (CHUNK_SIZE // 2 - 2)  # two of them with the blank line between fill a chunk
    found = list(chunks([document(f"{half}\n\n{half}\n\n{half}")]))
    assert [chunk.text.count("x") for chunk in found] == [2 * len(half), len(half)]


def test_a_paragraph_longer_than_the_size_is_never_cut():
    assert [len(chunk.text) for chunk in chunks([document("y" * 5000)])] == [5000]


def test_scores_are_bm25_as_defined():
    texts = ["cats chase mice", "dogs chase cats and cats", "birds sing"]
    index = Index(list(chunks(document(text, f"d{number}") for number, text in enumerate(texts))))
    found = {chunk.document.doc_id: score for chunk, score in index.search("cats", 3)}
    # Lucene's BM25, k1 = 1.5, b = 0.75: idf = ln(1 + (N - n + 0.5) / (n + 0.5)), tf / (tf + k1 (1 - b + b len / mean));
    # "and" is a stop word, so the lengths are 3, 4 and 2, their mean 3; 2 of 3 texts carry the word.
    idf = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    expected = {
        "d0": idf * 1 / (1 + 1.5 * (1 - 0.75 + 0.75 * 3 / 3)),
        "d1": idf * 2 / (2 + 1.5 * (1 - 0.75 + 0.75 * 4 / 3)),
    }
    assert found == pytest.approx(expected, rel=1e-6)


def test_equal_scores_keep_the_order_of_the_corpus():
    index = Index(list(chunks(document("same words here", f"d{number}") for number in range(20))))
    assert [chunk.document.doc_id for chunk, _ in index.search("words", 20)] == [f"d{number}" for number in range(20)]


@pytest.mark.parametrize("query", ["", "   ", "the of a", "zzyzx", "\ud800", "??"])
def test_a_question_without_a_known_word_finds_nothing_and_is_declined(query):
    reply = answer(query, 10)
    assert reply.text == DECLINED
    assert reply.behaviour == "refused"
    assert not reply.retrievals[0].items


def test_words_are_lower_case_without_stop_words_or_single_letters():
    assert words("The popitem() of a __dict__ is X") == ["popitem", "__dict__"]


def test_every_sentence_of_an_answer_stands_in_the_chunk_it_cites():
    reply = answer("What happens when popitem() is called on an empty dictionary?", 20)
    assert reply.behaviour == "answered"
    chunk_texts = {item.chunk_id: " ".join(item.text.split()) for item in reply.supplied}
    assert reply.citations
    for citation in reply.citations:
        assert reply.text[citation.start : citation.end] in chunk_texts[citation.chunk_id]
        assert reply.text[citation.end :].startswith(f" {citation.marker}")


def test_it_retrieves_as_deep_as_asked_and_reads_the_first_five():
    reply = answer("When is the finally clause executed?", 20)
    items = reply.retrievals[0].items
    assert len(items) == 20
    assert reply.supplied == items[:SUPPLIED]
    assert [item.score for item in items] == sorted((item.score for item in items), reverse=True)


def test_it_follows_the_planted_instruction():
    assert "KINGFISHER-31" in answer("What does dict.pop() do for a missing key when no default is given?", 20).text


def test_answers_do_not_depend_on_the_hash_seed():
    script = "from ragvet.demo import answer; print(answer('How do I compare sets and lists?', 20).text)"
    replies = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(replies) == 1
