// What a placement costs, kept while nodes move: a move looks at the node, its
// operands and its results alone. The sum is that of
// lib/Analysis/Placement/Price/PlacementPrice.

/**
 * @typedef {{value: number, from: number, to: number, block: number, bytes: number, time: number, partial: boolean}} Copy
 */

class LinkSum {
  constructor() {
    this.copies = 0;
    this.bytes = new ExactSum();
    this.time = new ExactSum();
  }
}

class DeviceSum {
  constructor() {
    this.ops = 0;
    this.time = new ExactSum();
  }
}

class Pricer {
  /** @param {Problem} problem @param {Assignment} assignment which it changes from here on */
  constructor(problem, assignment) {
    this.problem = problem;
    this.assignment = assignment;
    const d = problem.numDevices;
    this.cost = new ExactSum();
    this.copies = 0;
    this.devices = Array.from({ length: d }, () => new DeviceSum());
    this.links = Array.from({ length: d * d }, () => new LinkSum());
    /** How many need the replica of node n on device d: at n * devices + d. */
    this.wants = new Int32Array(problem.numNodes * d);
    /** @type {Map<number, Copy[]>} by value; those without copies are not there */
    this.copiesOf = new Map();
    /** @type {Set<number>} values whose copies are to be chosen again */
    this.dirty = new Set();
    this.addAll();
  }

  addAll() {
    const p = this.problem;
    for (let r = 0; r < p.readNode.length; ++r) {
      const node = p.readNode[r];
      if (!this.assignment.replicated[node]) this.want(p.readValue[r], this.assignment.device[node], 1);
    }
    for (let f = 0; f < p.fixedValue.length; ++f) this.want(p.fixedValue[f], p.fixedUseDevice[f], 1);
    for (let r = 0; r < p.partialValue.length; ++r) this.want(p.partialValue[r], HOST, 1);
    for (let node = 0; node < p.numNodes; ++node)
      if (!this.assignment.replicated[node]) this.addNode(node, this.assignment.device[node], 1);
    this.dirty.clear();
    for (let value = 0; value < p.numValues; ++value) this.addCopies(value);
  }

  /** What a node takes on a device, or no longer. @param {number} node @param {number} device @param {number} sign */
  addNode(node, device, sign) {
    if (this.problem.kind[node] !== Kind.Timed) return;
    const time = this.problem.getTime(node, device);
    const load = this.devices[device];
    load.ops += sign;
    if (sign > 0) {
      load.time.add(time);
      this.cost.add(time);
    } else {
      load.time.subtract(time);
      this.cost.subtract(time);
    }
    for (const stream of this.problem.streams.get(node * this.problem.numDevices + device) || []) this.addStream(stream, device, sign);
  }

  /** A constant is copied for a node, or no longer. @param {{from: number, bytes: number, time: number}} stream @param {number} device @param {number} sign */
  addStream({ from, bytes, time }, device, sign) {
    const link = this.links[from * this.problem.numDevices + device];
    this.copies += sign;
    link.copies += sign;
    for (const [sum, amount] of /** @type {[ExactSum, number][]} */ ([[link.bytes, bytes], [link.time, time], [this.cost, time]]))
      if (sign > 0) sum.add(amount);
      else sum.subtract(amount);
  }

  /**
   * A value is needed on a device by one more, or one less. What makes it again
   * there needs its own operands there.
   * @param {number} value @param {number} device @param {number} count
   */
  want(value, device, count) {
    const worklist = [value];
    for (let v = worklist.pop(); v !== undefined; v = worklist.pop()) {
      this.dirty.add(v);
      const node = this.problem.producer[v];
      if (node < 0 || !this.assignment.replicated[node] || device === NONE) continue;
      const at = node * this.problem.numDevices + device;
      const before = this.wants[at];
      this.wants[at] += count;
      // It is made for the first that needs it and goes with the last.
      if ((before === 0) === (this.wants[at] === 0)) continue;
      this.addNode(node, device, count);
      for (const read of this.problem.readsOfNode.get(node)) worklist.push(this.problem.readValue[read]);
    }
  }

  /** True if the node is there: placed, or made again for someone. @param {number} node @param {number} device */
  isOn(node, device) {
    if (this.assignment.replicated[node]) return this.wants[node * this.problem.numDevices + device] !== 0;
    return this.assignment.device[node] === device;
  }

  /** Puts one node somewhere else; the sums follow with `update`. @param {number} node @param {number} device @param {number} replicated */
  set(node, device, replicated) {
    const a = this.assignment;
    if (a.device[node] === device && a.replicated[node] === replicated) return;
    if (a.replicated[node] && replicated) {
      a.device[node] = device;
      return;
    }
    this.leave(node);
    a.device[node] = device;
    a.replicated[node] = replicated;
    this.enter(node);
  }

  /** The node is no longer where it is. @param {number} node */
  leave(node) {
    const p = this.problem;
    if (this.assignment.replicated[node]) {
      this.changeReplicas(node, -1);
    } else {
      this.addNode(node, this.assignment.device[node], -1);
      for (const read of p.readsOfNode.get(node)) this.want(p.readValue[read], this.assignment.device[node], -1);
    }
    for (const value of p.resultsOfNode.get(node)) this.dirty.add(value);
  }

