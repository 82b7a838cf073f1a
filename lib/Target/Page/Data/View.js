// What people see of the program: names, types, places in sources, and where
// boxes and nodes stand. Texts are numbers of `strings`.

/** Kinds of boxes. */
const BoxKind = Object.freeze({ Module: 0, Function: 1, Loop: 2, Branch: 3, Arm: 4, Scope: 5, Chunk: 6 });
const BOX_KINDS = ["module", "function", "loop", "branch", "region", "scope", "part"];

class ProgramView {
  /**
   * @param {any} data the object `view` of the data
   * @param {Problem} problem
   */
  constructor(data, problem) {
    this.problem = problem;
    /** @type {string[]} */
    this.strings = data.strings;
    this.source = data.source || "";
    /** @type {{node: number, severity: string, text: string}[]} */
    this.diagnostics = data.diagnostics || [];
    /** @type {Map<string, number[]>|null} */
    this.siblings = null;
    this.nodeWidth = data.size.w;
    this.nodeHeight = data.size.h;
    this.readNodes(data.nodes, problem.numNodes);
    /** @type {Map<number, string[]>} names beside the first */
    this.otherNames = new Map((data.otherNames || []).map((/** @type {number[]} */ [node, ...names]) => [node, names.map((name) => this.str(name))]));
    this.readPorts(data);
    this.readBoxes(data.boxes);
  }

  /** @param {any} nodes @param {number} n */
  readNodes(nodes, n) {
    this.op = readInts(nodes.op, n);
    /** The operation's name when rules are matched, 0 where that is `op`. */
    this.rulesOp = readInts(nodes.rulesOp, n);
    this.prefix = readInts(nodes.prefix, n);
    this.name = readInts(nodes.name, n);
    this.type = readInts(nodes.type, n);
    this.file = readInts(nodes.file, n);
    this.line = readInts(nodes.line, n);
    this.column = readInts(nodes.column, n);
    this.text = readInts(nodes.text, n);
    this.box = readInts(nodes.box, n);
    this.x = readInts(nodes.x, n);
    this.y = readInts(nodes.y, n);
  }

  /** @param {any} data */
  readPorts(data) {
    const ports = data.ports;
    const n = (this.numPorts = ports.count);
    this.portKind = readBytes(ports.kind, n);
    this.portValue = readInts(ports.value, n);
    this.portName = readInts(ports.name, n);
    this.portBox = readInts(ports.box, n);
    this.portX = readInts(ports.x, n);
    this.portY = readInts(ports.y, n);
    this.fixedAt = readInts(data.fixedAt, this.problem.fixedValue.length);
    this.partialAt = readInts(data.partialAt, this.problem.partialValue.length);
    this.inputOfValue = new Map();
    for (let p = 0; p < n; ++p) if (this.portKind[p] === 0) this.inputOfValue.set(this.portValue[p], p);
  }

  /** @param {any} boxes */
  readBoxes(boxes) {
    const n = (this.numBoxes = boxes.count);
    this.boxParent = readInts(boxes.parent, n);
    this.boxKind = readBytes(boxes.kind, n);
    this.boxName = readInts(boxes.name, n);
    this.boxNode = readInts(boxes.node, n);
    this.boxTrips = readFloats(boxes.trips, n);
    this.boxX = readInts(boxes.x, n);
    this.boxY = readInts(boxes.y, n);
    this.boxW = readInts(boxes.w, n);
    this.boxH = readInts(boxes.h, n);
    this.childBoxes = new Grouping(this.boxParent, n);
    this.portsOfBox = new Grouping(this.portBox, n);
    this.boxOfNode = new Map();
    for (let b = 0; b < n; ++b) if (this.boxNode[b] >= 0) this.boxOfNode.set(this.boxNode[b], b);
    // What is drawn as a box is no node in one.
    const inBox = this.boxOfNode.size ? this.box.slice() : this.box;
    for (const node of this.boxOfNode.keys()) inBox[node] = -1;
    this.nodesOfBox = new Grouping(inBox, n);
    this.countSubtrees();
  }

  /** How many nodes each box has, those of boxes inside included. */
  countSubtrees() {
    this.boxTotal = new Int32Array(this.numBoxes);
    for (let b = this.numBoxes; b-- > 0; ) {
      this.boxTotal[b] += this.nodesOfBox.count(b);
      if (this.boxParent[b] >= 0) this.boxTotal[this.boxParent[b]] += this.boxTotal[b];
    }
  }

  /** @param {number} index */
  str(index) {
    return this.strings[index] || "";
  }

  /** The whole name that the source gave, with its scopes. @param {number} node */
  getFullName(node) {
    return this.str(this.prefix[node]) + this.str(this.name[node]);
  }

  /** All names of the place in the source, which rules see. @param {number} node @returns {string[]} */
  getNames(node) {
    const name = this.getFullName(node);
    return name ? [name, ...(this.otherNames.get(node) || [])] : this.otherNames.get(node) || [];
  }

  /** @param {number} node */
  getFunction(node) {
    for (let b = this.box[node]; b >= 0; b = this.boxParent[b])
      if (this.boxKind[b] === BoxKind.Function) return this.str(this.boxName[b]).replace(/^@/, "");
    return "";
  }

  /** @param {number} node */
  getLocation(node) {
    const file = this.str(this.file[node]);
    return file ? `${file}:${this.line[node]}:${this.column[node]}` : "";
  }

  /** The place in the source as rules name it, without folders; "" if it is not known. @param {number} node */
  getPlace(node) {
    return this.getLocation(node).replace(/^.*\//, "");
  }

  /** Nodes, with what was one operation with some of them before it was converted: rules cannot part these. @param {number[]} nodes @returns {number[]} */
  withSiblings(nodes) {
    if (!this.siblings) this.siblings = this.findSiblings();
    const all = new Set(nodes);
    for (const node of nodes) for (const other of this.siblings.get(this.getConvertedPlace(node)) || []) all.add(other);
    return [...all];
  }

  /** The place of what conversions may have made, and its function. @param {number} node */
  getConvertedPlace(node) {
    const place = CONVERTED_OPS.has(this.str(this.op[node])) ? this.getLocation(node) : "";
    return place && `${place} ${this.getFunction(node)}`;
  }

  findSiblings() {
    /** @type {Map<string, number[]>} */
    const found = new Map();
    for (let node = 0; node < this.problem.numNodes; ++node) {
      const place = this.problem.kind[node] === Kind.Timed && !this.problem.replicable[node] ? this.getConvertedPlace(node) : "";
      if (place) found.set(place, [...(found.get(place) || []), node]);
    }
    return found;
  }

  /** What the node is called in lists. @param {number} node */
  getLabel(node) {
    if (this.problem.kind[node] === Kind.Carried) return this.str(this.name[node]) || "carried value";
    return this.str(this.name[node]) || this.str(this.op[node]);
  }

  /** @param {number} box */
  getBoxLabel(box) {
    const name = this.str(this.boxName[box]);
    const trips = this.boxKind[box] === BoxKind.Loop && this.boxTrips[box] > 0 ? ` × ${this.boxTrips[box]}` : "";
    return (name || BOX_KINDS[this.boxKind[box]] || "box") + trips;
  }
}
