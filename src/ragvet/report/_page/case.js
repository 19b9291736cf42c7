// One case, in the order evidence travels: question, what was expected, what was found, shown, said, and judged.
const chunkName = (item, id) => item?.title ?? id;

const grade = (rows, place) => {
  if (rows.redundant[place]) return ["repeats", "repeats evidence above"];
  const given = rows.grade[place];
  if (given < 0) return ["unjudged", "unjudged"];
  return given > 0 ? ["relevant", given > 1 ? `relevant, grade ${given}` : "relevant"] : ["non-relevant", "non-relevant"];
};
const GRADE_SIGNS = { relevant: "✓", "non-relevant": "–", unjudged: "?", repeats: "↻" };

const openPassage = (root, id) => {
  const target = [...root.querySelectorAll("details[data-chunk]")].find((details) => details.dataset.chunk === id);
  if (!target) return;
  root.querySelectorAll(".lit").forEach((lit) => lit.classList.remove("lit"));
  target.open = true;
  target.classList.add("lit");
  target.scrollIntoView({ block: "center" });
  target.querySelector("summary").focus({ preventScroll: true });
};

const passageLink = (item, id) =>
  element("a", { href: "#", "data-passage": id, title: id, dir: "auto" }, chunkName(item.chunks?.[id], id));

const earlierTurns = (history) => {
  const turns = element("ol", { class: "turns", "aria-label": "Earlier turns" }, history.map(([role, content]) =>
    element("li", {}, element("b", {}, role), element("span", { class: "text", dir: "auto" }, content))));
  return history.length <= 2 ? turns : element("details", { class: "fold" }, element("summary", {}, `${history.length} earlier turns`), turns);
};

const head = (page, item, list, position) =>
  element("header", { class: "case-head" },
    element("div", { class: "case-nav noprint" },
      element("a", { class: "button back", href: casesLink(list.filters()) }, "← All cases"),
      element("span", { class: "mono" }, page.id),
      element("span", { class: "quiet small" }, position),
      element("button", { class: "button", type: "button", "data-step": "-1", "aria-keyshortcuts": "k" }, "↑ Previous"),
      element("button", { class: "button", type: "button", "data-step": "1", "aria-keyshortcuts": "j" }, "↓ Next")),
    page.history ? earlierTurns(page.history) : null,
    element("h1", { dir: "auto" }, page.question ?? page.id),
    element("p", {}, "Expected to ", element("b", {}, page.expected), ", ",
      item.observed === EXPECTED[page.expected] ? element("span", { class: "v v-supported verdict" }, `✓ ${item.observed}`)
        : element("span", { class: `v ${item.observed === "undecided" ? "" : "v-contradicted"} verdict` }, `${item.observed === "undecided" ? "?" : "✗"} ${item.observed}`),
      item.observed_source ? element("span", { class: "quiet small" }, " (", element("bdi", {}, item.observed_source), ")") : null),
    element("ul", { class: "chips" }, Object.entries(page.strata).map(([label, value]) =>
      element("li", {}, element("a", { href: casesLink({ stratum: `${label}=${value}` }) }, `${label}: `, element("bdi", {}, value))))));

const repeatsForbidden = (item) => item.scores?.low[item.scores.metric.indexOf("forbidden_text")] === 1;

const notes = (page, item) => [
  repeatsForbidden(item) ? element("p", { class: "note v v-contradicted" }, element("b", {}, "✗ The answer repeats forbidden text"),
    page.must_not_contain ? [": ", page.must_not_contain.map((text, place) => [place ? " or " : "", element("q", { dir: "auto" }, text)])] : "") : null,
  page.ambiguous ? element("p", { class: "note v" }, element("b", {}, "Ambiguous: "), "the reviewers",
    page.reviewers ? ` (${page.reviewers.join(", ")})` : "", " did not agree; the case counts in no score. ", page.note ?? "") : null,
  item.error ? element("p", { class: "note v v-contradicted", role: "status" }, element("b", {}, `✗ ${item.error.kind}`), item.error.message ? `: ${item.error.message}` : "",
    element("span", { class: "quiet" }, ` after ${item.attempts} ${item.attempts === 1 ? "attempt" : "attempts"}`)) : null,
  item.judge_failure ? element("p", { class: "note v v-contradicted" }, element("b", {}, "✗ The judge failed: "), item.judge_failure) : null,
];

