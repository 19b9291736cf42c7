"""The one way from an answer to its verdicts: what it claims, which questions that takes, the rulings, the verdicts."""

from __future__ import annotations

from ragvet.errors import JudgeError
from ragvet.judging._assembly import Said, assemble
from ragvet.judging._inquiry import Inquiry
from ragvet.judging._protocol import (
    AnyJudge,
    Judge,
    WholeAnswerJudge,
    in_use,
    judges_of,
    register_of,
    scope_of,
    signed_by,
)
from ragvet.judging._usage import total
from ragvet.records import Case, Rulings, Segmentation, Trace, Usage, Verdicts


async def judge_answer(judge: AnyJudge, case: Case, trace: Trace) -> Verdicts:
    """Every verdict about the answer in `trace`, by whichever judge.

    Raises:
        JudgeError: the judge failed, or the trace holds no answer; with the raw reply and what the attempts cost.
        InputError: the judge must not judge this case.
        BudgetReached: the next request to a model might cost more than the budget has left.
    """
    async with in_use(judge):
        if isinstance(judge, WholeAnswerJudge):
            return await judge.judge(case, trace)
        if trace.answer is None:
            raise JudgeError("there is no answer to judge: the target failed on this case")
        segmentation = await judge.segment(case, trace)
        inquiry = Inquiry(case, trace, trace.answer, segmentation, scope_of(judge), register_of(judge))
        try:
            rulings = await judge.decide(inquiry.questions)
        except JudgeError as error:
            spent = total((segmentation.usage, None if error.usage is None else Usage.model_validate(error.usage)))
            error.usage = None if spent is None else spent.model_dump()
            raise
    return _verdicts(judge, inquiry, segmentation, rulings)


def _verdicts(judge: Judge, inquiry: Inquiry, segmentation: Segmentation, rulings: Rulings) -> Verdicts:
    """What the judge said, put together; of a panel with what each of its judges said to the same questions."""
    members = tuple(
        _verdicts(member, inquiry, seen, replied)
        for member, seen, replied in zip(judges_of(judge), segmentation.members, rulings.members, strict=True)
    )
    signature = signed_by(judge, segmentation.servers | rulings.servers)
    return assemble(inquiry, Said(segmentation, rulings, signature), members)
