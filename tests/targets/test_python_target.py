import asyncio
import functools
import itertools
import threading

import pytest

from ragvet.errors import InputError, TargetError, TargetReplyInvalid
from ragvet.records import Answer, Case, Identity, Passage, RetrievalCall, RetrievedItem, Turn
from ragvet.targets import PythonTarget, import_callable

CASE = Case(
    id="q1",
    question="Who?",
    category="a",
    expected_behaviour="answer",
    reference_passages=(Passage(doc_id="d"),),
    identity=Identity(id="ann"),
    history=(Turn(role="user", content="Hello"),),
)


def ask(function, *, k=3, retriever=False):
    async def main():
        target = PythonTarget(function, retriever=retriever)
        try:
            return await target.answer(CASE, k)
        finally:
            await target.close()

    return asyncio.run(main())


def ranked(answer):
    return [(item.chunk_id, item.score) for call in answer.retrievals for item in call.items]


def recording(given):
    """Functions of many signatures; each notes what it was passed."""

    def both(question, k):
        given.append((question, k))
        return []

    def other_names(query, top_k):
        given.append((query, top_k))
        return []

    def positional_only(text, depth, /):
        given.append((text, depth))
        return []

    def starred(*arguments):
        given.append(arguments)
        return []

    def keywords(*, k, question):
        given.append((question, k))
        return []

    def with_default(question, k=7, *, verbose=False):
        given.append((question, k))
        return []

    return [both, other_names, positional_only, starred, keywords, with_default]


@pytest.mark.parametrize("index", range(6))
def test_question_and_k_are_passed_whatever_the_callable_names_them(index):
    given = []
    ask(recording(given)[index])
    assert given == [("Who?", 3)]


def test_identity_history_and_case_are_passed_only_where_the_signature_takes_them():
    def system(question, identity, history, case):
        return {"text": f"{question} {identity.id} {history[0].content} {case.id}"}

    assert ask(system).text == "Who? ann Hello q1"
    assert ask(lambda case: {"text": case.id}).text == "q1"
    assert ask(lambda question: {"text": question}).text == "Who?"


def test_an_argument_nobody_can_fill_is_named_before_anything_runs():
    with pytest.raises(InputError, match="tenant"):
        PythonTarget(lambda question, k, tenant: [])
    with pytest.raises(InputError, match="the question"):
        PythonTarget(lambda: [])  # noqa: PIE807 - a callable without arguments is the point
    with pytest.raises(InputError, match="a class"):
        PythonTarget(dict)


def test_async_callables_partials_and_objects_are_called_natively():
    async def search(question, k):
        await asyncio.sleep(0)
        return [question]

    class System:
        async def __call__(self, question, k):
            return [f"object {k}"]

        def method(self, question, k):
            return ["method"]

    assert ranked(ask(search)) == [("Who?", None)]
    assert ranked(ask(functools.partial(search))) == [("Who?", None)]
    assert ranked(ask(System())) == [("object 3", None)]
    assert ranked(ask(System().method)) == [("method", None)]
    wrapped = lambda question, k: search(question, k)  # noqa: E731, PLW0108 - sync, returns an awaitable
    assert ranked(ask(wrapped)) == [("Who?", None)]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (["a", "b"], [("a", None), ("b", None)]),
        ((identifier for identifier in ("a", "b")), [("a", None), ("b", None)]),
        ([("a", 2.5), ("b", None)], [("a", 2.5), ("b", None)]),
        ([["a", 1]], [("a", 1.0)]),
        ([7, 8], [("7", None), ("8", None)]),
        ([{"id": "a", "score": 0.5, "text": "…"}], [("a", 0.5)]),
        ([RetrievedItem(chunk_id="a", score=1.0)], [("a", 1.0)]),
        ({"retrieved": [("a", 1.0)], "answer": "x"}, [("a", 1.0)]),
        (Answer(retrievals=(RetrievalCall(items=(RetrievedItem(chunk_id="a"),)),)), [("a", None)]),
        ([], []),
    ],
)
def test_a_ranking_is_read_from_every_form_people_return(reply, expected):
    answer = ask(lambda question, k: reply)
    assert ranked(answer) == expected
    assert len(answer.retrievals) == 1


def test_numpy_ids_and_scores_are_read_as_plain_ones():
    numpy = pytest.importorskip("numpy")
    assert ranked(ask(lambda q, k: numpy.array([3, 1]))) == [("3", None), ("1", None)]
    assert ranked(ask(lambda q, k: [(numpy.int64(3), numpy.float32(0.5))])) == [("3", 0.5)]