// A citation's span is the text it backs; its marker is looked for there and after it, each place once.
const markers = (item) => {
  const taken = new Set();
  return (item.citations ?? []).flatMap((citation) => {
    if (!citation.marker) return [];
    let at = item.answer.indexOf(citation.marker, utf16(item.answer, citation.start ?? 0));
    while (taken.has(at)) at = item.answer.indexOf(citation.marker, at + 1);
    if (at < 0) return [];
    taken.add(at);
    const start = codePoints(item.answer.slice(0, at));
    return [{ ...citation, cite: true, start, end: start + codePoints(citation.marker) }];
  });
};

const answerText = (item) => {
  const cited = markers(item);
  const linked = (piece, start) => {
    const here = cited.map((citation) => ({ ...citation, start: citation.start - start, end: citation.end - start }));
    return withSpans(piece, here.filter((citation) => citation.end > 0), (citation, text) => citeLink(item, citation, text));
  };
  const claimed = (claim, piece, start, last) => {
    const label = `claim ${claim.place + 1}: ${claim.verdict}`;
    return element("span", { class: `claim-mark v v-${claim.verdict}`, title: label, "data-claim": claim.id },
      linked(piece, start), last ? element("sup", {}, element("a", { href: "#", "data-claim": claim.id, "aria-label": label }, `${SIGNS[claim.verdict]}${claim.place + 1}`)) : null);
  };
  const spans = (item.claims ?? []).map((claim, place) => ({ ...claim, place }));
  return element("div", { class: "answer text", dir: "auto" }, withSpans(item.answer, spans, claimed, linked).flat());
};

const citeLink = (item, citation, text) => {
  const target = citation.chunk ?? Object.keys(item.chunks ?? {}).find((id) => item.chunks[id].doc === citation.doc);
  return target ? element("a", { class: "cite", href: "#", "data-passage": target }, text) : element("span", { class: "cite" }, text);
};

const supportLine = (item, rows) =>
  element("div", { class: "more" },
    element("span", {}, verdictLabel(rows[0].verdict), " by ", rows.map((row, place) => [place ? ", " : "", passageLink(item, row.passage)]),
      rows[0].missing_qualification ? element("b", {}, " · drops a qualification of the passage") : null),
    rows[0].quote ? element("q", { dir: "auto" }, rows[0].quote.text) : null,
    rows[0].quote?.edit_distance ? element("span", {}, `quoted with ${rows[0].quote.edit_distance} characters changed`) : null,
    rows[0].reason ? element("span", { dir: "auto" }, rows[0].reason) : null);

// What decided comes first; passages that say the same stand together, and those that say less fold away.
const support = (item, claim) => {
  const lines = (rows) => [...grouped(rows, (row) => [row.verdict, row.reason, row.quote?.text, row.missing_qualification].join("\n")).values()]
    .map((same) => supportLine(item, same));
  const [deciding, other] = [[], []];
  for (const row of claim.support ?? []) (row.verdict === claim.verdict ? deciding : other).push(row);
  if (!other.length) return lines(deciding);
  const told = [...grouped(other, (row) => row.verdict)].map(([verdict, rows]) => `${rows.length} ${verdict}`).join(", ");
  return [lines(deciding), element("details", { class: "fold small" }, element("summary", {}, `other passages: ${told}`), lines(other))];
};

const claims = (item) => {
  const agreement = new Map((item.agreement ?? []).map((row) => [row.claim, row]));
  return element("ol", { class: "rows" }, item.claims.map((claim, place) =>
    element("li", { "data-claim-row": claim.id },
      element("span", {}, element("span", { class: "quiet" }, `${place + 1}  `), verdictLabel(claim.verdict)),
      element("div", {},
        claim.text ? element("p", { dir: "auto" }, claim.text) : null,
        claim.needs_evidence ? null : element("p", { class: "quiet small" }, "needs no evidence"),
        agreement.has(claim.id) ? element("p", { class: "small" }, verdictLabel(agreement.get(claim.id).verdict),
          element("span", { class: "quiet" }, ` against the reference answer${agreement.get(claim.id).reason ? `: ${agreement.get(claim.id).reason}` : ""}`)) : null,
        claim.addresses_question === false ? element("p", { class: "quiet small" }, "does not address the question") : null,
        support(item, claim)))));
};

