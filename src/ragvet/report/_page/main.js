// Where the address bar says to go: #case-<id>, #cases?filter=…, or a place on the summary.
const root = document.documentElement;
const pages = { summary: byId("summary"), cases: byId("cases") };
const browser = element("div", { class: "browser" });
const reader = element("article", { class: "case", tabindex: "-1", "aria-live": "off" });
let index = null;
let list = null;
let current = null;
let asked = 0;

const loadIndex = async () => {
  if (list) return;
  index ??= unpack("index");
  index = await index;
  if (list) return;
  list = caseList(index);
  await list.apply({});
  pages.cases.append(browser, reader);
};

const show = (name) => {
  for (const [page, holder] of Object.entries(pages)) holder.hidden = page !== name;
  for (const link of document.querySelectorAll("[data-view]")) {
    if (link.dataset.view === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
};

let pending = 0;
const change = (name, value, field) => {
  field.classList.toggle("active", Boolean(value));
  clearTimeout(pending);
  pending = setTimeout(async () => {
    await list.apply({ ...list.filters(), [name]: value });
    history.replaceState(null, "", casesLink(list.filters()));
    drawList(false);
  }, name === "q" ? 90 : 0);
};

const turn = (step) => { list.turn(list.page() + step); drawList(false); browser.querySelector(".list").scrollTop = 0; };

const drawList = (withFilters = true) => {
  const found = element("div", { class: "found" },
    element("span", { role: "status" }, `${list.found().toLocaleString("en")} of ${list.size.toLocaleString("en")} cases`),
    Object.values(list.filters()).some(Boolean) ? element("a", { href: "#cases", class: "small" }, "clear filters") : null);
  const entries = element("ol", { class: "list", "aria-label": "Cases" }, list.found() ? list.entries(current) : element("li", { class: "empty" }, "No case matches these filters."));
  const pager = list.pages() > 1 ? element("nav", { class: "pager", "aria-label": "Pages of the list" },
    element("button", { class: "button", type: "button", disabled: list.page() === 0, onclick: () => turn(-1) }, "← Before"),
    element("span", {}, `page ${list.page() + 1} of ${list.pages()}`),
    element("button", { class: "button", type: "button", disabled: list.page() + 1 >= list.pages(), onclick: () => turn(1) }, "After →")) : null;
  const bar = withFilters || !browser.firstChild ? filterBar(index, list, change) : browser.firstChild;
  const wasAt = browser.querySelector(".list")?.scrollTop ?? 0;
  const hadFocus = Boolean(document.activeElement?.closest(".list"));
  if (bar === browser.firstChild) {
    while (browser.lastChild !== bar) browser.lastChild.remove();
    browser.append(found, entries, ...(pager ? [pager] : []));
  } else browser.replaceChildren(bar, found, entries, ...(pager ? [pager] : []));
  entries.scrollTop = wasAt;
  const chosen = entries.querySelector("[aria-current]");
  chosen?.scrollIntoView({ block: "nearest" });
  if (hadFocus) chosen?.focus({ preventScroll: true });
};

const openCase = async (id) => {
  await loadIndex();
  show("cases");
  list.showPageOf(id);
  pages.cases.classList.add("reading");
  await readCase(id);
  document.title = `${id} · ragvet`;
  window.scrollTo(0, 0);
  if (browser.offsetParent === null) reader.focus({ preventScroll: true });
};

const decoded = (text) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // an address somebody cut off in the middle of a letter
  }
};

const readCase = async (id) => {
  const request = ++asked;
  current = id;
  drawList(!browser.firstChild);
  if (!list.has(id)) {
    reader.replaceChildren(element("p", { class: "empty" }, `There is no case ${id} in this run.`));
    return;
  }
  const page = await detailOf(list.row(id));
  if (request !== asked) return;
  const place = list.place(id); // among the cases that match the filters, where it is one of them
  const [at, all] = place < 0 ? [list.row(id), list.size] : [place, list.found()];
  const position = `${(at + 1).toLocaleString("en")} of ${all.toLocaleString("en")}`;
  const draw = (item) => renderCase(reader, page, item, list, index.supplied_k, position, draw);
  draw(page.items[0]);
};

const openList = async (filters) => {
  await loadIndex();
  show("cases");
  current = null;
  await list.apply(Object.fromEntries(FILTERS.map((name) => [name, filters.get(name) ?? ""])));
  pages.cases.classList.remove("reading");
  drawList();
  reader.replaceChildren();
  window.scrollTo(0, 0);
  if (list.found()) await readCase(list.first());
};

