// When everything ran.

class Timeline {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
  }

  paint() {}
  /** @param {number[]} nodes */
  select(nodes) {
    void nodes;
  }
}
