"""`ragvet retrieval` and `ragvet judge-next` as they are typed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from ragvet.errors import InputError
from ragvet.retrieval import align, read_qrels


def ragvet(*arguments: object) -> int:
    """The exit code of a command, run in this process."""
    from ragvet.cli import main

    before, sys.argv = sys.argv, ["ragvet", *map(str, arguments)]
    try:
        main()
    except SystemExit as stop:
        return int(stop.code or 0)
    finally:
        sys.argv = before
    return 0


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "qrels").write_text("q1 0 a 1\nq1 0 b 0\nq2 0 c 1\n")
    (tmp_path / "run").write_text("q1 Q0 x 1 2.0 t\nq1 Q0 a 2 1.0 t\nq2 Q0 c 1 1.0 t\nq3 Q0 c 1 1.0 t\n")
    (tmp_path / "queries.jsonl").write_text('{"_id": "q1", "category": "old"}\n{"_id": "q2", "category": "new"}\n')
    return tmp_path / "qrels", tmp_path / "run"


def test_retrieval_prints_means_with_bounds(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert ragvet("retrieval", *files, "-m", "RR", "-m", "hit@1") == 0
    shown = capsys.readouterr()
    lines = [line.split() for line in shown.out.splitlines()]
    assert ["RR", "2", "1", "1", "0", "0.7500", "1.0000"] in lines  # q1 1/2 to 1, q2 1
    assert "queries of the run without judgments: 1 (q3)" in shown.err


def test_retrieval_prints_strata_queries_and_assumptions(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    options = ("--by", "category", "--queries", files[0].parent / "queries.jsonl", "--per-query")
    assert ragvet("retrieval", *files, "-m", "RR", *options, "--assume", "unjudged-as-nonrelevant") == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["RR", "new", "1", "1", "0", "0", "1.0000", "1.0000", "1.0000", "1.0000"] in lines
    assert ["RR", "old", "1", "0", "1", "0", "0.5000", "1.0000", "0.5000"] in lines
    assert any(line[:3] == ["q1", "RR", "bounded"] for line in lines)


def test_retrieval_prints_all_of_it_as_json(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        ragvet("retrieval", *files, "-m", "nDCG(gain=exp)@3", "--judgments", "exhaustive", "--per-query", "--json") == 0
    )
    shown = json.loads(capsys.readouterr().out)
    assert shown["means"][0]["metric"] == "nDCG(gain=exp)@3"
    assert [score["query_id"] for score in shown["scores"]] == ["q1", "q2"]
    assert shown["remarks"][0]["kind"] == "query-not-in-qrels"


def test_rows_stay_aligned_and_json_whole_however_many_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ragvet.cli._rows._AT_ONCE", 3)
    queries = [f"q{'x' * (number % 5)}{number}" for number in range(10)]
    (tmp_path / "qrels").write_text("".join(f"{query} 0 a 1\n{query} 0 b 0\n" for query in queries))
    (tmp_path / "run").write_text("".join(f"{query} Q0 {'ab'[n % 2]} 1 1.0 t\n" for n, query in enumerate(queries)))
    words = ("retrieval", tmp_path / "qrels", tmp_path / "run", "-m", "RR", "-m", "precision@1", "--per-query")
    assert ragvet(*words) == 0
    lines = capsys.readouterr().out.splitlines()
    tables = [lines[:11], lines[11:22]]
    for table, metric in zip(tables, ("RR", "precision@1"), strict=True):
        assert {line.index(metric) for line in table[1:]} == {table[0].index("metric")}
        assert [line.split()[0] for line in table[1:]] == queries
        assert [line.split()[3] for line in table[1:]] == ["1.0000", "0.0000"] * 5
    assert ragvet(*words, "--json") == 0
    shown = json.loads(capsys.readouterr().out)
    assert [row["query_id"] for row in shown["scores"]] == queries * 2
    assert [row["value"] for row in shown["scores"]] == [1.0, 0.0] * 10
    assert [row["mean"] for row in shown["means"]] == [0.5, 0.5]


def test_usage_errors_exit_with_two(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert ragvet("retrieval", *files, "-m", "ndgc@3") == 2
    assert "Did you mean 'nDCG@3'?" in capsys.readouterr().err
    assert ragvet("retrieval", *files, "-m", "RR", "--strict") == 2
    assert ragvet("retrieval", *files, "-m", "RR", "--by", "category") == 2
    assert ragvet("retrieval", files[0].parent / "nothing", files[1], "-m", "RR") == 2


def test_a_name_of_another_tool_is_scored_under_ours_which_is_said(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert ragvet("retrieval", *files, "-m", "MRR@3", "-m", "P_3", "--json") == 0
    shown = capsys.readouterr()
    assert [mean["metric"] for mean in json.loads(shown.out)["means"]] == ["RR@3", "precision@3"]
    assert "note: MRR@3 is called RR@3 here." in shown.err
    assert ragvet("retrieval", *files, "-m", "P") == 2  # a cutoff is missing whatever it is called
    assert "precision" in capsys.readouterr().err


def test_ties_are_told_in_the_order_that_was_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "qrels").write_text("q 0 a 1\n")
    (tmp_path / "run").write_text("q Q0 a 1 1.0 t\nq Q0 b 2 1.0 t\n")
    files = (tmp_path / "qrels", tmp_path / "run")
    assert ragvet("retrieval", *files, "-m", "RR") == 0
    assert "In 1 ranking, they stay as declared" in capsys.readouterr().err
    assert ragvet("retrieval", *files, "-m", "RR", "--ties", "trec") == 0
    assert "In 1 ranking, they are ordered by descending id, as trec_eval does" in capsys.readouterr().err


def test_a_sheet_that_cannot_be_written_is_said(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert ragvet("judge-next", *files, "-m", "RR", "-o", files[0].parent / "none" / "sheet.tsv") == 2
    said = capsys.readouterr().err
    assert "--output" in said
    assert "Traceback" not in said


def test_judge_next_writes_a_sheet_that_filled_in_is_qrels(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = files[0].parent / "sheet.tsv"
    assert ragvet("judge-next", *files, "-m", "RR", "-o", sheet) == 0
    assert "1 item written" in capsys.readouterr().out
    lines = sheet.read_text().splitlines()
    assert lines == ["query_id\titem\tgrade\trank\twidth\tshrinks", "q1\tx\t\t1\t0.5000\t0.5000"]
    sheet.write_text("\n".join([lines[0], lines[1].replace("\t\t", "\t1\t")]))
    collection = align(sheet, files[1], missing="skip")
    assert collection.batches[0].rankings.labels.tolist() == [[1, -1]]
    assert ragvet("judge-next", *files, "-m", "RR", "--json") == 0
    assert json.loads(capsys.readouterr().out)["items"][0]["item"] == "x"


def test_an_empty_sheet_says_where_the_interval_is_open(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "qrels").write_text("q 0 a 1\n")
    (tmp_path / "run").write_text("q Q0 a 1 1.0 t\n")
    assert ragvet("judge-next", tmp_path / "qrels", tmp_path / "run", "-m", "recall@5") == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines() == ["query_id\titem\tgrade\trank\twidth\tshrinks"]
    assert "nothing unjudged in the places the metric looks at: 1. What is open lies outside the ranking" in shown.err


@pytest.mark.parametrize("form", ["jsonl", "json", "tsv"])
def test_a_sheet_shows_the_question_and_the_text_and_is_still_qrels(
    form: str, files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    folder = files[0].parent
    files[1].write_text('q1 Q0 "x" 1 2.0 t\nq1 Q0 a 2 1.0 t\nq2 Q0 y 1 1.0 t\nq2 Q0 c 2 0.5 t\n')
    documents = [{"_id": '"x"', "title": "Post", "text": 'Say\t"30\ndays" \u202e'}, {"_id": "a", "text": "=1+1"}]
    documents += [{"_id": other, "text": None} for other in "bcy"]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(one) + "\n" for one in documents))
    questions = {
        "jsonl": '{"_id": "q1", "text": "-> how\\tlong?"}\n',
        "json": '{"judgments": "listed",\n "cases": [{"id": "q1", "question": "-> how long?"}]}',
        "tsv": "q1\t-> how long?\n",
    }
    (folder / f"questions.{form}").write_text(questions[form])
    texts = ("--corpus", folder / "corpus.jsonl", "--queries", folder / f"questions.{form}")
    sheet = folder / "sheet.tsv"
    assert ragvet("judge-next", *files, "-m", "RR", *texts, "-o", sheet) == 0
    said = capsys.readouterr().err
    assert "query ids without a question: 1 (q2)" in said
    assert "item ids without a text: 1 (y)" in said
    heading, first, second = (line.split("\t") for line in sheet.read_text().splitlines())
    assert heading == ["query_id", "item", "grade", "rank", "width", "shrinks", "question", "text"]
    assert first[:4] == ["q1", '"x"', "", "1"]
    assert first[6:] == ["'-> how long?", 'Post Say "30 days" \\u202e']  # neither a formula nor a line turned around
    assert second[6:] == ["", ""]
    sheet.write_text("\n".join("\t".join(line) for line in (heading, [*first[:2], "1", *first[3:]], second)))
    collection = align(files[0], files[1], more_qrels=[sheet])
    assert collection.batches[0].rankings.labels.tolist() == [[1, 1], [-1, 1]]


def test_a_corpus_without_texts_or_queries_without_wording_is_said(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    (files[0].parent / "ids.jsonl").write_text("".join(f'{{"_id": "{i}"}}\n' for i in "abcxy"))
    assert ragvet("judge-next", *files, "-m", "RR", "--corpus", files[0].parent / "ids.jsonl") == 2
    assert "found fields _id; expected text or" in capsys.readouterr().err
    assert ragvet("judge-next", *files, "-m", "RR", "--queries", files[0].parent / "queries.jsonl") == 2
    assert "no query with a wording" in capsys.readouterr().err


def test_a_sheet_filled_in_in_part_adds_to_the_judgments(
    files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = files[0].parent / "sheet.tsv"
    sheet.write_text("query_id\titem\tgrade\trank\twidth\tshrinks\nq1\tx\t0\t1\t0.5\t0.5\nq2\ty\t\t2\t0.1\t0.1\n")
    assert ragvet("retrieval", *files, "-m", "RR", "--more-qrels", sheet) == 0
    shown = capsys.readouterr()
    # q1: x is judged non-relevant now, so a at rank 2 is the first relevant item: 1/2; q2: c at rank 1, as before
    assert ["RR", "2", "2", "0", "0", "0.7500", "0.7500", "0.7500"] in [line.split() for line in shown.out.splitlines()]
    assert "rows without grade, or of grade -1: in the pool, not judged: 1 (y)" in shown.err


def test_an_empty_grade_is_no_reason_to_misread_the_rank_beside_it(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.tsv"
    sheet.write_text("query_id\titem\tgrade\trank\nq\ta\t\t7\nq\tb\tmany\t1\n\tc\t1\t1\n")
    with pytest.raises(InputError) as caught:
        read_qrels(sheet)
    assert [(problem.record, problem.found) for problem in caught.value.problems] == [
        ("line 3", "'many'"),
        ("line 4", "''"),
    ]
    sheet.write_text("query_id\titem\tgrade\trank\nq\ta\t\t7\nq\tb\t2\t1\n")
    assert read_qrels(sheet).items.to_list() == ["b"]


def test_two_files_of_judgments_may_not_contradict_each_other(files: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "more").write_text("q1 0 a 0\n")
    with pytest.raises(InputError, match=r"qrels and .*more.*grades 1 and 0"):
        read_qrels(files[0], more=[tmp_path / "more"])


@pytest.mark.parametrize(
    "arguments",
    [
        ("metrics",),
        ("metrics", "nDCG"),
        ("rank", "--judgments", "A=1,B=?", "--ranking", "B,A", "-k", "2"),
        ("retrieval", "qrels", "run", "-m", "RR"),
    ],
)
def test_piped_tables_have_no_blanks_at_the_end_of_a_line(
    arguments: tuple[str, ...],
    files: tuple[Path, Path],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(files[0].parent)
    assert ragvet(*arguments) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines
    assert [line for line in lines if line != line.rstrip()] == []
