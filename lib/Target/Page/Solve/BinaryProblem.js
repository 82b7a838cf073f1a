// Variables that are 0 or 1, costs of their values, and of a variable that is 0
// with one that is 1: the least sum is a minimum cut.

class BinaryProblem {
  constructor() {
    /** Cost of 1 less cost of 0. @type {number[]} */
    this.preference = [];
    /** The value that a variable must have, -1 for either. @type {number[]} */
    this.forced = [];
    /** @type {number[]} three numbers for each */
    this.arcs = [];
  }

  get numVariables() {
    return this.preference.length;
  }

  addVariable() {
    this.preference.push(0);
    this.forced.push(-1);
    return this.preference.length - 1;
  }

  /** @param {number} variable @param {number} ifZero @param {number} ifOne */
  addCost(variable, ifZero, ifOne) {
    if (ifOne === Infinity) this.forced[variable] = 0;
    else if (ifZero === Infinity) this.forced[variable] = 1;
    else this.preference[variable] += ifOne - ifZero;
  }

  /** Costs `cost` if the tail is 0 and the head is 1. @param {number} tail @param {number} head @param {number} cost */
  addArc(tail, head, cost) {
    if (tail !== head && cost !== 0) this.arcs.push(tail, head, cost);
  }

  /** @param {number} milliseconds @returns {Uint8Array|null} the value of each variable, the fewest ones of all that are best; null if it took too long */
  solve(milliseconds) {
    const flow = new MaxFlow(this.numVariables);
    for (let i = 0; i < this.arcs.length; i += 3) flow.addEdge(this.arcs[i], this.arcs[i + 1], this.arcs[i + 2], 0);
    return flow.solve(Float64Array.from(this.preference), this.forced, milliseconds);
  }
}
