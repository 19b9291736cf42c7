"""Measure the offline judge on public data that lies beside the repository.

    python scripts/measure_offline_judge.py held-out        # the half the coefficients do not come from
    python scripts/measure_offline_judge.py tuned           # the half they come from
    python scripts/measure_offline_judge.py crossvalidate   # all of it, each fold by a model that never saw its groups

`crossvalidate` trains, so it needs scikit-learn (dependency group `train`).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from offline_judge_data import DATA, SETS, Item, as_trace, load
from scipy import stats

from ragvet.judging.local import OfflineJudge
from ragvet.judging.local._model import read_model
from ragvet.records import Verdicts
from ragvet.records.lattice import claim_verdicts

FOLDS = 5
Judged = tuple[Item, Verdicts]


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


def judge_all(items: Sequence[Item], judge: OfflineJudge) -> list[Judged]:
    """Every item with the verdicts on it."""
    return [(item, judge.judge_now(*as_trace(item))) for item in items]


def crossvalidated(items: Sequence[Item]) -> Iterator[Judged]:
    """Every item with the verdicts of a model trained on the groups of other folds."""
    from sklearn.model_selection import GroupKFold  # noqa: PLC0415  # the other commands run without it
    from train_offline_judge import train, training_rows  # noqa: PLC0415

    table = training_rows(items)
    groups = np.array([item.group for item in items])
    for _, rest in GroupKFold(FOLDS, shuffle=True, random_state=0).split(groups, groups=groups):
        model = train(table.of(~np.isin(table.groups, groups[rest])))
        judge = OfflineJudge()
        judge._rules = replace(judge._rules, model=read_model(json.dumps(model)))  # noqa: SLF001  # a fold's own model
        yield from judge_all([items[place] for place in rest], judge)


def measure(judged: Sequence[Judged]) -> list[Measured]:
    """Measurements per set; for mtrag per claim and per answer."""
    measured: list[Measured] = []
    for name in SETS:
        rows = [(item, verdicts) for item, verdicts in judged if item.dataset == name]
        if not rows:
            continue
        measured.append(_measure(name, "answers" if name == "mtrag" else "texts", rows, by_claim=False))
        if name == "mtrag":
            measured.append(_measure(name, "claims", rows, by_claim=True))
    return measured


def by_one_label(judged: Sequence[Judged]) -> str:
    """How often mtrag's calls are right when one label decides both: the mean of the raters, or all of them at 4."""
    rows = [(item, verdicts) for item, verdicts in judged if item.dataset == "mtrag"]
    lines = ["| mtrag, one label for both | supported: called, right | unsupported: called, right |", "|---|---|---|"]
    for unit in ("answers", "claims"):
        for label, good in (("mean at least 3", "supported"), ("all three gave 4", "flawless")):
            tallies = {"supported": [0, 0], "unsupported": [0, 0]}
            for item, verdicts in rows:
                for call in calls(verdicts, by_claim=unit == "claims"):
                    if call in tallies:
                        tallies[call][0] += getattr(item, good) == (call == "supported")
                        tallies[call][1] += 1
            cells = " | ".join(f"{n}, {right / n:.1%}" if n else "0" for right, n in tallies.values())
            lines.append(f"| {unit}, {label} | {cells} |")
    return "\n".join(lines)


def calls(verdicts: Verdicts, *, by_claim: bool) -> list[str]:
    """What was decided: about each claim that needs evidence, or about the answer as a whole."""
    if not by_claim:
        return [whole_verdict(verdicts)]
    return _of_claims(verdicts)


def _of_claims(verdicts: Verdicts) -> list[str]:
    told = claim_verdicts(verdicts)
    return [told[claim.id].told for claim in verdicts.claims if claim.needs_evidence]


def whole_verdict(verdicts: Verdicts) -> str:
    """Supported if every claim is, unsupported or contradicted if one is, else undecided."""
    claims = set(_of_claims(verdicts))
    for verdict in ("contradicted", "unsupported"):
        if verdict in claims:
            return verdict
    return "supported" if claims == {"supported"} else "undecided"


def _measure(name: str, unit: str, rows: Sequence[Judged], *, by_claim: bool) -> Measured:
    decided = {"supported": [0, 0], "unsupported": [0, 0], "contradicted": [0, 0]}
    count = 0
    for item, verdicts in rows:
        called = calls(verdicts, by_claim=by_claim)
        count += len(called)
        for call in called:
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
    parser.add_argument("command", choices=["held-out", "tuned", "crossvalidate"])
    parser.add_argument("--data", type=Path, default=DATA, help="folder with wice, begin and mtrag")
    arguments = parser.parse_args()
    items = load(arguments.data)
    if arguments.command == "crossvalidate":
        judged = list(crossvalidated(items))
    else:
        held_out = arguments.command == "held-out"
        judged = judge_all([item for item in items if item.held_out == held_out], OfflineJudge())
    print(as_markdown(measure(judged)), by_one_label(judged), sep="\n\n")


if __name__ == "__main__":
    main()
