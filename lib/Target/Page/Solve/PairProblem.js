// The best placement of what is open between two devices, as a binary problem:
// lib/Analysis/Placement/Solve/PairProblem, whose comments say why it is exact.
// A value is present on the second device when its variable is 1, on the first
// when it is 0.

const ABSENT = -1;
const PRESENT = -2;

/**
 * Whether a value is on a device: ABSENT, PRESENT, or the variable that says so.
 * @typedef {number} Presence
 * @typedef {{block: number, presence: Presence}} PresenceUse
 */

class PairProblem {
  /** @param {PairChoice} choice */
  constructor(choice) {
    this.choice = choice;
    this.graph = choice.problem;
    this.devices = choice.devices;
    this.binary = new BinaryProblem();
    const n = this.graph.numNodes;
    /** By side and node: the variable that says if it runs (or is needed) there. */
    this.variables = [new Int32Array(n).fill(-1), new Int32Array(n).fill(-1)];
    /** @type {number[]} */
    this.open = [];
    this.addNodes();
    if (this.binary.numVariables > 0) for (const value of choice.scope.values) this.addValue(value);
  }

  /** In halves of a picosecond. @param {number} variable @param {number} ifFirst @param {number} ifSecond */
  addCost(variable, ifFirst, ifSecond) {
    this.binary.addCost(variable, 2 * ifFirst, 2 * ifSecond);
  }

  addNodes() {
    for (const node of this.choice.scope.nodes) {
      if (this.choice.assignment.replicated[node]) {
        this.addReplicated(node);
      } else if (this.choice.isOpen(node)) {
        this.open.push(node);
        this.variables[0][node] = this.variables[1][node] = this.binary.addVariable();
        this.addCost(this.variables[0][node], this.graph.getTime(node, this.devices[0]), this.graph.getTime(node, this.devices[1]));
      }
    }
  }

  /** Nothing to decide where making it costs nothing. @param {number} node */
  addReplicated(node) {
    const [first, second] = this.devices.map((d) => this.graph.getTime(node, d));
    if (first === 0 && second === 0 && this.graph.readsOfNode.count(node) === 0) return;
    this.variables[0][node] = this.binary.addVariable();
    this.addCost(this.variables[0][node], first, 0);
    this.variables[1][node] = this.binary.addVariable();
    this.addCost(this.variables[1][node], 0, second);
    // It is made somewhere.
    if (this.choice.copiable[node]) this.binary.addArc(this.variables[1][node], this.variables[0][node], Infinity);
  }

  /** @param {number} node @param {number} side @returns {Presence} */
  getReader(node, side) {
    const variable = this.variables[side][node];
    if (variable >= 0) return variable;
    const { assignment } = this.choice;
    return !assignment.replicated[node] && assignment.device[node] === this.devices[side] ? PRESENT : ABSENT;
  }

  /** Costs `time` if the value is at the second place but not at the first. @param {Presence} from @param {Presence} to @param {number} side @param {number} time */
  require(from, to, side, time) {
    if (from === PRESENT || to === ABSENT) return;
    if (from === ABSENT) {
      if (to >= 0) this.addCost(to, side ? 0 : time, side ? time : 0);
    } else if (to === PRESENT) {
      this.addCost(from, side ? time : 0, side ? 0 : time);
    } else if (side) {
      this.binary.addArc(from, to, 2 * time);
    } else {
      this.binary.addArc(to, from, 2 * time);
    }
  }

  /** The uses on one of the two devices, known and unknown ones. @param {number} value @param {number} side @returns {PresenceUse[]} */
  collectUses(value, side) {
    const g = this.graph;
    const uses = [];
    for (const read of g.readsOfValue.get(value)) {
      const presence = this.getReader(g.readNode[read], side);
      if (presence !== ABSENT) uses.push({ block: g.readBlock[read], presence });
    }
    for (const use of g.fixedOfValue.get(value)) if (g.fixedUseDevice[use] === this.devices[side]) uses.push({ block: g.fixedBlock[use], presence: PRESENT });
    return uses;
  }

