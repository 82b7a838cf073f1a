// Finds few rules that put every operation where it has to be. The first match
// wins, so what is general comes last: rules are found from the last to the
// first, each the one that puts the most right.

/** @typedef {{condition: Condition, device: number}} FoundRule */

class Cover {
  /** @param {Targets} targets @param {number} defaultDevice -1 for by cost */
  constructor(targets, defaultDevice) {
    this.targets = targets;
    this.conditions = new Conditions(targets);
    /** Where the rules up to now put each node. */
    this.now = Int32Array.from(targets.of, (_, node) => targets.getWithoutRule(node, defaultDevice));
    /** The first matches first. @type {FoundRule[]} */
    this.rules = [];
  }

  /** @param {number} node */
  isWrong(node) {
    const target = this.targets.of[node];
    return target >= 0 && target !== this.now[node];
  }

  /** How many more are right with the rule, and on which device; 0 if it may not be. @param {Condition} condition @returns {{gain: number, device: number}} */
  getGain(condition) {
    /** @type {Map<number, number>} */
    const wrong = new Map();
    let right = 0;
    for (const node of condition.nodes) {
      const target = this.targets.of[node];
      if (target === COST_TARGET) return { gain: 0, device: -1 };
      if (this.isWrong(node)) wrong.set(target, (wrong.get(target) || 0) + 1);
    }
    const [device, count] = [...wrong].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [-1, 0]);
    for (const node of condition.nodes) if (this.targets.of[node] >= 0 && this.targets.of[node] !== device && !this.isWrong(node)) ++right;
    return { gain: count - right, device };
  }

  /** @param {Condition} condition @param {number} device */
  take(condition, device) {
    this.rules.unshift({ condition, device });
    for (const node of condition.nodes) this.now[node] = device;
  }

  /** Rules for many, the best first, while they put more than one right. */
  takeGeneral() {
    const queue = [...this.conditions.byText.values()].map((condition) => ({ condition, ...this.getGain(condition) })).filter((item) => item.gain > 1);
    while (queue.length > 0) {
      queue.sort((a, b) => a.gain - b.gain || b.condition.weight - a.condition.weight);
      const item = /** @type {{condition: Condition, gain: number, device: number}} */ (queue.pop());
      const { gain, device } = this.getGain(item.condition);
      if (gain < 2) continue;
      if (gain < item.gain) queue.push({ condition: item.condition, gain, device });
      else this.take(item.condition, device);
    }
  }

  takeSingles() {
    for (let node = 0; node < this.now.length; ++node) if (this.isWrong(node)) this.take(this.conditions.makeSingle(node), this.targets.of[node]);
  }

  /** Leaves out what matches first nothing that matters. */
  prune() {
    const isFound = new Uint8Array(this.now.length);
    this.rules = this.rules.filter(({ condition }) => {
      const first = condition.nodes.filter((node) => !isFound[node]);
      if (!first.some((node) => this.targets.of[node] >= 0)) return false;
      for (const node of first) isFound[node] = 1;
      return true;
    });
  }

  /** @returns {FoundRule[]} */
  find() {
    this.takeGeneral();
    this.takeSingles();
    this.prune();
    return this.rules;
  }
}
