// Numbers as people read them.

/** @param {number|bigint} picoseconds */
function formatTime(picoseconds) {
  const value = Number(picoseconds);
  if (!Number.isFinite(value) || value >= 9.2e18) return "never";
  const size = Math.abs(value);
  for (const [unit, length] of /** @type {[string, number][]} */ ([["s", 1e12], ["ms", 1e9], ["µs", 1e6], ["ns", 1e3]]))
    if (size >= length) return `${trim(value / length)} ${unit}`;
  return `${trim(value)} ps`;
}

/** @param {number|bigint} bytes */
function formatBytes(bytes) {
  const value = Number(bytes);
  for (const [unit, size] of /** @type {[string, number][]} */ ([["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 2 ** 10]]))
    if (value >= size) return `${trim(value / size)} ${unit}`;
  return `${value} B`;
}

/** Three digits. @param {number} value */
function trim(value) {
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2).replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
}

/** @param {number|bigint} change in picoseconds */
function formatChange(change) {
  const value = Number(change);
  if (value === 0) return "±0";
  return (value > 0 ? "+" : "−") + formatTime(Math.abs(value));
}

/** @param {number} part @param {number} whole */
function formatPercent(part, whole) {
  return whole === 0 ? "0 %" : `${trim((100 * part) / whole)} %`;
}
