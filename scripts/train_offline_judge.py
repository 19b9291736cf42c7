"""Train and evaluate the offline judge on public data that lies beside the repository.

    python scripts/train_offline_judge.py train      # writes src/ragvet/judging/local/model.json
    python scripts/train_offline_judge.py evaluate   # prints the table of docs/offline-judge.md

Training needs scikit-learn (dependency group `train`); evaluating does not. Sources are split in two by a hash of the
page, knowledge text or conversation: one half tunes coefficients and thresholds, the other one is only reported on.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
import json
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy import stats

from ragvet.judging import load_languages, split_claims
from ragvet.judging.local._features import FEATURES, claim_text, compare
from ragvet.judging.local._prepared import prepare
from ragvet.judging.local._support import absent, scattered, tells
from ragvet.records import Answer, Case, RetrievedItem, Trace, Verdicts

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT.parent / "shared" / "data"
MODEL = ROOT / "src" / "ragvet" / "judging" / "local" / "model.json"
SETS = ("wice", "begin", "mtrag")
SPLIT_RULE = "sha256(group, UTF-8) as an integer, even: tuned on; odd: held out"
FAITHFUL, FULLY_FAITHFUL = 3.0, 4.0
REGULARISATION = 0.03
FOLDS = 5
SURE_SUPPORTED, SURE_UNSUPPORTED = 0.95, 0.90
HEADROOM, MARGIN = 0.02, 0.05


@dataclass(frozen=True)
class Item:
    """One judged text: an answer, what it may draw on, and what people said of it.

    `supported` is the strict label: everything in it is shown. `flawless` is False where anybody found a flaw; what is
    called unsupported must be False there.
    """

    dataset: str
    group: str
    text: str
    passages: tuple[str, ...]
    supported: bool
    flawless: bool

    @property
    def held_out(self) -> bool:
        """Whether the item is only reported on, never tuned on."""
        return int(hashlib.sha256(self.group.encode()).hexdigest(), 16) % 2 == 1


def load(data: Path = DATA) -> list[Item]:
    """Every item of the three sets."""
    return [*_wice(data / "wice"), *_begin(data / "begin"), *_mtrag(data / "mtrag")]


def _wice(folder: Path) -> Iterator[Item]:
    with gzip.open(folder / "claim_dev.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            right = row["label"] == "supported"
            evidence = ("\n".join(row["evidence"]),)
            yield Item("wice", row["meta"]["claim_title"], row["claim"], evidence, right, right)


def _begin(folder: Path) -> Iterator[Item]:
    for path in sorted(folder.glob("begin_dev_*.tsv")):
        with path.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
                right = row["begin_label"] == "Fully attributable"
                yield Item("begin", row["knowledge"], row["response"], (row["knowledge"],), right, right)


def _mtrag(folder: Path) -> Iterator[Item]:
    content = json.loads((folder / "reference_subset_with_human_evaluations.json").read_text(encoding="utf-8"))
    texts = {document["document_id"]: document["text"] for document in content["documents"]}
    tasks = {task["task_id"]: task for task in content["tasks"]}
    for row in content["evaluations"]:
        passages = tuple(texts[context["document_id"]] for context in tasks[row["task_id"]]["contexts"])
        rating = statistics.mean(int(one["value"]) for one in row["annotations"]["faithfulness"].values())
        conversation = row["task_id"].split("<::>")[0]
        text = row["model_response"]
        yield Item("mtrag", conversation, text, passages, rating >= FAITHFUL, rating >= FULLY_FAITHFUL)


def train(items: Sequence[Item]) -> dict[str, object]:
    """The content of the model file, from the items of the tuning half only."""
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415  # the evaluation must run without it
    from sklearn.model_selection import GroupKFold  # noqa: PLC0415
    from sklearn.preprocessing import StandardScaler  # noqa: PLC0415

    table = _training_rows([item for item in items if not item.held_out])

    def fit(rows: npt.NDArray[np.bool_] | npt.NDArray[np.intp]) -> tuple[npt.NDArray[np.float64], float]:
        scaler = StandardScaler().fit(table.features[rows])
        model = LogisticRegression(C=REGULARISATION, max_iter=5000)
        model.fit(scaler.transform(table.features[rows]), table.labels[rows], sample_weight=table.weights[rows])
        coefficients = model.coef_[0] / scaler.scale_
        return coefficients, float(model.intercept_[0] - coefficients @ scaler.mean_)

    logits = np.zeros(len(table.labels))
    for rows, rest in GroupKFold(FOLDS).split(table.features, groups=table.groups):
        coefficients, intercept = fit(rows)
        logits[rest] = table.features[rest] @ coefficients + intercept
    logits[table.bare] = -np.inf
    coefficients, intercept = fit(np.ones(len(table.labels), dtype=bool))
    return {
        "split": SPLIT_RULE,
        "tuned_on": {name: int(sum(table.datasets == name)) for name in SETS},
        "regularisation": REGULARISATION,
        "coefficients": {name: round(float(c), 5) for name, c in zip(FEATURES, coefficients, strict=True)},
        "intercept": round(intercept, 5),
        "supported_above": round(_threshold(table, logits, sure=SURE_SUPPORTED, above=True), 2),
        "unsupported_below": round(_threshold(table, logits, sure=SURE_UNSUPPORTED, above=False), 2),
    }


@dataclass
class TrainingRows:
    """Features of claims, their labels (of their answer, for mtrag), and weights that make sets and classes equal.

    `complete`: one sentence has every word; `silent`: a telling word stands nowhere; `bare`: the answer had no passage
    at all, so the claim is unsupported by rule and teaches nothing.
    """

    features: npt.NDArray[np.float64]
    labels: npt.NDArray[np.bool_]
    flawless: npt.NDArray[np.bool_]
    datasets: npt.NDArray[np.str_]
    groups: npt.NDArray[np.str_]
    complete: npt.NDArray[np.bool_]
    silent: npt.NDArray[np.bool_]
    bare: npt.NDArray[np.bool_]
    weights: npt.NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        self.weights = np.zeros(len(self.labels))
        for name in SETS:
            for label in (False, True):
                rows = (self.datasets == name) & (self.labels == label) & ~self.bare
                self.weights[rows] = 500 / max(rows.sum(), 1)


def _training_rows(items: Sequence[Item]) -> TrainingRows:
    languages = load_languages()
    english = languages.get("en")
    rows = []
    for item in items:
        passages = [prepare(passage, english, languages) for passage in item.passages]
        claims = (
            [item.text] if item.dataset != "mtrag" else [c.text for c in split_claims(item.text) if c.needs_evidence]
        )
        label = item.supported, item.flawless, item.dataset, item.group
        for claim in claims:
            if not passages:
                rows.append((np.zeros(len(FEATURES)), *label, False, True, True))
                continue
            ready = claim_text(prepare(claim, english, languages))
            held = [(compare(ready, passage), passage) for passage in passages]
            best = max(held, key=lambda pair: pair[0].features[2] + pair[0].features[3])
            silent = tells(ready, frozenset.intersection(*(frozenset(absent(ready, passage)) for passage in passages)))
            rows.append((best[0].features, *label, scattered(ready, best[1], best[0]), silent, False))
    return TrainingRows(*(np.array(column) for column in zip(*rows, strict=True)))


def _threshold(table: TrainingRows, logits: npt.NDArray[np.float64], *, sure: float, above: bool) -> float:
    """The loosest threshold that is sure enough on the worst set, in cross-validation on the tuning half.

    Sure enough: the share right is `HEADROOM` above `sure`, its one-sided 90 % Wilson bound at most `MARGIN` below. For
    support only claims whose every word was found count, on the sets together, since one alone has too few; for silence
    only claims of which a telling word stands nowhere, on each set.
    """
    right = table.labels if above else ~table.flawless
    among = table.complete if above else table.silent
    sets = [np.ones(len(right), dtype=bool)] if above else [table.datasets == name for name in SETS]
    candidates = np.arange(4.0, -0.01, -0.05) if above else np.arange(-6.0, 1.0, 0.05)
    sure_enough: list[float] = []
    for threshold in candidates:
        chosen = among & (logits >= threshold if above else logits < threshold)
        counts = [(int((right & chosen & rows).sum()), int((chosen & rows).sum())) for rows in sets]
        if all(n and k / n >= sure + HEADROOM and _wilson_low(k, n) >= sure - MARGIN for k, n in counts):
            sure_enough.append(float(threshold))
    if not sure_enough:
        raise SystemExit("no threshold is sure enough on every set")
    return sure_enough[-1]


def _wilson_low(right: int, decided: int) -> float:
    if not decided:
        return 0.0
    return stats.binomtest(right, decided, alternative="greater").proportion_ci(0.9, method="wilson").low


@dataclass(frozen=True)
class Measured:
    """What the judge did on one set: how often it decided, how often it was right, and how well its score ranks."""

    dataset: str
    unit: str
    items: int
    decided: dict[str, tuple[int, int]]
    auc: float | None
    auc_interval: tuple[float, float] | None

    def precision(self, verdict: str) -> tuple[float, float, float] | None:
        """Share right of what was called so, with its 95 % Clopper-Pearson interval; None where nothing was."""
        right, called = self.decided[verdict]
        if not called:
            return None
        interval = stats.binomtest(right, called).proportion_ci(0.95, method="exact")
        return right / called, interval.low, interval.high


def evaluate(items: Sequence[Item]) -> list[Measured]:
    """Measurements on the items given, per set; for mtrag per claim and per answer."""
    from ragvet.judging.local import OfflineJudge  # noqa: PLC0415  # training makes the file it loads

    judge = OfflineJudge()
    judged = [(item, judge.judge_now(*as_trace(item))) for item in items]
    measured: list[Measured] = []
    for name in SETS:
        rows = [(item, verdicts) for item, verdicts in judged if item.dataset == name]
        if not rows:
            continue
        measured.append(_measure(name, "answers" if name == "mtrag" else "texts", rows, by_claim=False))
        if name == "mtrag":
            measured.append(_measure(name, "claims", rows, by_claim=True))
    return measured


def as_trace(item: Item) -> tuple[Case, Trace]:
    """The item as a case and the trace of a system that was given exactly those passages."""
    supplied = tuple(RetrievedItem(chunk_id=f"p{n}", text=text) for n, text in enumerate(item.passages))
    case = Case(id="1", question="?", category=item.dataset, expected_behaviour="answer")
    return case, Trace(case_id="1", question="?", answer=Answer(text=item.text, supplied=supplied, citations=()))


def whole_verdict(verdicts: Verdicts) -> str:
    """Supported if every claim is, unsupported or contradicted if one is, else undecided."""
    claims = {verdicts.claim_verdict(claim.id) for claim in verdicts.claims if claim.needs_evidence}
    for verdict in ("contradicted", "unsupported"):
        if verdict in claims:
            return verdict
    return "supported" if claims == {"supported"} else "undecided"


def _measure(name: str, unit: str, rows: Sequence[tuple[Item, Verdicts]], *, by_claim: bool) -> Measured:
    decided = {"supported": [0, 0], "unsupported": [0, 0], "contradicted": [0, 0]}
    count = 0
    for item, verdicts in rows:
        calls = (
            [verdicts.claim_verdict(claim.id) for claim in verdicts.claims if claim.needs_evidence]
            if by_claim
            else [whole_verdict(verdicts)]
        )
        count += len(calls)
        for call in calls:
            if call in decided:
                decided[call][0] += item.supported if call == "supported" else not item.flawless
                decided[call][1] += 1
    scores = [(verdicts.support_score, item) for item, verdicts in rows if verdicts.support_score is not None]
    auc = None if by_claim else _auc([s for s, _ in scores], [i.supported for _, i in scores])
    interval = None if by_claim else _auc_interval(scores)
    return Measured(name, unit, count, {k: (v[0], v[1]) for k, v in decided.items()}, auc, interval)


def _auc(scores: Sequence[float], labels: Sequence[bool]) -> float:
    """The chance that a supported item scores above an unsupported one, ties half (Mann and Whitney)."""
    good = [score for score, label in zip(scores, labels, strict=True) if label]
    bad = [score for score, label in zip(scores, labels, strict=True) if not label]
    return float(stats.mannwhitneyu(good, bad).statistic / (len(good) * len(bad)))


def _auc_interval(scores: Sequence[tuple[float, Item]]) -> tuple[float, float]:
    """95 % percentile bootstrap over groups: pages, knowledge texts, conversations."""
    rng = np.random.default_rng(0)
    groups: dict[str, list[tuple[float, bool]]] = {}
    for score, item in scores:
        groups.setdefault(item.group, []).append((score, item.supported))
    names = list(groups)
    values = []
    for _ in range(500):
        drawn = [pair for place in rng.integers(len(names), size=len(names)) for pair in groups[names[place]]]
        if len({label for _, label in drawn}) > 1:
            values.append(_auc([score for score, _ in drawn], [label for _, label in drawn]))
    return float(np.quantile(values, 0.025)), float(np.quantile(values, 0.975))


def as_markdown(measured: Sequence[Measured]) -> str:
    """The table of the docs page."""
    lines = [
        "| set | n | supported: called, right | unsupported: called, right | contradicted | undecided | score AUC |",
        "|---|---|---|---|---|---|---|",
    ]
    for one in measured:
        cells = [_cell(one, verdict, interval=verdict != "contradicted") for verdict in one.decided]
        undecided = 1 - sum(called for _, called in one.decided.values()) / one.items
        auc = (
            ""
            if one.auc is None or one.auc_interval is None
            else f"{one.auc:.3f} ({one.auc_interval[0]:.3f}-{one.auc_interval[1]:.3f})"
        )
        lines.append(f"| {one.dataset}, {one.unit} | {one.items} | {' | '.join(cells)} | {undecided:.0%} | {auc} |")
    return "\n".join(lines)


def _cell(measured: Measured, verdict: str, *, interval: bool) -> str:
    precision = measured.precision(verdict)
    if precision is None:
        return "0"
    called = measured.decided[verdict][1]
    bounds = f" ({precision[1]:.1%}-{precision[2]:.1%})" if interval else ""
    return f"{called}, {precision[0]:.1%}{bounds}"


def main() -> None:
    """Run the command given on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["train", "evaluate"])
    parser.add_argument("--data", type=Path, default=DATA, help="folder with wice, begin and mtrag")
    parser.add_argument("--half", choices=["held-out", "tuned"], default="held-out")
    arguments = parser.parse_args()
    items = load(arguments.data)
    if arguments.command == "train":
        MODEL.write_text(json.dumps(train(items), indent=1) + "\n", encoding="utf-8")
        print(f"wrote {MODEL}")
        return
    print(as_markdown(evaluate([item for item in items if item.held_out == (arguments.half == "held-out")])))


if __name__ == "__main__":
    main()
