// Values lie in gzip blocks, and a block is unpacked when one of its values is first asked for.
const unpack = async (id) => {
  const packed = Uint8Array.from(atob(byId(id).textContent), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
};

const KEPT_BLOCKS = 24;

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
    return (await known)[index - starts[first]];
  };
};

const detailOf = blockReader("details", STARTS.details);
const textOf = blockReader("texts", STARTS.texts);
