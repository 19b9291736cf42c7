"""Short rankings are added up by column, long ones by row: both ways find the same."""

from __future__ import annotations

import numpy as np
import pytest
from tests.metrics.rankings.every import every_metric

from ragvet.metrics.rankings import EMPTY, UNBOUNDED, Metric, Rankings, compute

SHORT, LONG = 12, 100
"""80 is a cutoff below the end of long rankings alone, 5 one below that of both."""


@pytest.mark.parametrize("top", [1, 3])
@pytest.mark.parametrize("metric", every_metric(5, 80, uncut=True), ids=str)
def test_empty_places_at_the_end_change_nothing(metric: Metric, top: int) -> None:
    rng = np.random.default_rng(0)
    labels = rng.integers(-1, top + 1, (200, SHORT)).astype(np.int8)
    labels[np.arange(SHORT) >= rng.integers(0, SHORT + 1, 200)[:, None]] = EMPTY
    judged = np.stack([(labels == g).sum(axis=1) + rng.integers(0, 3, 200) for g in range(top + 1)], axis=1)
    elsewhere = rng.choice([0.0, 2.0, UNBOUNDED], 200)
    wide = np.pad(labels, ((0, 0), (0, LONG - SHORT)), constant_values=EMPTY)
    short = compute(metric, Rankings(labels, judged, elsewhere))
    long = compute(metric, Rankings(wide, judged, elsewhere))
    np.testing.assert_array_equal(short.status, long.status)
    np.testing.assert_allclose(short.low, long.low, rtol=1e-13)
    np.testing.assert_allclose(short.high, long.high, rtol=1e-13)