  /** A replica is made as soon as one use is there, unless a copy serves it. @param {number} value */
  addReplicas(value) {
    const producer = this.graph.producer[value];
    if (this.variables[0][producer] < 0) return;
    if (this.choice.copiable[producer]) {
      this.addSide(value, 0);
      this.addSide(value, 1);
      return;
    }
    for (const side of [0, 1]) {
      const replica = this.variables[side][producer];
      for (const use of this.collectUses(value, side)) this.require(replica, use.presence, side, Infinity);
      if (this.devices[side] === HOST && this.graph.partialOfValue.count(value) > 0) this.require(replica, PRESENT, side, Infinity);
    }
  }

  /** @param {number} value */
  addValue(value) {
    if (this.choice.assignment.isValueReplicated(value)) return this.addReplicas(value);
    this.addSide(value, 0);
    this.addSide(value, 1);
    const producer = this.graph.producer[value];
    if (!this.choice.isOpen(producer)) return;
    for (let device = 0; device < this.graph.numDevices; ++device) if (!this.devices.includes(device)) this.addElsewhere(value, device);
  }

  /** The block where one copy serves all uses at the least cost, or -1. @param {number} value @param {PresenceUse[]} uses @param {number} time */
  findOnlySite(value, uses, time) {
    const { tree, valueBlock } = this.graph;
    const definition = valueBlock[value];
    if (uses.every((use) => tree.runsOftener(use.block, definition))) return definition;
    const block = uses[0].block;
    return uses.every((use) => use.block === block) ? findCheapestBlock(tree, definition, block, time) : -1;
  }

  /** The copies to one of the two devices. @param {number} value @param {number} side */
  addSide(value, side) {
    const g = this.graph;
    const producer = g.producer[value];
    const isUnknown = this.choice.isOpen(producer) || this.choice.assignment.isValueReplicated(value);
    const from = isUnknown ? this.devices[1 - side] : this.choice.assignment.getValueDevice(value);
    const to = this.devices[side];
    if (from === to) return;
    const origin = isUnknown ? this.variables[side][producer] : ABSENT;
    const uses = this.collectUses(value, side);
    const optional = to === HOST ? [...g.partialOfValue.get(value)].map((read) => ({ block: g.partialBlock[read], time: g.getPartialTime(read, from) })) : [];
    if (uses.length === 0 && optional.length === 0) return;
    const time = g.getTransferTime(g.valueSize[value], from, to);
    const site = optional.length === 0 ? this.findOnlySite(value, uses, time) : -1;
    if (site >= 0) this.addFlat(origin, uses, side, g.tree.scale(time, site));
    else this.addTree(value, origin, uses, optional, side, time);
  }

  /** One copy, which takes `time`, for all uses. @param {Presence} origin @param {PresenceUse[]} uses @param {number} side @param {number} time */
  addFlat(origin, uses, side, time) {
    const isKnown = uses.some((use) => use.presence === PRESENT);
    if (isKnown || uses.length === 1) return this.require(origin, isKnown ? PRESENT : uses[0].presence, side, time);
    const copy = this.binary.addVariable();
    this.require(origin, copy, side, time);
    for (const use of uses) this.require(copy, use.presence, side, Infinity);
  }

  /** One variable per block on the way, unless a use in it is known. @param {number} value @param {Presence} origin @param {PresenceUse[]} uses @param {OptionalUse[]} optional @param {number} side @param {number} time */
  addTree(value, origin, uses, optional, side, time) {
    const { tree, valueBlock } = this.graph;
    const stops = collectCopyStops(tree, valueBlock[value], uses.map((use) => use.block), optional);
    /** @type {Presence[]} */
    const presences = [];
    const known = new Set(uses.filter((use) => use.presence === PRESENT).map((use) => findStop(stops, use.block)));
    stops.forEach((stop, i) => {
      presences[i] = known.has(i) ? PRESENT : this.binary.addVariable();
      this.require(i === 0 ? origin : presences[stop.parent], presences[i], side, tree.scale(time, stop.block));
    });
    for (const use of uses) this.require(presences[findStop(stops, use.block)], use.presence, side, Infinity);
    for (const use of optional) {
      const served = this.binary.addVariable();
      this.require(presences[findStop(stops, use.block)], served, side, Infinity);
      // What it pays alone: the cost of not being served.
      this.require(served, PRESENT, side, use.time);
    }
  }

