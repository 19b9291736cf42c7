// Values lie in gzip blocks, and a block is unpacked when one of its values is first asked for.
const unpack = async (id) => {
  const packed = Uint8Array.from(atob(byId(id).textContent), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
};

const KEPT_BLOCKS = 24;

// Gives the block that holds a value, and the value's place in it.
const blockReader = (name, starts) => {
  const blocks = new Map();
  return async (index) => {
    let first = 0;
    let last = starts.length - 1;
    while (first < last) {
      const middle = Math.ceil((first + last) / 2);
      if (starts[middle] <= index) first = middle;
      else last = middle - 1;
    }
    const known = blocks.get(first) ?? unpack(`${name}-${first}`);
    blocks.delete(first);
    blocks.set(first, known);
    if (blocks.size > KEPT_BLOCKS) blocks.delete(blocks.keys().next().value);
    return [await known, index - starts[first]];
  };
};

const textBlock = blockReader("texts", STARTS.texts);
const textOf = async (index) => {
  const [block, place] = await textBlock(index);
  return block.values[place];
};

// The rows of one item, out of a table that holds those of all the items of a block, column by column.
const rowsOf = (table, place, repeat) => {
  let start = 0;
  for (let item = 0; item < (table.rows?.length ?? 0); item += 1) {
    const end = start + table.rows[item];
    if (table.case[item] === place && table.repeat[item] === repeat) {
      const columns = Object.entries(table).filter(([name]) => !["case", "repeat", "rows"].includes(name));
      return Object.fromEntries(columns.map(([name, values]) => [name, values.slice(start, end)]));
    }
    start = end;
  }
  return undefined;
};

// The same rows parted by what stands in one of their columns.
const parted = (rows, column) => {
  const parts = {};
  rows?.[column].forEach((key, row) => {
    parts[key] ??= Object.fromEntries(Object.keys(rows).map((name) => [name, []]));
    for (const [name, values] of Object.entries(rows)) parts[key][name].push(values[row]);
  });
  return parts;
};

const detailBlock = blockReader("details", STARTS.details);
const detailOf = async (index) => {
  const [block, place] = await detailBlock(index);
  const page = block.values[place];
  const items = page.items.map((item) => ({
    ...item,
    scores: rowsOf(block.scores, place, item.repeat),
    rankings: parted(rowsOf(block.rankings, place, item.repeat), "view"),
  }));
  return { ...page, items };
};
