// Finds nodes by name, operation, shape, device or reason.

const MOST_RESULTS = 200;

/** What a word of a query is compared with. */
const SEARCH_KEYS = ["name", "op", "shape", "device", "reason", "text"];

class Search {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.input = /** @type {HTMLInputElement} */ (byId("search"));
    this.list = byId("results");
    /** @type {number[]} */
    this.found = [];
    this.timer = 0;
    this.input.addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => this.run(), 120);
    });
    this.input.addEventListener("keydown", (event) => this.press(event));
    byId("choose-results").addEventListener("click", () => this.app.pickMany(this.found, false));
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.key === "Enter") {
      clearTimeout(this.timer);
      this.run();
      this.app.pickMany(this.found, false);
    } else if (event.key === "Escape") {
      this.input.value = "";
      this.run();
    } else if (event.key === "ArrowDown") {
      const first = this.list.querySelector("button");
      if (first) first.focus();
    } else {
      return;
    }
    event.preventDefault();
  }

  run() {
    this.found = this.find(this.input.value);
    this.app.scene.mark(this.found);
    this.app.graph.refresh();
    this.paint();
  }

  /** All words must be found; one with a key (`op:matmul`) there alone. @param {string} query @returns {number[]} */
  find(query) {
    const words = query.trim().toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return [];
    const tests = words.map((word) => this.makeTest(word));
    const found = [];
    for (let node = 0; node < this.app.problem.numNodes; ++node) if (tests.every((test) => test(node))) found.push(node);
    return found;
  }

  /** @param {string} word @returns {(node: number) => boolean} */
  makeTest(word) {
    const [key, rest] = [word.slice(0, word.indexOf(":")), word.slice(word.indexOf(":") + 1)];
    const { view } = this.app.placement;
    if (word.includes(":") && SEARCH_KEYS.includes(key)) return this.makeKeyTest(key, rest);
    const inText = this.makeStringTest(word);
    return (node) => inText(view.op[node]) || inText(view.type[node]) || inText(view.name[node]) || view.getFullName(node).toLowerCase().includes(word);
  }

  /** Looks at each text once, however many nodes have it. @param {string} word @returns {(index: number) => boolean} */
  makeStringTest(word) {
    const { strings } = this.app.placement.view;
    /** @type {Map<number, boolean>} */
    const known = new Map();
    return (index) => {
      let is = known.get(index);
      if (is === undefined) {
        is = (strings[index] || "").toLowerCase().includes(word);
        known.set(index, is);
      }
      return is;
    };
  }

  /** @param {string} key @param {string} word @returns {(node: number) => boolean} */
  makeKeyTest(key, word) {
    const { placement, session, problem } = this.app;
    const { view } = placement;
    const inText = this.makeStringTest(word);
    if (key === "op") return (node) => inText(view.op[node]);
    if (key === "shape") return (node) => inText(view.type[node]);
    if (key === "text") return (node) => inText(view.text[node]);
    if (key === "device") return (node) => (problem.devices[session.assignment.device[node]] || "").startsWith(word);
    if (key === "reason") return (node) => session.getReason(node).startsWith(word);
    return (node) => view.getFullName(node).toLowerCase().includes(word);
  }

  paint() {
    const { view } = this.app.placement;
    const shown = this.found.slice(0, MOST_RESULTS).map((node) => {
      const text = view.getFullName(node) || view.getLabel(node);
      const faint = make("span", { class: "faint" }, ` ${view.str(view.op[node])}`);
      return make("li", {}, make("button", { type: "button", click: () => this.app.pickNode(node, false, true), keydown: (/** @type {KeyboardEvent} */ event) => this.walk(event) }, text, faint));
    });
    this.list.replaceChildren(...shown);
    const isEmpty = this.input.value.trim() === "";
    byId("found").textContent = isEmpty ? "" : `${this.found.length} found`;
    byId("choose-results").hidden = this.found.length === 0;
  }

  /** Up and down in the list. @param {KeyboardEvent} event */
  walk(event) {
    const item = /** @type {HTMLElement} */ (event.target).parentElement;
    const next = event.key === "ArrowDown" ? item?.nextElementSibling : event.key === "ArrowUp" ? item?.previousElementSibling : null;
    if (!next) return;
    next.querySelector("button")?.focus();
    event.preventDefault();
  }
}
