// How often each block runs, and which blocks are around it.

/** @param {number} value @returns {[bigint, bigint]} numerator and denominator */
function toRatio(value) {
  let denominator = 1n;
  while (!Number.isInteger(value)) {
    value *= 2;
    denominator *= 2n;
  }
  return [BigInt(value), denominator];
}

class BlockTree {
  /** @param {{parent: any, frequency: any}} data */
  constructor(data) {
    this.frequency = readWhole(data.frequency);
    this.parent = readInts(data.parent, this.frequency.length);
    const n = this.parent.length;
    this.depth = new Int32Array(n);
    /** Depth of the innermost block from here upwards that runs less often than its parent, else 0. */
    this.lastDrop = new Int32Array(n);
    for (let b = 0; b < n; ++b) {
      const above = this.parent[b];
      if (above < 0) continue;
      this.depth[b] = this.depth[above] + 1;
      this.lastDrop[b] = this.frequency[b] < this.frequency[above] ? this.depth[b] : this.lastDrop[above];
    }
  }

  /**
   * Time of something that takes `time` whenever the block runs, rounded up.
   * @param {number} time @param {number} block
   */
  scale(time, block) {
    const frequency = this.frequency[block];
    if (frequency === 1 || time === 0 || time === NEVER) return time;
    const product = time * frequency;
    if (Number.isInteger(frequency) && product <= Number.MAX_SAFE_INTEGER) return product;
    const [numerator, denominator] = toRatio(frequency);
    const scaled = (BigInt(time) * numerator + denominator - 1n) / denominator;
    return Number(scaled >= LARGEST ? LARGEST - 1n : scaled);
  }

  /**
   * True if `below`, in the subtree of `above`, and the blocks on the way to it
   * run at least as often as `above`.
   * @param {number} below @param {number} above
   */
  runsOftener(below, above) {
    return this.lastDrop[below] <= this.depth[above];
  }
}