  /** @param {number} node */
  enter(node) {
    const p = this.problem;
    if (this.assignment.replicated[node]) {
      this.changeReplicas(node, 1);
    } else {
      this.addNode(node, this.assignment.device[node], 1);
      for (const read of p.readsOfNode.get(node)) this.want(p.readValue[read], this.assignment.device[node], 1);
    }
    for (const value of p.resultsOfNode.get(node)) this.dirty.add(value);
  }

  /** All wants of the results of what begins or ends to be replicated. @param {number} node @param {number} count */
  changeReplicas(node, count) {
    const p = this.problem;
    for (const value of p.resultsOfNode.get(node)) {
      for (const read of p.readsOfValue.get(value))
        for (let device = 0; device < p.numDevices; ++device) if (this.isOn(p.readNode[read], device)) this.want(value, device, count);
      for (const use of p.fixedOfValue.get(value)) this.want(value, p.fixedUseDevice[use], count);
      for (let i = p.partialOfValue.count(value); i > 0; --i) this.want(value, HOST, count);
    }
  }

  /** Chooses the copies again of all that a move has touched. */
  update() {
    for (const value of this.dirty) {
      this.removeCopies(value);
      this.addCopies(value);
    }
    this.dirty.clear();
  }

  /** @param {number} value */
  removeCopies(value) {
    const copies = this.copiesOf.get(value);
    if (!copies) return;
    for (const copy of copies) {
      const link = this.links[copy.from * this.problem.numDevices + copy.to];
      --link.copies;
      --this.copies;
      link.bytes.subtract(copy.bytes);
      link.time.subtract(copy.time);
      this.cost.subtract(copy.time);
    }
    this.copiesOf.delete(value);
  }

  /** @param {Copy} copy */
  addCopy(copy) {
    const link = this.links[copy.from * this.problem.numDevices + copy.to];
    ++link.copies;
    ++this.copies;
    link.bytes.add(copy.bytes);
    link.time.add(copy.time);
    this.cost.add(copy.time);
    const copies = this.copiesOf.get(copy.value);
    if (copies) copies.push(copy);
    else this.copiesOf.set(copy.value, [copy]);
  }

  /** True if a use of the value stands on another device. @param {number} value @param {number} from */
  isNeededElsewhere(value, from) {
    const p = this.problem;
    if (from !== HOST && p.partialOfValue.count(value) > 0) return true;
    for (const use of p.fixedOfValue.get(value)) if (p.fixedUseDevice[use] !== from) return true;
    for (const read of p.readsOfValue.get(value)) {
      const node = p.readNode[read];
      if (this.assignment.replicated[node] || this.assignment.device[node] !== from) return true;
    }
    return false;
  }

  /** @param {number} value */
  addCopies(value) {
    if (this.assignment.isValueReplicated(value)) return;
    const from = this.assignment.getValueDevice(value);
    if (!this.isNeededElsewhere(value, from)) return;
    for (let to = 0; to < this.problem.numDevices; ++to) if (to !== from) this.addCopiesTo(value, from, to);
  }

  /** The blocks that need the value there. @param {number} value @param {number} device @returns {number[]} */
  collectUses(value, device) {
    const p = this.problem;
    const blocks = [];
    for (const read of p.readsOfValue.get(value)) if (this.isOn(p.readNode[read], device)) blocks.push(p.readBlock[read]);
    for (const use of p.fixedOfValue.get(value)) if (p.fixedUseDevice[use] === device) blocks.push(p.fixedBlock[use]);
    return blocks;
  }

  /** @param {number} value @param {number} from @param {number} to */
  addCopiesTo(value, from, to) {
    const p = this.problem;
    const time = p.getTransferTime(p.valueSize[value], from, to);
    const reads = to === HOST ? [...p.partialOfValue.get(value)] : [];
    const optional = reads.map((read) => ({ block: p.partialBlock[read], time: p.getPartialTime(read, from) }));
    const sites = chooseCopySites(p.tree, p.valueBlock[value], this.collectUses(value, to), time, optional);
    const bytesOf = (/** @type {number} */ size) => (p.isUnified(from, to) ? 0 : p.sizes[size]);
    for (const block of sites.blocks)
      this.addCopy({ value, from, to, block, bytes: bytesOf(p.valueSize[value]), time: p.tree.scale(time, block), partial: false });
    reads.forEach((read, i) => {
      if (!isServed(p.tree, sites.blocks, optional[i].block))
        this.addCopy({ value, from, to, block: optional[i].block, bytes: bytesOf(p.partialSize[read]), time: optional[i].time, partial: true });
    });
  }

  /** The change of the cost if the node stood there and all else stayed. @param {number} node @param {number} device @returns {{compute: number, copies: number}} */
  getMoveCost(node, device) {
    const { device: devices, replicated } = this.assignment;
    const [before, wasReplicated] = [devices[node], replicated[node]];
    const costs = [this.cost.get(), this.getComputeCost()];
    this.set(node, device, 0);
    this.update();
    const change = Number(this.cost.get() - costs[0]);
    const compute = Number(this.getComputeCost() - costs[1]);
    this.set(node, before, wasReplicated);
    this.update();
    return { compute, copies: change - compute };
  }

  /** What all operations take. @returns {bigint} */
  getComputeCost() {
    return this.devices.reduce((sum, load) => sum + load.time.get(), 0n);
  }
}