const answer = (item) => {
  const note = [...grouped(item.claims ?? [], (claim) => claim.verdict)].map(([verdict, found]) => `${found.length} ${verdict}`).join(", ");
  if (item.error) return null;
  return section("Answer", note && `claims: ${note}`,
    item.blank && CONTENT ? element("p", { class: "quiet" }, "The answer is blank.") : item.answer ? answerText(item) : element("p", { class: "quiet" }, CONTENT ? "There is no answer text." : "The text is left out of this report."),
    item.claims ? claims(item) : null,
    item.conflicts ? element("ul", { class: "rows" }, item.conflicts.map((conflict) => element("li", {},
      element("span", { class: "v v-unsupported verdict" }, "⇄ sources differ"),
      element("p", {}, conflict.about ?? "", " ", passageLink(item, conflict.passages[0]), " and ", passageLink(item, conflict.passages[1]),
        conflict.surfaced === true ? ": the answer says so" : conflict.surfaced === false ? ": the answer does not say so" : "")))) : null);
};

const required = (page, item) => {
  if (!page.required) return null;
  const coverage = new Map((item.coverage ?? []).map((row) => [row.required_claim, row]));
  return section("Required claims", "what the answer must say", element("ol", { class: "rows" }, page.required.map((claim) => {
    const row = coverage.get(claim.id);
    return element("li", {},
      row ? verdictLabel(row.verdict) : element("span", { class: "quiet small" }, "not judged"),
      element("div", {}, element("p", { dir: "auto" }, claim.text ?? claim.id),
        element("div", { class: "more" }, element("span", {}, [claim.kind.replace("_", " "), claim.materiality].join(", ")),
          row?.quote ? element("q", { dir: "auto" }, row.quote.text) : null, row?.reason ? element("span", { dir: "auto" }, row.reason) : null)));
  })));
};

const gold = (page, item) => {
  if (!page.gold) return null;
  const rows = item.rankings?.union;
  return section("Gold passages", "what a person marked as evidence", element("ol", { class: "rows" }, page.gold.map((passage, number) => {
    const at = rows ? rows.passages.findIndex((carried) => carried.includes(number)) : -1;
    return element("li", {},
      passage.grade === 0 ? element("span", { class: "quiet verdict" }, "not relevant")
        : at >= 0 ? element("span", { class: "v v-supported verdict" }, `✓ reached at ${rows.rank[at]}`)
          : rows ? element("span", { class: "v v-missing verdict" }, `∅ not in ${rows.rank.length}`)
            : element("span", { class: "v verdict" }, "? not known"),
      element("div", {},
        element("p", {}, element("bdi", { class: "mono" }, passage.doc_id), [passage.doc_version, passage.locator].filter(Boolean).map((part) => [" · ", element("bdi", {}, part)]),
          passage.grade > 1 ? ` · grade ${passage.grade}` : "", passage.any_of ? ` · one of ${passage.any_of}` : passage.all_of ? ` · all of ${passage.all_of}` : ""),
        passage.quote ? element("q", { dir: "auto" }, passage.quote) : null,
        at >= 0 ? element("div", { class: "more" }, element("span", {}, "carried by ", passageLink(item, rows.chunk_id[at]))) : null));
  })));
};

// The text of one chunk with what was quoted from it: by the judge (marked) and by people as gold (underlined).
const passageText = (page, item, id, text) => {
  const quoted = [
    ...(item.claims ?? []).flatMap((claim) => claim.support ?? []).filter((row) => row.passage === id && row.quote).map((row) => row.quote),
    ...(item.cited ?? []).filter((row) => row.quote && item.citations?.[row.citation]?.chunk === id).map((row) => row.quote),
  ].map((quote) => ({ ...(spanOf(text, quote.text) ?? quote), gold: false }));
  const marked = (page.gold ?? []).map((passage) => spanOf(text, passage.quote)).filter(Boolean).map((span) => ({ ...span, gold: true }));
  return withSpans(text, [...marked, ...quoted], (span, piece) => element("mark", { class: span.gold ? "gold" : null }, piece));
};

const fillPassage = async (page, item, id, holder) => {
  if (holder.dataset.filled) return;
  holder.dataset.filled = "yes";
  const chunk = item.chunks?.[id];
  const text = chunk?.text === undefined ? null : await textOf(chunk.text);
  holder.append(
    element("span", { class: "quiet small mono" }, [id, chunk?.doc, chunk?.version].filter(Boolean).join(" · ")),
    text === null ? element("p", { class: "quiet" }, CONTENT ? "The target did not report the text of this chunk." : "The text is left out of this report.")
      : element("div", { class: "text", dir: "auto" }, passageText(page, item, id, text)));
};

