// What share of the nodes of each box each device has.

class BoxShares {
  /** @param {Scene} scene */
  constructor(scene) {
    this.view = scene.view;
    this.problem = scene.problem;
    this.assignment = scene.assignment;
    const d = (this.numDevices = this.problem.numDevices);
    this.counts = new Int32Array(this.view.numBoxes * d);
    this.device = this.assignment.device.slice();
    const { box, boxParent, numBoxes } = this.view;
    for (let node = 0; node < this.problem.numNodes; ++node) if (this.isCounted(node)) ++this.counts[box[node] * d + this.device[node]];
    for (let b = numBoxes; b-- > 1; ) for (let i = 0; i < d; ++i) if (boxParent[b] >= 0) this.counts[boxParent[b] * d + i] += this.counts[b * d + i];
  }

  /** Carried values and control flow are no work of a device. @param {number} node */
  isCounted(node) {
    return this.problem.kind[node] === Kind.Timed && this.device[node] < this.numDevices;
  }

  /** @param {Iterable<number>} nodes those that may have moved */
  update(nodes) {
    for (const node of nodes) {
      const [before, now] = [this.device[node], this.assignment.device[node]];
      if (before === now || !this.isCounted(node)) continue;
      this.device[node] = now;
      for (let b = this.view.box[node]; b >= 0; b = this.view.boxParent[b]) {
        --this.counts[b * this.numDevices + before];
        ++this.counts[b * this.numDevices + now];
      }
    }
  }

  /** @param {number} box @returns {Int32Array} */
  get(box) {
    return this.counts.subarray(box * this.numDevices, (box + 1) * this.numDevices);
  }
}
