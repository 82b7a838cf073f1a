// With two devices: operations that may be made on both instead of copied, as
// lib/Analysis/Placement/Solve/Repetition finds them. All others are out of the
// question before anything is placed.

/** @param {number[]} copies @param {number[]} times @param {number[]} saved */
function isCopyCheaper(copies, times, saved) {
  return copies[0] <= times[0] + saved[0] || copies[1] <= times[1] + saved[1];
}

class RepetitionFinder {
  /** @param {Assignment} start which it changes @param {Scope} scope */
  constructor(start, scope) {
    this.assignment = start;
    this.problem = start.problem;
    this.scope = scope;
    this.isCandidate = new Uint8Array(this.problem.numNodes);
  }

  /** @param {number} node */
  getTimes(node) {
    return [this.problem.getTime(node, 0), this.problem.getTime(node, 1)];
  }

  /** True if nothing but this read needs the value. @param {number} value */
  isForOneReader(value) {
    const p = this.problem;
    return p.readsOfValue.count(value) === 1 && p.fixedOfValue.count(value) + p.partialOfValue.count(value) === 0;
  }

  /** @param {number} value @param {number} device */
  mayBeOn(value, device) {
    const p = this.problem;
    const producer = p.producer[value];
    if (producer < 0) return p.fixedDevice[value] === device;
    if (this.assignment.replicated[producer]) return true;
    return this.scope.isOpen(producer) ? p.isAllowed(producer, device) : this.assignment.device[producer] === device;
  }

  /** True if a copy of the results is no dearer wherever this operand may be. @param {number} read @param {number[]} copies @param {number[]} times */
  rulesOut(read, copies, times) {
    const p = this.problem;
    const value = p.readValue[read];
    const producer = p.producer[value];
    if (producer === p.readNode[read] || !this.isForOneReader(value)) return false;
    for (const device of [0, 1]) {
      if (!this.mayBeOn(value, device)) continue;
      const time = p.getTransferTime(p.valueSize[value], device, 1 - device);
      const saved = [0, 0];
      saved[1 - device] = p.tree.scale(time, findCheapestBlock(p.tree, p.valueBlock[value], p.readBlock[read], time));
      if (!isCopyCheaper(copies, times, saved)) return false;
    }
    if (producer < 0 || !(this.isCandidate[producer] || this.assignment.replicated[producer])) return true;
    const isWhole = p.resultsOfNode.count(producer) === 1;
    return isCopyCheaper(copies, times, isWhole ? this.getTimes(producer) : [0, 0]);
  }

  /** By the costs of the node alone and of its operands. @param {number} node */
  mayPay(node) {
    const p = this.problem;
    if (!p.isAllowed(node, 0) || !p.isAllowed(node, 1)) return false;
    const times = this.getTimes(node);
    const copies = [0, 0];
    for (const to of [0, 1]) {
      for (const value of p.resultsOfNode.get(node)) copies[to] += p.tree.scale(p.getTransferTime(p.valueSize[value], 1 - to, to), p.valueBlock[value]);
      if (copies[to] <= times[to]) return false;
    }
    for (const read of p.readsOfNode.get(node)) if (this.rulesOut(read, copies, times)) return false;
    return true;
  }

  /** True if both devices may need the results. @param {number} node */
  isWantedTwice(node) {
    const p = this.problem;
    const wanted = [false, false];
    /** @type {Set<number>} */
    const readers = new Set();
    for (const value of p.resultsOfNode.get(node)) {
      for (const use of p.fixedOfValue.get(value)) wanted[p.fixedUseDevice[use]] = true;
      if (p.partialOfValue.count(value) > 0) wanted[HOST] = true;
      for (const read of p.readsOfValue.get(value)) readers.add(p.readNode[read]);
    }
    return this.areWantedTwice(readers, wanted);
  }

  /** @param {Set<number>} readers @param {boolean[]} wanted */
  areWantedTwice(readers, wanted) {
    const p = this.problem;
    let numOpen = 0;
    for (const reader of readers) {
      if (this.isCandidate[reader]) return true;
      // It may be needed nowhere.
      if (this.assignment.replicated[reader]) return false;
      if (!this.scope.isOpen(reader)) wanted[this.assignment.device[reader]] = true;
      else if (!p.isAllowed(reader, 0) || !p.isAllowed(reader, 1)) wanted[p.isAllowed(reader, 1) ? 1 : 0] = true;
      else ++numOpen;
    }
    return numOpen + Number(wanted[0]) + Number(wanted[1]) >= 2;
  }

  run() {
    const nodes = [...this.scope.nodes];
    for (const node of nodes) if (this.problem.repeatable[node] && this.scope.isOpen(node)) this.isCandidate[node] = Number(this.mayPay(node));
    for (const node of nodes.reverse()) {
      if (this.isCandidate[node]) this.isCandidate[node] = Number(this.isWantedTwice(node));
      if (!this.isCandidate[node]) continue;
      this.assignment.replicated[node] = 1;
      this.assignment.device[node] = NONE;
    }
  }
}
