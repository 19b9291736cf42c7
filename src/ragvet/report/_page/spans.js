// Spans count characters as Python does; a string here counts UTF-16 units, which differ beyond the basic plane.
const sliceable = (text) => {
  if (!/[\ud800-\udfff]/.test(text)) return { length: text.length, slice: (start, end) => text.slice(start, end) };
  const characters = Array.from(text);
  return { length: characters.length, slice: (start, end) => characters.slice(start, end).join("") };
};

// Cuts a text at every edge of its spans: a piece under a span goes through `wrap` with the innermost of them and
// whether the span ends there, any other piece through `plain`; both are told where the piece starts.
const withSpans = (text, spans, wrap, plain = (piece) => piece) => {
  const source = sliceable(text);
  const inside = spans
    .map((span) => ({ ...span, start: Math.max(0, span.start), end: Math.min(source.length, span.end) }))
    .filter((span) => span.start < span.end)
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const edges = [...new Set([0, source.length, ...inside.flatMap((span) => [span.start, span.end])])].sort((a, b) => a - b);
  const pieces = [];
  let open = [];
  let next = 0;
  for (let place = 0; place + 1 < edges.length; place += 1) {
    const [start, end] = [edges[place], edges[place + 1]];
    open = open.filter((span) => span.end > start);
    while (next < inside.length && inside[next].start === start) open.push(inside[next++]);
    const piece = source.slice(start, end);
    const span = open.at(-1);
    pieces.push(span ? wrap(span, piece, start, end === span.end) : plain(piece, start));
  }
  return pieces;
};

const codePoints = (text) => (/[\ud800-\udfff]/.test(text) ? Array.from(text).length : text.length);
const utf16 = (text, characters) => sliceable(text).slice(0, characters).length;

// Where `words` stands in `text`, counted as Python counts; null where it does not.
const spanOf = (text, words) => {
  const at = words ? text.indexOf(words) : -1;
  if (at < 0) return null;
  const start = codePoints(text.slice(0, at));
  return { start, end: start + codePoints(words) };
};
