from ragvet.judging.local import OfflineJudge
from ragvet.records import Answer, Case, RetrievedItem, Trace
from ragvet.records.lattice import claim_verdicts

JUDGE = OfflineJudge()
WINDOW = "Returns: the return window is 14 days for unopened items. Opened items cannot be returned."


def judge(text, *passages, judge=JUDGE, supplied=True, **case):
    items = tuple(RetrievedItem(chunk_id=f"p{n}", text=passage) for n, passage in enumerate(passages))
    fields = {"supplied": items} if supplied else {"retrievals": ({"items": items},)} if items else {}
    whole = Case(**{"id": "1", "question": "q", "category": "x", "expected_behaviour": "answer", **case})
    return judge.judge_now(whole, Trace(case_id="1", question="q", answer=Answer(text=text, **fields)))


def verdict(text, *passages):
    verdicts = judge(text, *passages)
    (claim,) = [claim for claim in verdicts.claims if claim.needs_evidence]
    return claim_verdicts(verdicts)[claim.id].told
