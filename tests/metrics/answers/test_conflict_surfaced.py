from tests.metrics.answers.make import bounds, measure, reason, value


def conflicts(*surfaced):
    return [{"passages": ("p1", "p2"), "about": "the limit", "surfaced": fact} for fact in surfaced]


def test_conflict_surfaced_is_the_share_of_conflicts_the_reader_is_told_about():
    assert value(measure("conflict_surfaced", conflicts=conflicts(True, False))) == 0.5
    assert bounds(measure("conflict_surfaced", conflicts=conflicts(True, None))) == (0.5, 1.0)


def test_handing_over_escalates_every_conflict():
    assert value(measure("conflict_surfaced", "routed", conflicts=conflicts(False, None))) == 1.0


def test_not_looked_for_none_seen_and_refused_are_told_apart():
    assert reason(measure("conflict_surfaced")) == "conflicts between sources were not looked for"
    assert reason(measure("conflict_surfaced", conflicts=[])) == "no conflict between the sources was seen"
    assert reason(measure("conflict_surfaced", "refused", conflicts=conflicts(False))) == "the system refused"
