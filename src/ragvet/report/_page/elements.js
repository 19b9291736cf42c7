// Elements are made from text, never from markup: nothing a document or a model says can become a tag.
const element = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
};

const grouped = (values, keyOf) => {
  const groups = new Map();
  for (const value of values) {
    const key = keyOf(value);
    if (groups.has(key)) groups.get(key).push(value);
    else groups.set(key, [value]);
  }
  return groups;
};

const byId = (id) => document.getElementById(id);

const section = (title, note, ...children) =>
  element("section", {}, element("h2", {}, title, note ? element("small", {}, note) : null), ...children);

const number = (amount) => {
  if (Math.abs(amount) >= 100 || (Math.abs(amount) > 1 && Number.isInteger(amount))) return String(Math.round(amount));
  const shown = amount.toFixed(3);
  if ((shown === "1.000" && amount < 1) || (shown === "0.000" && amount > 0)) {
    return ((amount > 0.5 ? Math.floor : Math.ceil)(amount * 1000) / 1000).toFixed(3);
  }
  return shown;
};

const amount = (counted) => (Number.isInteger(counted) ? String(counted) : number(counted));

const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

const interval = (low, high) => (number(low) === number(high) ? number(low) : `${number(low)}–${number(high)}`);

const seconds = (amount) =>
  amount < 0.01 ? `${(amount * 1000).toFixed(1)} ms` : amount < 1 ? `${Math.round(amount * 1000)} ms` : `${amount.toFixed(2)} s`;

const SIGNS = {
  supported: "✓", covered: "✓", agree: "✓", partial: "◐", contradicted: "✗", contradict: "✗",
  unsupported: "∅", missing: "∅", extra: "+", undecided: "?", unverified: "!",
};

const verdictLabel = (verdict) =>
  element("span", { class: `verdict v v-${verdict}` }, `${SIGNS[verdict] ?? "?"} ${verdict}`);

const table = (headings, rows, attributes = {}) =>
  element("div", { class: "scroll" },
    element("table", attributes,
      element("thead", {}, element("tr", {}, headings.map((heading) => element("th", { scope: "col" }, heading)))),
      element("tbody", {}, rows.map((cells) => element("tr", {}, cells.map((cell) => element("td", {}, cell)))))));