@pytest.mark.parametrize(
    ("reply", "named"),
    [
        (None, "nothing"),
        ({}, "empty dict"),
        (7, "type int"),
        (["a", "a"], "'a' is ranked twice"),
        ({"answer": "x", "soures": 1}, r"soures: found a field with this name; expected .*text"),
        ({"answer": "x", "usage": {"answer": {"cots": 1}}}, r"usage\.answer\.cots: found a field .*'cost'\. Rename it"),
        (["a", ""], "rank 2 is an empty id"),
        (["a", None], "rank 2 is nothing"),
        ([1.5], "type float"),
        ([("a", float("nan"))], "score nan"),
        ([("a", "high")], "a text for a score"),
        ({"retrieved": "abc"}, "a text where a ranking was expected"),
        ({"txt": "x"}, "txt"),
        ({3: "x"}, "key 3"),
        (b"bytes", "type bytes"),
        ({"a", "b"}, "a set has no order"),
        ({"retrieved": frozenset({"a"})}, "a set has no order"),
        (map(str, itertools.count()), "one without end"),
        (object(), "type object"),
    ],
)
def test_a_wrong_reply_is_named_for_what_it_is(reply, named):
    with pytest.raises(TargetReplyInvalid, match=named):
        ask(lambda question, k: reply)


def test_an_answer_that_cannot_be_made_is_a_reply_that_is_none():
    with pytest.raises(TargetReplyInvalid, match="Answer, txt: found a field with this name; expected 'text'"):
        ask(lambda question, k: Answer(txt="It is so."))


def test_text_is_an_answer_of_a_system_and_a_fault_of_a_retriever():
    assert ask(lambda question, k: "Because.").text == "Because."
    with pytest.raises(TargetReplyInvalid, match=r"a text where a list of ids was expected: 'Because\.'"):
        ask(lambda question, k: "Because.", retriever=True)
    with pytest.raises(TargetReplyInvalid, match="no retrieval"):
        ask(lambda question, k: {"text": "Because."}, retriever=True)


def test_a_long_wrong_reply_is_not_repeated_whole():
    with pytest.raises(TargetReplyInvalid) as caught:
        ask(lambda question, k: "x" * 100_000, retriever=True)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("error", [ValueError("boom"), StopIteration("boom"), SystemExit("boom"), MemoryError("boom")])
def test_whatever_a_callable_raises_fails_the_case_with_its_cause(error):
    def system(question, k):
        raise error

    with pytest.raises(TargetError, match=f"{type(error).__name__}: boom"):
        ask(system)


def test_a_hanging_call_is_given_up_and_counted_until_it_ends():
    release = threading.Event()

    async def main():
        target = PythonTarget(lambda question, k: release.wait() and [])
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(target.answer(CASE, 1), 0.05)
        hanging = target._threads.abandoned
        release.set()
        while target._threads.abandoned:  # noqa: ASYNC110 - ends as soon as the thread has seen the event
            await asyncio.sleep(0.001)
        return hanging, (await target.answer(CASE, 1)).retrievals

    hanging, retrievals = asyncio.run(main())
    assert hanging == 1
    assert len(retrievals) == 1


def test_threads_are_used_again_and_do_not_outlive_the_target():
    seen = set()

    async def main():
        target = PythonTarget(lambda question, k: seen.add(threading.current_thread()) or [])
        for _ in range(20):
            await target.answer(CASE, 1)
        await target.close()

    asyncio.run(main())
    assert len(seen) <= 2
    for thread in seen:
        thread.join(timeout=5)
        assert not thread.is_alive()


def test_import_finds_modules_beside_the_caller_and_names_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop_system.py").write_text("class Api:\n    @staticmethod\n    def search(question, k): return []\n")
    (tmp_path / "broken_system.py").write_text("1 / 0\n")
    assert import_callable("shop_system:Api.search")("q", 1) == []
    for spec, named in [
        ("shop_system:Api.serch", "Did you mean 'search'"),
        ("shop_system", "module:attribute"),
        ("shop_sistem:search", "no module 'shop_sistem'"),
        ("broken_system:search", "ZeroDivisionError"),
    ]:
        with pytest.raises(InputError, match=named):
            import_callable(spec)


def test_the_fingerprint_follows_the_source(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    prints = []
    for number, body in enumerate(["return []", "return []  # changed", "return []"]):
        (tmp_path / f"fingerprinted_{number}.py").write_text(f"def search(question, k): {body}\n")
        function = import_callable(f"fingerprinted_{number}:search")
        prints.append(PythonTarget(function, name="app:search").fingerprint)
    assert prints[0] != prints[1]
    assert prints[0] == prints[2]
