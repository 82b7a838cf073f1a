// Columns of the data: one value per entry of a table, in the shortest of three
// spellings. docs/Visualizer.md describes them.

/** Time of what is never possible: `null` in the data. */
const NEVER = Infinity;

/** The compiler's largest number: sums stay there. */
const LARGEST = 9223372036854775807n;

/**
 * @param {number|string|null} value
 * @returns {number} numbers above 2^53 lose their low digits
 */
function toNumber(value) {
  if (value === null) return NEVER;
  return typeof value === "string" ? Number(value) : value;
}

/**
 * @param {number[]} runs pairs of a value and how often it stands there
 * @param {Int32Array|Float64Array|Uint8Array} result
 */
function fillRuns(runs, result) {
  let at = 0;
  for (let i = 0; i < runs.length; i += 2) {
    result.fill(runs[i], at, at + runs[i + 1]);
    at += runs[i + 1];
  }
}

/**
 * @param {number[]} deltas
 * @param {Int32Array|Float64Array|Uint8Array} result
 */
function fillDeltas(deltas, result) {
  let value = 0;
  for (let i = 0; i < deltas.length; ++i) result[i] = value += deltas[i];
}

/**
 * Spells out a column.
 * @template {Int32Array|Float64Array|Uint8Array} T
 * @param {any} column
 * @param {number} count
 * @param {new (count: number) => T} Type
 * @returns {T}
 */
function readColumn(column, count, Type) {
  const result = new Type(count);
  if (!column) return result;
  if (column.runs) fillRuns(column.runs, result);
  else if (column.delta) fillDeltas(column.delta, result);
  else for (let i = 0; i < count; ++i) result[i] = toNumber(column[i]);
  return result;
}

/** How many values a column has. @param {any} column @returns {number} */
function getLength(column) {
  if (column.delta) return column.delta.length;
  if (!column.runs) return column.length;
  let length = 0;
  for (let i = 1; i < column.runs.length; i += 2) length += column.runs[i];
  return length;
}

/** A column whose length nothing else says. @param {any} column */
const readWhole = (column) => readColumn(column, getLength(column), Float64Array);
/** @param {any} column @param {number} count */
const readInts = (column, count) => readColumn(column, count, Int32Array);
/** @param {any} column @param {number} count */
const readFloats = (column, count) => readColumn(column, count, Float64Array);
/** @param {any} column @param {number} count */
const readBytes = (column, count) => readColumn(column, count, Uint8Array);

/**
 * Entries of a list by the number that each has: those of number n are
 * `order[begin[n]]` to `order[begin[n + 1]]`.
 */
class Grouping {
  /**
   * @param {Int32Array} keys negative ones are left out
   * @param {number} numKeys
   */
  constructor(keys, numKeys) {
    this.begin = new Int32Array(numKeys + 1);
    for (let i = 0; i < keys.length; ++i) if (keys[i] >= 0) ++this.begin[keys[i] + 1];
    for (let k = 0; k < numKeys; ++k) this.begin[k + 1] += this.begin[k];
    this.order = new Int32Array(this.begin[numKeys]);
    const next = this.begin.slice(0, numKeys);
    for (let i = 0; i < keys.length; ++i) if (keys[i] >= 0) this.order[next[keys[i]]++] = i;
  }

  /** @param {number} key @returns {Int32Array} */
  get(key) {
    return this.order.subarray(this.begin[key], this.begin[key + 1]);
  }

  /** @param {number} key */
  count(key) {
    return this.begin[key + 1] - this.begin[key];
  }
}
