// Two placements side by side, with a list of where they differ.

class Compare {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {GraphView|null} */
    this.right = null;
  }

  paint() {}
  paintRight() {}
  follow() {}
  /** @param {boolean} isShown */
  toggle(isShown) {
    void isShown;
  }
}
