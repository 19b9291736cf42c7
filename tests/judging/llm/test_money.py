from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest
from tests.judging.llm.material import case, judge_for, settings_for, trace, verdicts_of
from tests.judging.llm.scripted_server import Say, plainly, serving

from ragvet.errors import BudgetReached, InputError
from ragvet.judging import ModelSettings, OfflineSettings, PanelSettings, build_judge, estimate, judge_all, with_budget
from ragvet.judging.llm._money import Budget, Pricing, add, tokens_of
from ragvet.records import Usage, Verdicts

PRICE = {"input": 2.0, "output": 10.0}  # dollars per million tokens


def settings(**given):
    return ModelSettings.model_validate({"model": "m", "base_url": "http://127.0.0.1:1/v1", **given})


def test_the_price_in_the_settings_decides():
    # 1,000 × 2 $/M + 100 × 10 $/M = 0.002 + 0.001
    assert Pricing(settings(price=PRICE)).cost(1000, 100) == pytest.approx(0.003, abs=1e-12)


def test_an_unknown_price_or_count_is_unknown_and_not_zero():
    assert Pricing(settings()).cost(1000, 100) is None
    assert Pricing(settings()).cost(1000, 100) is None  # looked up once, and still unknown
    assert Pricing(settings(price=PRICE)).cost(None, 100) is None


def test_the_public_price_list_knows_public_models():
    known = Pricing(settings(model="gpt-4o-mini", base_url="https://api.openai.com/v1"))
    # 0.15 $/M input, 0.60 $/M output
    assert known.cost(1_000_000, 1_000_000) == pytest.approx(0.75, abs=1e-9)


def test_a_sum_with_an_unknown_part_is_unknown():
    known, unknown = Usage(input_tokens=1, output_tokens=2, cost=0.5), Usage(input_tokens=1)
    assert add(None, known) == known
    assert add(known, known) == Usage(input_tokens=2, output_tokens=4, cost=1.0)
    assert add(known, unknown) == Usage(input_tokens=2)


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("abcd" * 10, 10), ("日本語", 3), ("ab日本", 2)])
def test_tokens_are_counted_by_script(text, tokens):
    assert abs(tokens_of(text) - tokens) <= 1


def test_usage_of_an_item_is_priced_and_what_is_stored_is_not_spent_again(tmp_path):
    with serving() as server:
        first = judge_for(server, database=tmp_path / "r.db", price=PRICE)
        verdicts = verdicts_of(first)
        # three replies of 100 + 10 tokens: 3 × (100 × 2 + 10 × 10) / 1,000,000
        assert verdicts.usage.cost == pytest.approx(0.0009, abs=1e-12)
        assert first.spent == verdicts.usage
        second = judge_for(server, database=tmp_path / "r.db", price=PRICE)
        assert verdicts_of(second).usage == verdicts.usage
        assert second.spent is None


def test_a_budget_needs_a_price():
    with serving() as server, pytest.raises(InputError, match="no known price for m"):
        judge_for(server, budget=1.0)


def test_a_budget_is_never_passed_and_the_next_run_goes_on(tmp_path):
    items = [
        (case(id=str(i)), trace(f"Refunds take {i} days.").model_copy(update={"case_id": str(i)})) for i in range(8)
    ]
    database = tmp_path / "r.db"
    # A reply costs 0.0003, and a request may cost 0.004 or so (3,000 characters at 2 a token, and 100 tokens out).
    given = {"price": PRICE, "max_output_tokens": 100, "ask": ["support"], "concurrency": 3}
    with serving() as server:
        judge = judge_for(server, database=database, budget=0.006, **given)
        first = asyncio.run(judge_all(judge, items))
        assert 0 < sum(result is not None for result in first) < 8
        assert 0 < judge.spent.cost <= 0.006
        paid = len(server.bodies)
        rest = judge_for(server, database=database, budget=1.0, **given)
        second = asyncio.run(judge_all(rest, items))
    assert all(result is not None for result in second)
    assert len(server.bodies) == 16  # two requests an answer, none of them twice
    assert paid < 16
    assert [a for a in first if a] == [b for a, b in zip(first, second, strict=True) if a]


def test_a_budget_too_small_for_one_request_sends_nothing():
    with serving() as server, pytest.raises(BudgetReached, match=r"\$0\.00 spent"):
        verdicts_of(judge_for(server, price=PRICE, budget=0.001))
    assert server.bodies == []


