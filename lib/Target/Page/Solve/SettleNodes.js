// Nodes whose side no copy can change, as lib/Analysis/Placement/Solve/SettleNodes.

class Settler {
  /** @param {PairChoice} choice */
  constructor(choice) {
    this.choice = choice;
    this.problem = choice.problem;
    this.more = 0;
    this.less = 0;
  }

  /** True if making it is free wherever it is needed. @param {number} node */
  isFree(node) {
    const p = this.problem;
    return this.choice.devices.every((d) => p.getTime(node, d) === 0) && p.readsOfNode.count(node) === 0;
  }

  /** @param {number} value @param {number} block @param {number} from @param {number} to */
  getBound(value, block, from, to) {
    if (from === to) return 0;
    const p = this.problem;
    const time = p.getTransferTime(p.valueSize[value], from, to);
    return Math.min(p.tree.scale(time, p.valueBlock[value]), p.tree.scale(time, block));
  }

  /** A copy for this reader alone would do. False if there is no bound. @param {number} read */
  addRead(read) {
    const p = this.problem;
    const { assignment, devices, copiable } = this.choice;
    const value = p.readValue[read];
    const producer = p.producer[value];
    const isReplicated = assignment.isValueReplicated(value);
    if (isReplicated && !copiable[producer]) return this.isFree(producer);
    if (producer === p.readNode[read]) return true;
    const isKnown = !isReplicated && !this.choice.isOpen(producer);
    const from = isKnown ? assignment.getValueDevice(value) : NONE;
    this.more += this.getBound(value, p.readBlock[read], isKnown ? from : devices[0], devices[1]);
    this.less += this.getBound(value, p.readBlock[read], isKnown ? from : devices[1], devices[0]);
    return true;
  }

  /** One copy to each other device, where the value is made, would do. @param {number} value */
  addResult(value) {
    const p = this.problem;
    if (p.readsOfValue.count(value) + p.fixedOfValue.count(value) + p.partialOfValue.count(value) === 0) return;
    const sum = (/** @type {number} */ from) => {
      let bound = 0;
      for (let to = 0; to < p.numDevices; ++to) if (to !== from) bound += p.tree.scale(p.getTransferTime(p.valueSize[value], from, to), p.valueBlock[value]);
      return bound;
    };
    this.more += sum(this.choice.devices[1]);
    this.less += sum(this.choice.devices[0]);
  }

  /** 0 for the first device, 1 for the second, -1 if that depends on others. @param {number} node */
  findSide(node) {
    const p = this.problem;
    const preference = p.getTime(node, this.choice.devices[1]) - p.getTime(node, this.choice.devices[0]);
    this.more = this.less = 0;
    const isOpen = () => preference < this.less && preference >= -this.more;
    for (const value of p.resultsOfNode.get(node)) {
      this.addResult(value);
      if (isOpen()) return -1;
    }
    for (const read of p.readsOfNode.get(node)) if (!this.addRead(read) || isOpen()) return -1;
    return preference < -this.more ? 1 : 0;
  }
}

/** @param {PairChoice} choice @returns {boolean} whether it settled any */
function settleNodes(choice) {
  const settler = new Settler(choice);
  let hasSettled = false;
  for (const node of choice.scope.nodes) {
    if (!choice.isOpen(node)) continue;
    const side = settler.findSide(node);
    if (side < 0) continue;
    choice.settle(node, side === 1);
    hasSettled = true;
  }
  return hasSettled;
}
