// What is open between two devices, as lib/Analysis/Placement/Solve/PairChoice
// has it.

/**
 * What a solver may decide: which nodes are open to cost, and which nodes and
 * values it has to look at.
 * @typedef {{isOpen: (node: number) => boolean, isPinned: (node: number) => boolean, nodes: Iterable<number>, values: Iterable<number>}} Scope
 */

class PairChoice {
  /** @param {Assignment} start which it changes @param {number} first @param {number} second @param {Scope} scope */
  constructor(start, first, second, scope) {
    this.problem = start.problem;
    this.assignment = start;
    this.devices = [first, second];
    this.scope = scope;
    this.openNodes = new Uint8Array(this.problem.numNodes);
    this.copiable = new Uint8Array(this.problem.numNodes);
    this.hasCopiable = false;
    this.findOpen();
    this.findCopiable();
  }

  /** What stands on a third device stays there. */
  findOpen() {
    const { assignment, problem, devices } = this;
    for (const node of this.scope.nodes) {
      const device = assignment.device[node];
      if (assignment.replicated[node] || !this.scope.isOpen(node) || (device !== NONE && !devices.includes(device))) continue;
      const allowed = devices.map((d) => problem.isAllowed(node, d));
      if (allowed[0] && allowed[1]) this.openNodes[node] = 1;
      else if (device === NONE) assignment.device[node] = devices[allowed[1] ? 1 : 0];
    }
  }

  /** True if something that is not replicated needs it. @param {number} node */
  isUsed(node) {
    const p = this.problem;
    for (const value of p.resultsOfNode.get(node)) {
      if (p.fixedOfValue.count(value) > 0 || p.partialOfValue.count(value) > 0) return true;
      for (const read of p.readsOfValue.get(value)) if (!this.assignment.replicated[p.readNode[read]]) return true;
    }
    return false;
  }

  /** With two devices: what some use needs, and what that is made from, where that is a choice. */
  findCopiable() {
    const p = this.problem;
    if (p.numDevices > 2) return;
    const isChoice = (/** @type {number} */ node) => this.assignment.replicated[node] !== 0 && (p.mayRepeat[node] !== 0 || this.scope.isOpen(node));
    /** @type {number[]} */
    const worklist = [];
    const add = (/** @type {number} */ node) => {
      if (this.copiable[node] || this.devices.some((d) => p.getTime(node, d) === NEVER)) return;
      this.copiable[node] = 1;
      this.hasCopiable = true;
      worklist.push(node);
    };
    for (const node of this.scope.nodes) if (isChoice(node) && this.isUsed(node)) add(node);
    for (let node = worklist.pop(); node !== undefined; node = worklist.pop())
      for (const read of p.readsOfNode.get(node)) {
        const producer = p.producer[p.readValue[read]];
        if (producer >= 0 && isChoice(producer)) add(producer);
      }
  }

  /** @param {number} node */
  isOpen(node) {
    return node >= 0 && this.openNodes[node] !== 0;
  }

  /** @param {number} node @param {boolean} isSecond */
  settle(node, isSecond) {
    this.openNodes[node] = 0;
    this.assignment.device[node] = this.devices[isSecond ? 1 : 0];
  }
}
