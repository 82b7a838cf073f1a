// What a canvas shows of one placement, and what is in sight at a time.

class Scene {
  /** @param {Placement} placement @param {Assignment} assignment */
  constructor(placement, assignment) {
    this.placement = placement;
    this.problem = placement.problem;
    this.view = placement.view;
    this.assignment = assignment;
    this.openness = new Openness(placement.view);
    this.links = new BoxLinks(this);
    this.shares = new BoxShares(this);
    this.selected = new Uint8Array(this.problem.numNodes);
    this.selectedBox = -1;
    /** Nodes that a search or a list of differences marks. */
    this.marked = new Uint8Array(this.problem.numNodes);
    this.markedBoxes = new Uint8Array(this.view.numBoxes);
    this.hasMarks = false;
    /** What the compiler said of nodes, the worst of each. @type {Map<number, string>} */
    this.severities = new Map();
    for (const severity of ["note", "remark", "warning", "error"]) for (const message of this.view.diagnostics) if (message.severity === severity && message.node >= 0) this.severities.set(message.node, severity);
    /** By value. @type {Map<number, Copy[]>} */
    this.copiesOf = placement.readCopies();
    /** The devices that are not shown in full. @type {Set<number>} */
    this.dimmedDevices = new Set();
    /** @type {(node: number) => string} */
    this.getReason = (node) => placement.getReason(node);
  }

  /** Nodes have moved. @param {Iterable<number>} nodes */
  moved(nodes) {
    this.links.clear();
    this.shares.update(nodes);
  }

  /** The device that a node is drawn with. @param {number} node */
  getDevice(node) {
    return this.assignment.device[node];
  }

  /** @param {number} node */
  isDimmed(node) {
    return this.dimmedDevices.has(this.getDevice(node));
  }

  /** @param {Iterable<number>} nodes */
  mark(nodes) {
    this.marked.fill(0);
    this.markedBoxes.fill(0);
    this.hasMarks = false;
    for (const node of nodes) {
      this.marked[node] = 1;
      this.hasMarks = true;
      for (let box = this.view.box[node]; box >= 0 && !this.markedBoxes[box]; box = this.view.boxParent[box]) this.markedBoxes[box] = 1;
    }
  }

  /** What brings a value to a device. @param {number} value @param {number} device @returns {Copy|null} */
  findCopy(value, device) {
    const copies = this.copiesOf.get(value);
    return (copies && copies.find((copy) => copy.to === device)) || null;
  }

  /** @param {Iterable<number>} nodes */
  select(nodes) {
    this.selected.fill(0);
    this.selectedBox = -1;
    for (const node of nodes) this.selected[node] = 1;
  }

  /** Where a node is drawn: itself, its box, or the closed box around. @param {number} node @returns {[number, number, number, number]} */
  getRect(node) {
    const view = this.view;
    const own = view.boxOfNode.get(node);
    const closed = this.openness.getBoxFor(node);
    if (closed >= 0) return this.getBoxRect(closed);
    if (own !== undefined) return this.getBoxRect(own);
    return [view.x[node], view.y[node], view.nodeWidth, view.nodeHeight];
  }

  /** @param {number} box @returns {[number, number, number, number]} */
  getBoxRect(box) {
    const view = this.view;
    return [view.boxX[box], view.boxY[box], view.boxW[box], view.boxH[box]];
  }

  /** @param {number} port @returns {[number, number, number, number]} */
  getPortRect(port) {
    const closed = this.openness.closedAround[this.view.portBox[port]];
    if (closed >= 0) return this.getBoxRect(closed);
    return [this.view.portX[port], this.view.portY[port], this.view.nodeWidth, this.view.nodeHeight];
  }

  /**
   * What the camera sees, outer boxes first.
   * @param {Camera} camera
   * @returns {{open: number[], closed: number[], nodes: number[], ports: number[]}}
   */
  collectVisible(camera) {
    const seen = { open: /** @type {number[]} */ ([]), closed: /** @type {number[]} */ ([]), nodes: /** @type {number[]} */ ([]), ports: /** @type {number[]} */ ([]) };
    const view = this.view;
    const worklist = view.numBoxes ? [0] : [];
    for (let box = worklist.pop(); box !== undefined; box = worklist.pop()) {
      if (!camera.sees(...this.getBoxRect(box))) continue;
      if (!this.openness.open[box]) {
        seen.closed.push(box);
        continue;
      }
      seen.open.push(box);
      for (const child of view.childBoxes.get(box)) worklist.push(child);
      this.collectNodes(camera, box, seen);
    }
    return seen;
  }

  /** @param {Camera} camera @param {number} box @param {{nodes: number[], ports: number[]}} seen */
  collectNodes(camera, box, seen) {
    const { x, y, nodeWidth: w, nodeHeight: h, portX, portY } = this.view;
    if (w * camera.scale < 2) return;
    for (const node of this.view.nodesOfBox.get(box)) if (camera.sees(x[node], y[node], w, h)) seen.nodes.push(node);
    for (const port of this.view.portsOfBox.get(box)) if (camera.sees(portX[port], portY[port], w, h)) seen.ports.push(port);
  }

  /** What is at a point of the plane. @param {number} x @param {number} y @returns {{node: number, box: number}} */
  hit(x, y) {
    const view = this.view;
    const isIn = (/** @type {number} */ bx, /** @type {number} */ by, /** @type {number} */ w, /** @type {number} */ h) => x >= bx && y >= by && x <= bx + w && y <= by + h;
    let box = 0;
    for (let inner = 0; inner >= 0; ) {
      box = inner;
      inner = this.openness.open[box] ? [...view.childBoxes.get(box)].find((child) => isIn(...this.getBoxRect(child))) ?? -1 : -1;
    }
    if (!this.openness.open[box]) return { node: -1, box };
    for (const node of view.nodesOfBox.get(box)) if (isIn(view.x[node], view.y[node], view.nodeWidth, view.nodeHeight)) return { node, box };
    return { node: -1, box };
  }

  /** The nodes in a box, those of boxes inside included, but not many more than `most`. @param {number} box @param {number} most @returns {number[]} */
  getNodesIn(box, most = Infinity) {
    const nodes = [];
    const worklist = [box];
    for (let b = worklist.pop(); b !== undefined && nodes.length < most; b = worklist.pop()) {
      for (const node of this.view.nodesOfBox.get(b)) nodes.push(node);
      for (const child of this.view.childBoxes.get(b)) worklist.push(child);
    }
    return nodes;
  }
}
