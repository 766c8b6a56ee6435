// What the page was given: facts as JSON, columns of numbers packed one behind the other.

async function readColumns(index, text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = await new Response(stream).arrayBuffer();
  const columns = {};
  for (const [name, [type, start, length]] of Object.entries(index)) {
    columns[name] = new globalThis[type](bytes, start, length);
  }
  return columns;
}

async function readPage() {
  const part = (id) => document.getElementById(id).textContent;
  const { facts, index, scale } = JSON.parse(part("facts"));
  return { facts, scale, columns: await readColumns(index, part("columns")) };
}

// Rows of each of `count` numbers: where they begin in `order`, which lists rows by number.
function grouped(numbers, count) {
  const start = new Uint32Array(count + 1);
  for (const number of numbers) start[number + 1] += 1;
  for (let at = 0; at < count; at += 1) start[at + 1] += start[at];
  const next = start.slice(0, count);
  const order = new Uint32Array(numbers.length);
  numbers.forEach((number, row) => { order[next[number]++] = row; });
  return { start, order };
}

function rowsOf(groups, number) {
  return groups.order.subarray(groups.start[number], groups.start[number + 1]);
}
