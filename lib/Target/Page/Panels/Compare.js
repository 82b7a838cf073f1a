// Two placements side by side, with a list of where they differ: the page's own
// and what it was before the edits, or the second one that the file has.

const MOST_DIFFERENCES = 500;

/** @typedef {{node: number, other: number}} Difference `other` is the node of the right side; either may be -1 */

class Compare {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.panel = byId("panel-compare");
    this.canvas = /** @type {HTMLCanvasElement} */ (byId("right"));
    this.usesSecond = app.against !== null;
    /** @type {GraphView|null} */
    this.right = null;
    /** By node of the left side: that of the right one. @type {Int32Array|null} */
    this.matches = null;
  }

  /** @returns {Placement} */
  get other() {
    return this.usesSecond && this.app.against ? this.app.against : this.app.placement;
  }

  get isShown() {
    return !this.canvas.hidden;
  }

  /** @param {boolean} isShown */
  toggle(isShown) {
    this.canvas.hidden = !isShown;
    if (isShown && !this.right) this.makeRight();
    this.paint();
    this.paintRight();
  }

  makeRight() {
    const scene = new Scene(this.other, this.other.start);
    const pick = (/** @type {number} */ node) => {
      const here = this.matches ? this.matches.indexOf(node) : -1;
      if (here >= 0) this.app.pickNode(here, false, true);
    };
    if (this.right) this.right.canvas.replaceWith((this.canvas = /** @type {HTMLCanvasElement} */ (this.canvas.cloneNode())));
    this.right = new GraphView(this.canvas, scene, this.app.theme, { pick: (node, box) => (node >= 0 ? pick(node) : this.openRight(box)), pickMany: () => {}, moved: () => {} });
    this.matches = matchNodes(this.app.placement, this.other);
  }

  /** @param {number} box */
  openRight(box) {
    if (this.right && !this.right.scene.openness.open[box]) this.right.toggle(box);
  }

  /** Where both sides show the same program they show the same part of it. */
  follow() {
    if (!this.isShown || !this.right || this.other.view !== this.app.placement.view) return;
    const [from, to] = [this.app.graph.camera, this.right.camera];
    if (from.x === to.x && from.y === to.y && from.scale === to.scale) return;
    [to.x, to.y, to.scale] = [from.x, from.y, from.scale];
    this.right.scene.openness.state.set(this.app.scene.openness.state);
    this.right.scene.openness.refresh();
    this.right.invalidate();
  }

  /** @returns {Difference[]} */
  getDifferences() {
    const { app, matches } = this;
    if (!matches) return [];
    const found = [];
    const isMatched = new Uint8Array(this.other.problem.numNodes);
    for (let node = 0; node < matches.length; ++node) {
      const other = matches[node];
      if (other >= 0) isMatched[other] = 1;
      if (other < 0 || this.describeSide(app.placement, app.session.assignment, node) !== this.describeSide(this.other, this.other.start, other)) found.push({ node, other });
    }
    for (let other = 0; other < isMatched.length; ++other) if (!isMatched[other]) found.push({ node: -1, other });
    return found;
  }

  /** @param {Placement} placement @param {Assignment} assignment @param {number} node */
  describeSide(placement, assignment, node) {
    if (node < 0) return "is not there";
    return assignment.replicated[node] ? "where needed" : placement.problem.devices[assignment.device[node]] || "?";
  }

  /** The right side shows what is chosen on the left. */
  paintRight() {
    const { right, matches, app } = this;
    if (!right || !this.isShown || !matches) return;
    const nodes = app.selection.nodes.map((node) => matches[node]).filter((node) => node >= 0);
    right.scene.select(nodes);
    if (nodes.length === 1 && this.other.view !== app.placement.view) right.reveal(nodes[0]);
    right.refresh();
  }

  paint() {
    if (!this.isShown) return;
    const differences = this.getDifferences();
    this.app.scene.mark(differences.map((difference) => difference.node).filter((node) => node >= 0));
    const rows = differences.slice(0, MOST_DIFFERENCES).map((difference) => this.makeRow(difference));
    const table = makeTable(["operation", "here", "there"], rows);
    table.id = "differences";
    this.panel.replaceChildren(this.makeHead(differences.length), table);
    this.app.graph.invalidate();
    this.follow();
  }

  /** @param {number} count */
  makeHead(count) {
    const { app } = this;
    const [here, there] = [app.session.getCost(), BigInt(this.other.cost)];
    const text = `${count} differences. Here ${formatTime(here)}, there ${formatTime(there)} (${formatChange(there - here)}). `;
    const head = make("p", { id: "compare-head" }, text);
    if (app.against) head.append(this.makeSwitch());
    return head;
  }

  /** Which placement is on the right. */
  makeSwitch() {
    const select = /** @type {HTMLSelectElement} */ (make("select", { "aria-label": "compare with" }, make("option", { value: "second" }, `with ${this.app.against ? this.app.against.title : ""}`), make("option", { value: "start" }, "with this one before edits")));
    select.value = this.usesSecond ? "second" : "start";
    select.addEventListener("change", () => {
      this.usesSecond = select.value === "second";
      this.makeRight();
      this.toggle(true);
    });
    return select;
  }

  /** @param {Difference} difference @returns {(Node|string)[]} */
  makeRow({ node, other }) {
    const { app } = this;
    const label = node >= 0 ? app.placement.view.getFullName(node) || app.placement.view.getLabel(node) : this.other.view.getLabel(other);
    const name = node >= 0 ? make("button", { type: "button", click: () => app.pickNode(node, false, true) }, label) : label;
    return [name, this.describeSide(app.placement, app.session.assignment, node), this.describeSide(this.other, this.other.start, other)];
  }
}

/** What tells an operation from others, but for equal ones. @param {Placement} placement @param {number} node */
function getIdentity({ view, problem }, node) {
  return [problem.kind[node], view.getFunction(node), view.str(view.op[node]), view.getFullName(node), view.getLocation(node)].join("\n");
}

/** By node of one placement: the same of the other, -1 for none. Equal ones match in their order. @param {Placement} left @param {Placement} right */
function matchNodes(left, right) {
  if (left === right) return Int32Array.from({ length: left.problem.numNodes }, (_, node) => node);
  /** @type {Map<string, number[]>} */
  const nodes = new Map();
  for (let node = right.problem.numNodes; node-- > 0; ) {
    const identity = getIdentity(right, node);
    const equal = nodes.get(identity);
    if (equal) equal.push(node);
    else nodes.set(identity, [node]);
  }
  return Int32Array.from({ length: left.problem.numNodes }, (_, node) => (nodes.get(getIdentity(left, node)) || []).pop() ?? -1);
}
