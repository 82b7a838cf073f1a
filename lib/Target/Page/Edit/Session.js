// What the user has decided on this page, and what follows from it: where the
// nodes stand now, what that costs, and the steps to go back.

/**
 * What one step has changed: where nodes stood, and what was said of them.
 * @typedef {{nodes: number[], devices: number[], replicated: number[], choices: number[], text: string}} Step
 */

/** What the user says of a node. */
const Choice = Object.freeze({ Held: 0, Pinned: 1, Free: 2 });

class Session {
  /** @param {Placement} placement */
  constructor(placement) {
    this.placement = placement;
    this.problem = placement.problem;
    this.assignment = placement.start.clone();
    this.choice = new Uint8Array(this.problem.numNodes);
    /** @type {Step[]} */
    this.undone = [];
    /** @type {Step[]} */
    this.done = [];
    /** @type {Pricer|null} */
    this.madePricer = null;
    /** @type {MemoryModel|null} */
    this.memoryModel = null;
    /** @type {(nodes: number[]) => void} */
    this.onChange = () => {};
    /** The result of the last search: "" or what is to be said of it. */
    this.note = "";
  }

  /** Made when it is first asked for: large programs open without. */
  get pricer() {
    if (!this.madePricer) this.madePricer = new Pricer(this.problem, this.assignment);
    return this.madePricer;
  }

  /** The bytes that live at once on each device, or null where nothing has moved. @returns {number[]|null} */
  getMemoryPeaks() {
    if (!this.madePricer || !this.placement.memory) return null;
    if (!this.memoryModel) this.memoryModel = new MemoryModel(this.placement.memory, this.problem);
    return new MemoryPeaks(this.memoryModel, this.madePricer).find();
  }

  get isEdited() {
    return this.done.length > 0;
  }

  /** @returns {bigint} picoseconds */
  getCost() {
    return this.madePricer ? this.madePricer.cost.get() : BigInt(this.placement.cost);
  }

  /** Why the user cannot move a node, or "". @param {number} node */
  getRefusal(node) {
    const { problem, placement } = this;
    if (problem.kind[node] === Kind.Carried) return "what is carried follows its readers and writers";
    if (problem.kind[node] !== Kind.Timed) return "only the host runs it";
    if (problem.replicable[node] && placement.getReason(node) !== "repeated") return "it is made again on every device that needs it";
    const reason = placement.getReason(node);
    if (reason === "pinned") return "the program's own annotation pins it";
    if (problem.colocation[node] >= 0) return "it stands with its colocation group";
    return reason === "host" ? placement.getOrigin(node) : "";
  }

  /** @param {number} node @param {number} device */
  canMove(node, device) {
    return this.getRefusal(node) === "" && this.problem.canRunOn(node, device);
  }

  /** Whether the least cost decides where it stands. @param {number} node */
  follows(node) {
    const { problem, choice, assignment } = this;
    if (choice[node] === Choice.Pinned) return false;
    if (problem.kind[node] === Kind.Carried) return problem.open[node] !== 0;
    if (problem.replicable[node]) return problem.mayRepeat[node] !== 0;
    return problem.open[node] !== 0 && (choice[node] === Choice.Free || assignment.replicated[node] !== 0);
  }

  /** True unless something was moved that a rule or a default had placed. */
  keepsAnnotations() {
    return !this.isEdited || this.choice.every((choice, node) => choice === Choice.Held || this.problem.open[node] !== 0);
  }

  /** Puts nodes on a device. @param {number[]} nodes @param {number} device @returns {number} how many that changes */
  pin(nodes, device) {
    const together = this.placement.view.withSiblings(nodes);
    const chosen = together.filter((node) => this.canMove(node, device) && !(this.choice[node] === Choice.Pinned && this.assignment.device[node] === device));
    if (chosen.length === 0) return 0;
    const before = this.remember(`${chosen.length} to ${this.problem.devices[device]}`);
    for (const node of chosen) {
      this.choice[node] = Choice.Pinned;
      this.pricer.set(node, device, 0);
    }
    this.settle(chosen);
    this.finish(before);
    return chosen.length;
  }

  /** Leaves nodes to the least cost. @param {number[]} nodes @returns {number} */
  free(nodes) {
    const chosen = nodes.filter((node) => this.getRefusal(node) === "" && this.problem.open[node] && this.choice[node] !== Choice.Free);
    if (chosen.length === 0) return 0;
    const before = this.remember(`${chosen.length} free`);
    for (const node of chosen) this.choice[node] = Choice.Free;
    this.settle(chosen);
    this.finish(before);
    return chosen.length;
  }

  /** Everything that is not pinned goes where the sum is least. @returns {string} what is to be said of it */
  optimize() {
    const before = this.remember("re-optimized");
    const result = this.findBest();
    this.adopt(result.assignment);
    this.finish(before);
    this.note = result.note;
    return result.note;
  }

  /** The least cost around what is pinned. */
  findBest() {
    return reoptimize(this.problem, this.assignment, (node) => this.isOpenToCost(node), (node) => this.choice[node] === Choice.Pinned);
  }

  /** @param {number} node */
  isOpenToCost(node) {
    return this.problem.open[node] !== 0 && this.choice[node] !== Choice.Pinned;
  }

  /** What follows the nodes by cost is decided anew. @param {number[]} nodes */
  settle(nodes) {
    this.pricer.update();
    const result = settleAround(this.problem, this.assignment, nodes, (node) => this.follows(node));
    if (result) this.adopt(result);
  }

  /** @param {Assignment} target */
  adopt(target) {
    for (const node of this.assignment.getDifferences(target)) this.pricer.set(node, target.device[node], target.replicated[node]);
    this.pricer.update();
  }

  /** @param {string} text */
  remember(text) {
    void this.pricer;
    this.note = "";
    return { assignment: this.assignment.clone(), choice: this.choice.slice(), text };
  }

  /** @param {{assignment: Assignment, choice: Uint8Array, text: string}} before */
  finish(before) {
    const nodes = [];
    for (let node = 0; node < this.choice.length; ++node)
      if (this.choice[node] !== before.choice[node] || this.assignment.differsAt(before.assignment, node)) nodes.push(node);
    this.undone = [];
    this.done.push(this.makeStep(nodes, before.assignment, before.choice, before.text));
    this.onChange(nodes);
  }

  /** @param {number[]} nodes @param {Assignment} assignment @param {Uint8Array} choice @param {string} text @returns {Step} */
  makeStep(nodes, assignment, choice, text) {
    return {
      nodes,
      devices: nodes.map((node) => assignment.device[node]),
      replicated: nodes.map((node) => assignment.replicated[node]),
      choices: nodes.map((node) => choice[node]),
      text,
    };
  }

  /** Goes back by a step, or forth again. @param {Step[]} from @param {Step[]} to @returns {string} */
  step(from, to) {
    const step = from.pop();
    if (!step) return "";
    to.push(this.makeStep(step.nodes, this.assignment, this.choice, step.text));
    step.nodes.forEach((node, i) => {
      this.choice[node] = step.choices[i];
      this.pricer.set(node, step.devices[i], step.replicated[i]);
    });
    this.pricer.update();
    this.onChange(step.nodes);
    return step.text;
  }

  undo() {
    return this.step(this.done, this.undone);
  }

  redo() {
    return this.step(this.undone, this.done);
  }

  /** Why a node stands where it does, now. @param {number} node */
  getReason(node) {
    if (this.choice[node] === Choice.Pinned) return "user";
    if (this.choice[node] === Choice.Free) return "free";
    return this.placement.getReason(node);
  }
}
