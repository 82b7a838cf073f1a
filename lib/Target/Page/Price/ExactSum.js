// Sums of picoseconds that are exact and can be taken back.

class ExactSum {
  constructor() {
    /** The part that may lose nothing as a number. */
    this.low = 0;
    this.high = 0n;
    /** How many of the summands are never possible. */
    this.numNever = 0;
  }

  /** @param {number} time */
  add(time) {
    if (time === NEVER) ++this.numNever;
    else this.addFinite(time);
  }

  /** Takes back what was added. @param {number} time */
  subtract(time) {
    if (time === NEVER) --this.numNever;
    else this.addFinite(-time);
  }

  /** @param {number} time */
  addFinite(time) {
    const sum = this.low + time;
    if (Math.abs(sum) <= Number.MAX_SAFE_INTEGER) {
      this.low = sum;
      return;
    }
    this.high += BigInt(this.low) + BigInt(time);
    this.low = 0;
  }

  /** As the compiler has it: at most LARGEST. @returns {bigint} */
  get() {
    const sum = this.high + BigInt(this.low);
    return this.numNever > 0 || sum > LARGEST ? LARGEST : sum;
  }

  /** Near enough for what is drawn. @returns {number} */
  getNumber() {
    return this.numNever > 0 ? NEVER : Number(this.high) + this.low;
  }
}
