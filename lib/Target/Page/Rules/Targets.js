// What a rules file must say of each node: the device that it has to name, or
// that it must not name the node at all.

/** Nothing depends on whether a rule names the node. */
const ANY_TARGET = -1;
/** No rule may name it: cost decides. */
const COST_TARGET = -2;
/** Rules do not see it. */
const NO_TARGET = -3;

class Targets {
  /** @param {Session} session @param {(node: number) => boolean} isHeld whether rules hold a node that cost could decide */
  constructor(session, isHeld) {
    this.session = session;
    this.problem = session.problem;
    this.view = session.placement.view;
    this.isHeld = isHeld;
    this.of = Int32Array.from({ length: this.problem.numNodes }, (_, node) => this.find(node));
  }

  /** @param {number} node */
  find(node) {
    const { problem, session, view } = this;
    // A device on control flow is the default for what is inside.
    if (problem.kind[node] === Kind.Host) return view.boxOfNode.has(node) ? COST_TARGET : NO_TARGET;
    if (problem.kind[node] !== Kind.Timed) return NO_TARGET;
    const reason = session.placement.getReason(node);
    if (session.choice[node] === Choice.Pinned) return session.assignment.device[node];
    if (reason === "repeated") return COST_TARGET;
    if (problem.replicable[node]) return ANY_TARGET;
    if (reason === "pinned" || reason === "host" || reason === "fallback") return this.findSettled(node);
    if (session.assignment.replicated[node] || (problem.open[node] && !this.isHeld(node))) return COST_TARGET;
    return session.assignment.device[node];
  }

  /** What cannot be elsewhere may be named with the host, and what is annotated with anything. @param {number} node */
  findSettled(node) {
    if (this.session.placement.getReason(node) === "pinned") return ANY_TARGET;
    return this.session.placement.start.device[node];
  }

  /** True if a rule for one of two nodes may name the other. @param {number} node @param {number} other */
  agree(node, other) {
    return this.of[node] === ANY_TARGET || this.of[node] === this.of[other];
  }

  /** The device that most have, which can stand for all where cost decides nothing; -1 if it decides something. */
  findDefault() {
    const counts = new Array(this.problem.numDevices).fill(0);
    for (let node = 0; node < this.of.length; ++node) {
      if (this.of[node] >= 0) ++counts[this.of[node]];
      else if (this.of[node] === COST_TARGET && this.problem.kind[node] === Kind.Timed) return -1;
    }
    return counts.indexOf(Math.max(...counts));
  }

  /** Where a default leaves a node that no rule names. @param {number} node @param {number} device -1 for by cost */
  getWithoutRule(node, device) {
    if (device < 0) return COST_TARGET;
    const { problem } = this;
    return [device, problem.hosts[device]].find((there) => problem.canRunOn(node, there)) || HOST;
  }
}
