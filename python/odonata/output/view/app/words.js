// Numbers in words that people read.

function timeText(ns) {
  if (ns == null || Number.isNaN(ns)) return "–";
  for (const [size, unit] of [[1e9, "s"], [1e6, "ms"], [1e3, "µs"]]) {
    if (Math.abs(ns) >= size) return `${digits(ns / size)} ${unit}`;
  }
  return `${digits(ns)} ns`;
}

function bytesText(bytes) {
  if (bytes == null) return "–";
  for (const [size, unit] of [[1e12, "TB"], [1e9, "GB"], [1e6, "MB"], [1e3, "kB"]]) {
    if (bytes >= size) return `${digits(bytes / size)} ${unit}`;
  }
  return `${bytes} B`;
}

function shareText(share) {
  const percent = share * 100;
  return `${percent >= 10 || percent === 0 ? percent.toFixed(0) : percent.toPrecision(2)} %`;
}

function digits(value) {
  if (value === 0) return "0";
  const places = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return String(Number(value.toFixed(Math.min(places, 3))));
}
