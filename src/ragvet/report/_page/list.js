// The case list: one row per case, filtered and sorted over columns, shown a page at a time.
const PAGE = 50;
const FILTERS = ["q", "stratum", "metric", "status", "expected", "observed", "verdict", "failed"];
const STATUS = { s: "scored", b: "bounded", u: "undefined", f: "failed" };

const caseList = (index) => {
  const size = index.id.length;
  const rowOf = new Map(index.id.map((id, row) => [id, row]));
  const lowered = index.id.map((id, row) => `${id}\n${index.question[row]}`.toLowerCase());
  let filters = {};
  let rows = [];
  let page = 0;
  let scores = null;
  const metricAt = new Map(index.metrics.map((metric, place) => [metric.name, place]));
  const known = new Map();

  // Scores lie apart, a metric each: most readers sort by one or two of many.
  const scoresOf = async (metric) => {
    const place = metricAt.get(metric);
    if (place === undefined) return null;
    if (!known.has(metric)) known.set(metric, await unpack(`scores-${place}`));
    return known.get(metric);
  };

  const keep = (row) => {
    if (filters.q && !lowered[row].includes(filters.q.toLowerCase())) return false;
    if (filters.stratum && !index.strata[row].includes(index.stratum_names.indexOf(filters.stratum))) return false;
    if (filters.expected && index.expected[row] !== filters.expected) return false;
    if (filters.observed && !index.observed[row].includes(filters.observed)) return false;
    if (filters.verdict && !index.verdicts[row].includes(filters.verdict)) return false;
    if (filters.failed === "ambiguous" ? !index.ambiguous[row] : filters.failed && index.failed[row] !== filters.failed) return false;
    if (!scores) return true;
    const status = STATUS[scores.status[row]];
    return !index.ambiguous[row] && status !== undefined && (!filters.status || status === filters.status);
  };

  const apply = async (wanted) => {
    filters = wanted;
    const found = await scoresOf(filters.metric);
    if (filters !== wanted) return;
    scores = found;
    rows = [];
    for (let row = 0; row < size; row += 1) if (keep(row)) rows.push(row);
    if (scores) {
      const lower = index.metrics[metricAt.get(filters.metric)].direction === "lower";
      const worst = (row) => (lower ? -(scores.high[row] ?? -Infinity) : scores.low[row] ?? Infinity);
      const best = (row) => (lower ? -(scores.low[row] ?? -Infinity) : scores.high[row] ?? Infinity);
      const compare = (of, a, b) => (of(a) === of(b) ? 0 : of(a) - of(b));
      rows.sort((a, b) => compare(worst, a, b) || compare(best, a, b) || a - b);
    }
    page = 0;
  };

  const value = (row) => {
    if (!scores) return "";
    const [low, high] = [scores.low[row], scores.high[row]];
    return low === null ? STATUS[scores.status[row]] : interval(low, high);
  };

  const flags = (row) => {
    if (index.failed[row]) return element("span", { class: "v v-contradicted verdict" }, `✗ ${index.failed[row]} failed`);
    if (index.ambiguous[row]) return element("span", { class: "v verdict" }, "ambiguous");
    const odd = index.observed[row].filter((observed) => observed !== EXPECTED[index.expected[row]]);
    return odd.length ? element("span", { class: "v v-unsupported verdict" }, `${index.expected[row]} → ${odd.join(", ")}`) : null;
  };

  const entries = (current) =>
    rows.slice(page * PAGE, (page + 1) * PAGE).map((row) =>
      element("li", {},
        element("a", { href: caseLink(index.id[row]), "aria-current": index.id[row] === current ? "true" : null },
          element("span", { class: "line" },
            element("span", { class: "q", dir: "auto" }, index.question[row] || index.id[row]),
            element("span", { class: "value" }, value(row), index.question[row] ? null : [" ", flags(row)])),
          index.question[row] ? element("span", { class: "line" },
            element("span", { class: "id mono" }, index.id[row]), flags(row)) : null)));

  return {
    size, apply, entries, has: (id) => rowOf.has(id), row: (id) => rowOf.get(id),
    filters: () => filters,
    found: () => rows.length,
    place: (id) => rows.indexOf(rowOf.get(id)),
    pages: () => Math.max(1, Math.ceil(rows.length / PAGE)),
    page: () => page,
    turn: (to) => { page = Math.min(Math.max(0, to), Math.max(0, Math.ceil(rows.length / PAGE) - 1)); },
    showPageOf: (id) => { const at = rows.indexOf(rowOf.get(id)); if (at >= 0) page = Math.floor(at / PAGE); },
    first: () => (rows.length ? index.id[rows[page * PAGE]] : null),
    neighbour: (id, step) => {
      const at = rows.indexOf(rowOf.get(id));
      const row = at < 0 ? rows[0] : rows[at + step];
      return row === undefined ? null : index.id[row];
    },
  };
};

const EXPECTED = { answer: "answered", refuse: "refused", clarify: "clarified", route: "routed" };
const caseLink = (id) => `#case-${encodeURIComponent(id)}`;
const casesLink = (filters) => {
  const written = String(new URLSearchParams(Object.entries(filters).filter(([, value]) => value)));
  return written ? `#cases?${written}` : "#cases";
};

const choice = (name, label, options, filters, change) =>
  element("label", {}, label,
    element("select", { name, class: filters[name] ? "active" : null, onchange: (event) => change(name, event.target.value, event.target) },
      element("option", { value: "" }, "any"),
      options.map(([title, values]) => {
        const made = values.map((value) => element("option", { value, selected: filters[name] === value }, value));
        return title ? element("optgroup", { label: title }, made) : made;
      })));

const filterBar = (index, list, change) => {
  const filters = list.filters();
  const labels = [...grouped(index.stratum_names, (name) => name.split("=")[0])];
  const unique = (columns) => [["", [...new Set(columns.flat())].sort()]];
  const more = ["expected", "observed", "verdict", "failed"].some((name) => filters[name]);
  return element("form", { class: "filters", role: "search", onsubmit: (event) => event.preventDefault() },
    element("input", { type: "search", id: "filter", name: "q", placeholder: CONTENT ? "Filter by words or id   /" : "Filter by id   /", "aria-label": "Filter cases", value: filters.q ?? "", autocomplete: "off", oninput: (event) => change("q", event.target.value, event.target) }),
    choice("stratum", "Stratum", labels, filters, change),
    element("div", { class: "pair" },
      choice("metric", "Metric, worst first", [["", index.metrics.map((metric) => metric.name)]], filters, change),
      choice("status", "Its status", [["", Object.values(STATUS)]], filters, change)),
    element("details", { open: more },
      element("summary", {}, "Behaviour, verdicts, failures"),
      element("div", {},
        element("div", { class: "pair" },
          choice("expected", "Expected", unique(index.expected), filters, change),
          choice("observed", "Observed", unique(index.observed), filters, change)),
        element("div", { class: "pair" },
          choice("verdict", "Has a claim that is", unique(index.verdicts), filters, change),
          choice("failed", "Outside the scores", [["", ["target", "judge", "ambiguous"]]], filters, change)))));
};