const go = async () => {
  const place = location.hash.slice(1);
  if (place.startsWith("case-")) return openCase(decoded(place.slice(5)));
  if (/^cases(\?|$)/.test(place)) return openList(new URLSearchParams(place.slice(6)));
  // Coming from a case, or after strata have folded away while loading, the browser's own jump went astray.
  const astray = pages.summary.hidden || (place && !arrived);
  show("summary");
  document.title = summaryTitle;
  if (astray) byId(place || "summary")?.scrollIntoView({ behavior: "instant" });
  arrived = true;
};

const summaryTitle = document.title;
let arrived = false;
const step = (by) => {
  const next = list?.neighbour(current, current === null ? 0 : by);
  if (next !== null && next !== undefined) location.hash = caseLink(next).slice(1);
};

reader.addEventListener("click", (event) => {
  const link = event.target.closest("[data-passage], [data-step], [data-claim]");
  if (!link) return;
  if (link.dataset.step) step(Number(link.dataset.step));
  else if (link.dataset.passage) openPassage(reader, link.dataset.passage);
  else {
    const row = [...reader.querySelectorAll("[data-claim-row]")].find((other) => other.dataset.claimRow === link.dataset.claim);
    reader.querySelectorAll(".lit").forEach((lit) => lit.classList.remove("lit"));
    row?.classList.add("lit");
    row?.scrollIntoView({ block: "nearest" });
  }
  event.preventDefault();
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.closest?.("input, select, textarea");
  if (event.key === "Escape" && typing) return void typing.blur();
  if (typing) return;
  if (event.key === "/") {
    event.preventDefault();
    if (pages.cases.hidden) location.hash = "cases";
    loadIndex().then(() => setTimeout(() => byId("filter")?.focus()));
  }
  if (pages.cases.hidden) return;
  if (event.key === "j" || event.key === "ArrowRight") step(1);
  if (event.key === "k" || event.key === "ArrowLeft") step(-1);
});

// The summary is whole without this script; with it, strata fold away and tables sort.
for (const body of document.querySelectorAll(".metrics tbody")) {
  const strata = [...body.querySelectorAll(".stratum")];
  const name = body.querySelector(".heading b");
  if (!strata.length || !name) continue;
  const button = element("button", { class: "disclose", type: "button", "aria-expanded": "false", onclick: () => {
    const open = button.getAttribute("aria-expanded") === "false";
    button.setAttribute("aria-expanded", String(open));
    strata.forEach((row) => { row.hidden = !open; });
  } }, name.textContent);
  name.replaceWith(button);
  strata.forEach((row) => { row.hidden = true; });
}
for (const sorted of document.querySelectorAll("table[data-sortable]")) {
  const headings = [...sorted.querySelectorAll("thead th")].slice(1);
  headings.forEach((heading, column) => {
    heading.replaceChildren(element("button", { class: "sort", type: "button", title: "Worst first", onclick: () => {
      const rows = [...sorted.tBodies[0].rows].slice(1);
      const up = heading.dataset.direction !== "lower";
      const worst = (row) => { const at = row.cells[column + 1].dataset.worst; return at ? Number(at) * (up ? 1 : -1) : Infinity; };
      sorted.tBodies[0].append(...rows.sort((a, b) => worst(a) - worst(b)));
      headings.forEach((other) => other.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", up ? "ascending" : "descending");
    } }, heading.textContent));
  });
}

const themeButton = byId("theme");
const stored = () => { try { return localStorage.getItem("ragvet-theme"); } catch { return null; } };
const dark = () => (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
const setTheme = (theme) => {
  if (theme) root.dataset.theme = theme;
  themeButton.textContent = dark() ? "Light" : "Dark";
  themeButton.setAttribute("aria-label", `Switch to ${dark() ? "light" : "dark"} colours`);
};
themeButton.hidden = false;
themeButton.addEventListener("click", () => {
  setTheme(dark() ? "light" : "dark");
  try { localStorage.setItem("ragvet-theme", root.dataset.theme); } catch { /* a private window keeps nothing */ }
});
setTheme(stored());

const follow = () => go().catch((error) => {
  show("cases");
  pages.cases.replaceChildren(element("p", { class: "empty" }, `The cases cannot be shown in this browser (${error}). The summary can.`));
});
addEventListener("hashchange", follow);
follow();