const chunkDetails = (page, item, id, rank, judgment, meta) => {
  const holder = element("div", { class: "passage" });
  return element("li", {},
    element("details", { "data-chunk": id, ontoggle: () => fillPassage(page, item, id, holder) },
      element("summary", {},
        element("span", { class: "rank" }, rank),
        judgment,
        element("span", { class: "name", dir: "auto" }, item.chunks?.[id]?.title ? [item.chunks[id].title, " "] : null,
          element("span", { class: "mono quiet" }, id)),
        element("span", { class: "meta" }, meta)),
      holder));
};

const rankedRow = (page, item, rows, place) => {
  const [kind, label] = grade(rows, place);
  const score = rows.score[place];
  return chunkDetails(page, item, rows.chunk_id[place], rows.rank[place],
    element("span", { class: `verdict g-${kind}` }, `${GRADE_SIGNS[kind]} ${label}`),
    [rows.supplied[place] ? "supplied" : "", score === null ? "" : number(score)].filter(Boolean).join(" · "));
};

const rankedList = (page, item, rows, k) => {
  const entries = rows.rank.map((rank, place) => rankedRow(page, item, rows, place));
  const cut = rows.rank.findIndex((rank) => rank > k);
  if (cut > 0) entries.splice(cut, 0, element("li", {}, element("div", { class: "cut" }, `the supplied depth ends here: ${k}`)));
  return element("ol", { class: "ranked" }, entries);
};

const ranking = (page, item, k) => {
  const views = Object.entries(item.rankings ?? {});
  if (item.error) return null;
  if (!views.length) return section("Ranked list", "", element("p", { class: "quiet" }, item.queries ? "Nothing was retrieved." : "The target reported no retrieval."));
  const holder = element("div", {}, rankedList(page, item, views[0][1], k));
  const names = { union: `all ${item.queries?.length ?? 1} calls, by first appearance`, last: "the last call" };
  const tabs = views.length > 1 ? element("div", { class: "tabs" }, views.map(([view, rows], place) =>
    element("button", { class: "button", type: "button", "aria-pressed": String(place === 0), onclick: (event) => {
      tabs.querySelectorAll("button").forEach((button) => button.setAttribute("aria-pressed", String(button === event.target)));
      holder.replaceChildren(rankedList(page, item, rows, k));
    } }, names[view]))) : null;
  const queries = (item.queries ?? []).filter((query) => query && query !== page.question);
  return section("Ranked list", plural(views[0][1].rank.length, "chunk"),
    queries.length ? element("p", { class: "quiet small" }, "Asked the index: ", queries.map((query, place) => [place ? " · " : "", element("q", { dir: "auto" }, query)])) : null,
    tabs, holder);
};

const supplied = (page, item) => {
  if (item.error) return null;
  if (item.supplied === undefined) return section("Supplied context", "", element("p", { class: "quiet" }, "The target did not report what the model saw."));
  const context = element("div", { class: "text small", dir: "auto" });
  const ranked = new Set(item.rankings?.union?.chunk_id ?? []);
  return section("Supplied context", `${plural(item.supplied.length, "chunk")}, in this order`,
    item.supplied.every((id) => ranked.has(id))
      ? element("p", { class: "small" }, item.supplied.map((id, place) => [place ? ", " : "", `${place + 1} `, passageLink(item, id)]))
      : element("ol", { class: "ranked" }, item.supplied.map((id, place) => chunkDetails(page, item, id, place + 1,
        element("span", { class: "quiet small" }, ranked.has(id) ? "ranked above" : "not in the ranking"), ""))),
    item.context === undefined ? null : element("details", { class: "fold", ontoggle: async () => {
      if (!context.textContent) context.textContent = await textOf(item.context);
    } }, element("summary", {}, "The exact context"), context));
};

const yesNo = (fact) => (fact === undefined || fact === null ? "not checked" : fact ? "✓ yes" : "✗ no");

const citations = (item) => {
  if (item.error || item.citations === undefined) return item.error ? null : section("Citations", "", element("p", { class: "quiet" }, "The target reported no citations."));
  const verdicts = new Map((item.cited ?? []).map((row) => [row.citation, row]));
  return section("Citations", String(item.citations.length), table(
    ["Citation", "Points at", "Verdict", "Resolves", "Retrieved", "Right version", "Permitted"],
    item.citations.map((citation, place) => {
      const row = verdicts.get(place) ?? {};
      return [citation.marker ?? place + 1, element("span", {}, citeLink(item, citation, citation.chunk ?? citation.doc ?? "nothing"),
        row.quote ? element("div", {}, element("q", { dir: "auto" }, row.quote.text)) : null, row.reason ? element("div", { class: "quiet small", dir: "auto" }, row.reason) : null),
      row.verdict ? verdictLabel(row.verdict) : "not judged", yesNo(row.resolves), yesNo(row.retrieved), yesNo(row.right_version), yesNo(row.permitted)];
    })));
};

