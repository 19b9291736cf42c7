"""What sums over the stages of serving promise alike."""

import pytest
from tests.metrics.answers.make import measure, reason, value

every_metric = pytest.mark.parametrize("metric", ["input_tokens", "output_tokens", "cost"])


def used(metric, *amounts):
    stages = {f"stage {place}": {} if amount is None else {metric: amount} for place, amount in enumerate(amounts)}
    return measure(metric, answer={"usage": stages})


@every_metric
def test_it_is_summed_over_stages(metric):
    assert value(used(metric, 20, 100)) == 120


@every_metric
def test_unknown_is_not_zero(metric):
    assert reason(used(metric)) == "the target reported no usage"
    assert reason(used(metric, None, 100)) == f"the target did not report {metric} for every stage"
    assert value(used(metric, 0)) == 0.0
