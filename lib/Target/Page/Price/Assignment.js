// Where the nodes of a problem stand.

const NONE = 255;

class Assignment {
  /**
   * @param {Problem} problem
   * @param {Uint8Array} device by node; NONE while it is undecided
   * @param {Uint8Array} replicated by node: made again on each device that needs it
   */
  constructor(problem, device, replicated) {
    this.problem = problem;
    this.device = device;
    this.replicated = replicated;
  }

  clone() {
    return new Assignment(this.problem, this.device.slice(), this.replicated.slice());
  }

  /** @param {Assignment} other */
  copyFrom(other) {
    this.device.set(other.device);
    this.replicated.set(other.replicated);
  }

  /** Where a value is that is not replicated. @param {number} value */
  getValueDevice(value) {
    const producer = this.problem.producer[value];
    return producer < 0 ? this.problem.fixedDevice[value] : this.device[producer];
  }

  /** @param {number} value */
  isValueReplicated(value) {
    const producer = this.problem.producer[value];
    return producer >= 0 && this.replicated[producer] !== 0;
  }

  /** True if the two differ in more than where nothing is made. @param {Assignment} other @param {number} node */
  differsAt(other, node) {
    if (this.replicated[node] !== other.replicated[node]) return true;
    return !this.replicated[node] && this.device[node] !== other.device[node];
  }

  /** @param {Assignment} other @returns {number[]} the nodes that stand elsewhere */
  getDifferences(other) {
    const nodes = [];
    for (let node = 0; node < this.device.length; ++node) if (this.differsAt(other, node)) nodes.push(node);
    return nodes;
  }
}