  /** The copies to a third device, whose uses all stay. @param {number} value @param {number} device */
  addElsewhere(value, device) {
    const g = this.graph;
    const { assignment } = this.choice;
    const blocks = [];
    for (const read of g.readsOfValue.get(value)) {
      const reader = g.readNode[read];
      if (!assignment.replicated[reader] && assignment.device[reader] === device) blocks.push(g.readBlock[read]);
    }
    for (const use of g.fixedOfValue.get(value)) if (g.fixedUseDevice[use] === device) blocks.push(g.fixedBlock[use]);
    const [first, second] = this.devices.map((from) => {
      const optional = device === HOST ? [...g.partialOfValue.get(value)].map((read) => ({ block: g.partialBlock[read], time: g.getPartialTime(read, from) })) : [];
      return chooseCopySites(g.tree, g.valueBlock[value], blocks, g.getTransferTime(g.valueSize[value], from, device), optional).time;
    });
    this.addCost(this.variables[0][g.producer[value]], first, second);
  }

  /** @param {number} milliseconds @returns {boolean} false if that was too short */
  solve(milliseconds) {
    if (this.binary.numVariables === 0) return true;
    const values = this.binary.solve(milliseconds);
    if (!values) return false;
    for (const node of this.open) this.choice.settle(node, values[this.variables[0][node]] === 1);
    this.chooseReplicas(values);
    return true;
  }

  /** What is needed where it is not made is made once and copied. @param {Uint8Array} values */
  chooseReplicas(values) {
    if (!this.choice.hasCopiable) return;
    const { assignment, copiable, scope } = this.choice;
    const { wanted, made } = this.findMade(values);
    for (const node of scope.nodes) {
      if (!copiable[node] || (made[0][node] && made[1][node])) continue;
      const side = made[1][node];
      if (!scope.isOpen(node) && !wanted[1 - side][node]) continue;
      assignment.replicated[node] = 0;
      assignment.device[node] = this.devices[side];
    }
  }

  /** By side and node: what needs it there, and whether it is made there. @param {Uint8Array} values */
  findMade(values) {
    const g = this.graph;
    const { assignment, copiable } = this.choice;
    const wanted = [new Uint8Array(g.numNodes), new Uint8Array(g.numNodes)];
    const made = [new Uint8Array(g.numNodes), new Uint8Array(g.numNodes)];
    /** @type {[number, number][]} */
    const worklist = [];
    const want = (/** @type {number} */ value, /** @type {number} */ device) => {
      let side = this.devices.indexOf(device);
      const node = g.producer[value];
      if (side < 0 || !assignment.isValueReplicated(value)) return;
      wanted[side][node] = 1;
      if (copiable[node] && this.variables[side][node] >= 0 && values[this.variables[side][node]] !== side) side = 1 - side;
      if (made[side][node]) return;
      made[side][node] = 1;
      worklist.push([node, side]);
    };
    visitPlacedReads(assignment, this.choice.scope.values, want);
    for (let item = worklist.pop(); item; item = worklist.pop()) for (const read of g.readsOfNode.get(item[0])) want(g.readValue[read], this.devices[item[1]]);
    return { wanted, made };
  }
}

/** All that is read by what is not replicated, with the device that reads it. @param {Assignment} assignment @param {Iterable<number>} values @param {(value: number, device: number) => void} visit */
function visitPlacedReads(assignment, values, visit) {
  const p = assignment.problem;
  for (const value of values) {
    for (const read of p.readsOfValue.get(value)) if (!assignment.replicated[p.readNode[read]]) visit(value, assignment.device[p.readNode[read]]);
    for (const use of p.fixedOfValue.get(value)) visit(value, p.fixedUseDevice[use]);
    if (p.partialOfValue.count(value) > 0) visit(value, HOST);
  }
}