const toolCalls = (item) => {
  if (!item.tool_calls) return null;
  return section("Tool calls", String(item.tool_calls.length), table(["Tool", "Arguments", "Result"], item.tool_calls.map((call) =>
    [call.name, element("span", { class: "mono small", dir: "auto" }, call.arguments ?? ""), element("span", { class: "small", dir: "auto" }, call.result ?? "")])));
};

const scores = (item) => {
  const rows = item.scores;
  if (!rows) return null;
  return section("Scores", "", table(["Metric", "Value", "Status", "Why"], rows.metric.map((metric, place) => [
    element("a", { href: casesLink({ metric }) }, metric),
    rows.low[place] === null ? "" : interval(rows.low[place], rows.high[place]),
    rows.status[place],
    element("span", { class: "quiet small" }, rows.reason[place] ?? (rows.denominator[place] === null ? "" : `${amount(rows.numerator[place])} of ${amount(rows.denominator[place])}`)),
  ]), { class: "plain scores" }));
};

const facts = (page, item) => {
  const usage = Object.entries(item.usage ?? {}).map(([stage, spent]) =>
    `${stage}: ${spent.input_tokens ?? "unknown"} tokens in, ${spent.output_tokens ?? "unknown"} out, ${spent.cost === undefined ? "cost unknown" : `$${spent.cost.toPrecision(2)}`}`);
  const pairs = [
    ["Latency", item.latency === undefined ? "not measured" : seconds(item.latency)],
    ["By stage", Object.entries(item.timings ?? {}).map(([stage, spent]) => `${stage} ${seconds(spent)}`).join(", ")],
    ["Tokens and cost", usage.join("; ") || "unknown"],
    ["Cache", (item.cache ?? []).map((look) => [`${look.stage}: ${look.hit ? "hit" : "miss"}`, look.scope ? `shared by ${look.scope}` : "", look.key ? `key ${look.key}` : ""].filter(Boolean).join(", ")).join("; ")],
    ["Retries of the target", Object.entries(item.retries ?? {}).map(([stage, count]) => `${stage === "unknown" ? "at a stage it does not name" : stage} ${count}`).join(", ")],
    ["Attempts of the caller", item.attempts > 1 ? item.attempts : ""],
    ["Finish reason", item.finish_reason], ["Session", item.session],
    ["Asked as", page.identity ? [page.identity.id, ...(page.identity.groups ?? [])].join(", ") : ""],
    ["Effective date", page.effective_date], ["Source of the question", page.source], ["Judge", item.judge],
    ["Reviewers", page.ambiguous ? "" : (page.reviewers ?? []).join(", ")],
  ];
  return section("Circumstances", "", element("dl", { class: "facts" },
    pairs.filter(([, value]) => value).map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value)))));
};

const reference = (page, item) => {
  if (!page.reference_answer && !item.reference_support) return null;
  return section("Reference answer", "",
    page.reference_answer ? element("p", { class: "text", dir: "auto" }, page.reference_answer) : null,
    item.reference_support ? element("ol", { class: "rows" }, item.reference_support.map((row) => element("li", {}, verdictLabel(row.verdict),
      element("div", {}, row.statement ? element("p", { dir: "auto" }, row.statement) : null,
        element("div", { class: "more" }, element("span", {}, "in the supplied context", row.passage ? [": ", passageLink(item, row.passage)] : ""),
          row.quote ? element("q", { dir: "auto" }, row.quote.text) : null))))) : null);
};

const forbidden = (page) =>
  page.must_not_contain ? section("Must not appear", "in any answer", element("ul", { class: "rows" },
    page.must_not_contain.map((text) => element("li", {}, element("span", { class: "quiet small" }, "text"), element("p", { dir: "auto" }, text))))) : null;

const renderCase = (root, page, item, list, k, position, show) => {
  const repeats = page.items.length > 1 ? element("div", { class: "tabs noprint", role: "group", "aria-label": "Repeats" }, page.items.map((other) =>
    element("button", { class: "button", type: "button", "aria-pressed": String(other === item), onclick: () => show(other) }, `repeat ${other.repeat + 1}`))) : null;
  root.replaceChildren(head(page, item, list, position), ...[repeats, ...notes(page, item), answer(item), required(page, item), reference(page, item), forbidden(page),
    gold(page, item), ranking(page, item, k), supplied(page, item), toolCalls(item), citations(item), scores(item), facts(page, item)].filter(Boolean));
};