def test_requests_under_way_count_at_the_most_they_can_cost():
    async def go():
        budget = Budget(0.0015)
        await budget.hold(0.001)
        second = asyncio.create_task(budget.hold(0.001))
        await asyncio.sleep(0)
        assert not second.done()  # there may be room once the first is settled
        budget.settle(0.001, 0.0001)
        await second
        budget.settle(0.001, 0.001)
        with pytest.raises(BudgetReached):
            await budget.hold(0.001)
        return budget.spent

    assert asyncio.run(go()) == pytest.approx(0.0001 + 0.001, abs=1e-12)


def test_a_reply_that_does_not_say_what_it_used_counts_at_the_most_it_could_have_cost():
    with serving(lambda body, number: replace(plainly(body, number), usage=None)) as server:
        judge = judge_for(server, price=PRICE, budget=0.02, max_output_tokens=1000, ask=["support"])
        # 1,000 tokens out are 0.01 alone, so that the second request of an answer may pass the limit
        with pytest.raises(BudgetReached, match=r"\$0\.01\d* spent"):
            verdicts_of(judge)
    assert len(server.bodies) == 1


def test_an_estimate_counts_the_requests_that_are_then_sent_and_sends_none():
    items = [(case(), trace()), (case(), trace("")), (case(), trace("I don't know."))]
    with serving() as server:
        expected = estimate(settings_for(server, price=PRICE), items)
        assert server.bodies == []
        asyncio.run(judge_all(judge_for(server), items))
        sent = server.bodies
    assert (expected.answers, expected.decided_by_rule, expected.requests) == (3, 1, len(sent))
    characters = sum(len(message["content"]) for body in sent for message in body["messages"])
    schemas = sum(len(json.dumps(body["response_format"])) for body in sent)
    assert expected.input_tokens == pytest.approx((characters + schemas) / 4, rel=0.1)
    assert expected.cost == pytest.approx((expected.input_tokens * 2 + expected.output_tokens * 10) / 1e6, rel=1e-9)


def test_an_estimate_for_a_model_without_a_price_has_no_cost():
    assert estimate(settings(), [(case(), trace())]).cost is None


def test_an_estimate_needs_neither_key_nor_server():
    assert estimate(settings(api_key_env="NOT_SET_ANYWHERE"), [(case(), trace())]).requests == 3


def test_the_cost_of_replies_that_could_not_be_used_is_in_the_judge_s_spending():
    with serving(lambda body, number: Say("{") if number == 0 else plainly(body, number)) as server:
        judge = judge_for(server, price=PRICE, ask=["support"])
        verdicts = verdicts_of(judge)
    assert judge.requests == 3
    assert verdicts.usage.cost == pytest.approx(0.0009, abs=1e-12)


def panel(server, **given):
    members = [settings_for(server, price=PRICE, ask=("support",), max_output_tokens=100, seed=n) for n in (1, 2)]
    return PanelSettings(kind="panel", members=tuple(members), **given)


def test_the_models_of_a_panel_share_one_budget():
    """A reply costs 0.0003 dollars and may cost 0.004 or so: two models with a budget each would spend on."""
    items = [(case(id=str(i)), trace().model_copy(update={"case_id": str(i)})) for i in range(20)]
    with serving() as server:
        judge = build_judge(with_budget(panel(server), 0.006))
        before = len(server.bodies)
        asyncio.run(judge_all(judge, items))
        # 0.006 − 0.004 leaves room for seven or eight replies in all
        assert 4 <= len(server.bodies) - before <= 10


def test_a_member_of_a_panel_has_no_budget_of_its_own():
    with serving() as server:
        members = (settings_for(server, budget=1.0), settings_for(server))
        with pytest.raises(InputError, match="one budget for all of them"):
            PanelSettings(kind="panel", members=members)


def test_a_budget_leaves_a_judge_that_costs_nothing_as_it_is():
    assert with_budget(OfflineSettings(), 5.0) == OfflineSettings()


def test_what_is_under_way_when_a_budget_ends_is_finished_and_kept():
    """It is paid for. The second answer's request is still out when the first answer's next one finds no budget."""

    class Spent:
        fingerprint = "spent"
        kept = 0

        async def judge(self, case_, trace_):
            if case_.id == "0":
                await asyncio.sleep(0.01)
                raise BudgetReached("spent")
            await asyncio.sleep(0.05)
            return Verdicts(case_id=case_.id, judge="spent", behaviour={"observed": "answered", "source": "a"})

    items = [(case(id=str(i)), trace().model_copy(update={"case_id": str(i)})) for i in range(40)]
    results = asyncio.run(judge_all(Spent(), items))
    assert [one.case_id for one in results if one] == [
        str(i) for i in range(1, 16)
    ]  # 16 at once, the first of them spent
