"""Train the model of the offline judge on public data that lies beside the repository.

    python scripts/train_offline_judge.py                # writes src/ragvet/judging/local/model.json
    python scripts/train_offline_judge.py --thresholds   # how sure each threshold of *unsupported* is

Needs scikit-learn (dependency group `train`). Sources are split in two by a hash of the page, knowledge text or
conversation: one half gives the coefficients, the other one is only reported on, by
`scripts/measure_offline_judge.py`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt
from offline_judge_data import DATA, ROOT, SETS, SPLIT_RULE, Item, load
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold
from sklearn.preprocessing import StandardScaler

from ragvet.judging import load_languages, split_claims
from ragvet.judging.local._features import FEATURES, claim_text, compare
from ragvet.judging.local._prepared import prepare
from ragvet.judging.local._support import absence, absent

MODEL = ROOT / "src" / "ragvet" / "judging" / "local" / "model.json"
REGULARISATION = 0.03
FOLDS = 5
UNSUPPORTED_BELOW = {"few words": -2.25, "many words": -1.5, "anchors": -1.0}
"""Set by hand from `--thresholds`: in cross-validation over all data nine texts of ten are right in the worst set."""


def train(table: TrainingRows) -> dict[str, object]:
    """The content of a model file, from these rows alone."""
    coefficients, intercept = fit(table)
    return {
        "split": SPLIT_RULE,
        "tuned_on": {name: int(sum(table.datasets == name)) for name in SETS},
        "regularisation": REGULARISATION,
        "coefficients": {name: round(float(c), 5) for name, c in zip(FEATURES, coefficients, strict=True)},
        "intercept": round(intercept, 5),
        "unsupported_below": UNSUPPORTED_BELOW,
    }


def fit(table: TrainingRows) -> tuple[npt.NDArray[np.float64], float]:
    """Coefficients for features as they are, and the intercept."""
    scaler = StandardScaler().fit(table.features)
    model = LogisticRegression(C=REGULARISATION, max_iter=5000)
    model.fit(scaler.transform(table.features), table.labels, sample_weight=table.weights)
    coefficients = model.coef_[0] / scaler.scale_
    return coefficients, float(model.intercept_[0] - coefficients @ scaler.mean_)


def share_right(table: TrainingRows) -> str:
    """For each threshold of *unsupported*: texts called so and the share that is right, per set, cross-validated.

    A text is called unsupported if one of its claims is: the count that is hardest on texts of many claims.
    """
    logits = np.zeros(len(table.labels))
    for rows, rest in GroupKFold(FOLDS).split(table.features, groups=table.groups):
        coefficients, intercept = fit(table.of(rows))
        logits[rest] = table.features[rest] @ coefficients + intercept
    lines = [f"{'missing':10} threshold" + "".join(f"{name:>16}" for name in SETS)]
    for missing, threshold in product(UNSUPPORTED_BELOW, np.arange(-3.0, 0.1, 0.25)):
        called = (table.absences == missing) & ~table.bare & (logits < threshold)
        cells = []
        for name in SETS:
            texts = np.unique(table.texts[called & (table.datasets == name)])
            wrong = np.unique(table.texts[called & (table.datasets == name) & table.flawless])
            cells.append(f"{len(texts):>7} {1 - len(wrong) / max(len(texts), 1):>7.1%} ")
        lines.append(f"{missing:10} {threshold:>9.2f}" + "".join(cells))
    return "\n".join(lines)


@dataclass
class TrainingRows:
    """Features of claims, their labels (of their answer, for mtrag), and weights that make sets and classes equal.

    `texts`: the place of the item; `absences`: what stands nowhere in its passages; `bare`: the answer had no passage
    at all, so the claim is unsupported by rule and teaches nothing.
    """

    features: npt.NDArray[np.float64]
    labels: npt.NDArray[np.bool_]
    flawless: npt.NDArray[np.bool_]
    datasets: npt.NDArray[np.str_]
    groups: npt.NDArray[np.str_]
    texts: npt.NDArray[np.intp]
    absences: npt.NDArray[np.str_]
    bare: npt.NDArray[np.bool_]
    weights: npt.NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        self.weights = np.zeros(len(self.labels))
        for name in SETS:
            for label in (False, True):
                rows = (self.datasets == name) & (self.labels == label) & ~self.bare
                self.weights[rows] = 500 / max(rows.sum(), 1)

    def of(self, rows: npt.NDArray[np.bool_] | npt.NDArray[np.intp]) -> TrainingRows:
        """The rows chosen, weighted anew."""
        return TrainingRows(*(getattr(self, column.name)[rows] for column in fields(self) if column.init))


def training_rows(items: Sequence[Item]) -> TrainingRows:
    """Every claim of the items against the passage that shows most of it."""
    languages = load_languages()
    english = languages.get("en")
    rows = []
    for number, item in enumerate(items):
        passages = [prepare(passage, english, languages) for passage in item.passages]
        claims = (
            [item.text] if item.dataset != "mtrag" else [c.text for c in split_claims(item.text) if c.needs_evidence]
        )
        label = item.supported, item.flawless, item.dataset, item.group, number
        for claim in claims:
            if not passages:
                rows.append((np.zeros(len(FEATURES)), *label, "nothing", True))
                continue
            ready = claim_text(claim, english, languages)
            held = [compare(ready, passage).features for passage in passages]
            best = max(held, key=lambda features: features[2] + features[3])
            gone = frozenset.intersection(*(frozenset(absent(ready, passage)) for passage in passages))
            rows.append((best, *label, absence(ready, gone, passages), False))
    return TrainingRows(*(np.array(column) for column in zip(*rows, strict=True)))


def main() -> None:
    """Write the model file from the tuning half."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with wice, begin and mtrag")
    parser.add_argument("--thresholds", action="store_true", help="train nothing, print what each threshold would do")
    arguments = parser.parse_args()
    items = load(arguments.data)
    if arguments.thresholds:
        print(share_right(training_rows(items)))
        return
    model = train(training_rows([item for item in items if not item.held_out]))
    MODEL.write_text(json.dumps(model, indent=1) + "\n", encoding="utf-8")
    print(f"wrote {MODEL}")


if __name__ == "__main__":
    main()
