// What keys do wherever the focus is, but in fields of text.

/** @type {[string, string][]} what the list of keys shows */
const KEY_TEXTS = [
  ["↑ ↓ ← →", "in the tree: from row to row, close and open; on the picture: move"],
  ["Enter, Space", "choose the row; choose it as well"],
  ["1 2 3 …", "put what is chosen on the first, second, third device"],
  ["0", "free what is chosen: the least cost decides"],
  ["o", "re-optimize what is free around what is pinned"],
  ["Ctrl+Z, Ctrl+Y", "undo, redo"],
  ["+ −", "zoom"],
  ["f, g", "show all; show what is chosen"],
  ["/", "search"],
  ["e", "export rules"],
  ["t, c, m", "time, compare, messages"],
  ["n, p", "in the time line: the next event, the one before"],
  ["d", "dark or light"],
  ["?", "these keys"],
];

class Keys {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    document.addEventListener("keydown", (event) => this.press(event));
  }

  /** @returns {Record<string, () => void>} */
  getActions() {
    const { app } = this;
    const { graph } = app;
    return {
      "/": () => byId("search").focus(),
      "+": () => this.zoom(1.4),
      "=": () => this.zoom(1.4),
      "-": () => this.zoom(1 / 1.4),
      f: () => graph.fitAll(),
      g: () => app.showSelection(),
      o: () => app.optimize(),
      e: () => app.exportRules(),
      t: () => app.showPanel("time"),
      c: () => app.showPanel("compare"),
      m: () => app.showPanel("messages"),
      d: () => app.theme.set(!app.theme.isDark),
      "?": () => /** @type {HTMLDialogElement} */ (byId("keys")).showModal(),
      "0": () => app.move(-1),
    };
  }

  /** @param {number} factor */
  zoom(factor) {
    const { graph } = this.app;
    graph.camera.zoomAt(graph.camera.width / 2, graph.camera.height / 2, factor, graph.leastScale);
    graph.invalidate();
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.closest("dialog, textarea") || (target instanceof HTMLInputElement && target.type !== "checkbox")) return;
    const action = event.ctrlKey || event.metaKey ? this.getWithControl(event) : this.getPlain(event);
    if (!action || event.altKey) return;
    action();
    event.preventDefault();
  }

  /** @param {KeyboardEvent} event */
  getWithControl(event) {
    const key = event.key.toLowerCase();
    if (key === "z") return () => (event.shiftKey ? this.app.redo() : this.app.undo());
    return key === "y" ? () => this.app.redo() : null;
  }

  /** @param {KeyboardEvent} event */
  getPlain(event) {
    if (event.key >= "1" && event.key <= "9") return () => this.app.move(Number(event.key) - 1);
    const pan = this.getPan(event);
    return pan || this.getActions()[event.key] || null;
  }

  /** Arrows move the picture where it has the focus. @param {KeyboardEvent} event */
  getPan(event) {
    const steps = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] });
    const step = steps[event.key];
    if (!step || !(event.target instanceof HTMLCanvasElement)) return null;
    const { graph } = this.app;
    return () => {
      graph.camera.pan(...step);
      graph.invalidate();
    };
  }
}
