// The program as a tree of rows beside the canvas: what the keyboard and screen
// readers use. Only rows in sight are elements.

const ROW_HEIGHT = 22;

/** @typedef {{box: number, node: number, level: number, position: number, size: number}} TreeRow */

class Tree {
  /** @param {HTMLElement} element @param {App} app */
  constructor(element, app) {
    this.element = element;
    this.app = app;
    this.view = app.placement.view;
    this.expanded = new Set([0]);
    /** @type {TreeRow[]} */
    this.rows = [];
    this.current = 0;
    this.space = make("div", { role: "presentation", class: "space" });
    element.append(this.space);
    element.addEventListener("scroll", () => this.paint());
    element.addEventListener("keydown", (event) => this.press(event));
    element.addEventListener("click", (event) => this.click(event));
    this.expandWhileShort();
    this.collect();
  }

  /** Opens boxes from the outside on, as long as all fit into a short list. */
  expandWhileShort() {
    let count = 0;
    for (let box = 0; box < this.view.numBoxes; ++box) {
      count += this.view.nodesOfBox.count(box) + this.view.childBoxes.count(box);
      if (count > 400 || !this.expanded.has(Math.max(this.view.boxParent[box], 0))) break;
      this.expanded.add(box);
    }
  }

  /** The rows of what is expanded, in the order of the program. */
  collect() {
    this.rows = [];
    if (this.view.numBoxes) this.collectBox(0, 1, 1, 1);
    this.space.style.height = `${this.rows.length * ROW_HEIGHT}px`;
    this.current = Math.min(this.current, this.rows.length - 1);
    this.paint();
  }

  /** @param {number} box @param {number} level @param {number} position @param {number} size */
  collectBox(box, level, position, size) {
    this.rows.push({ box, node: -1, level, position, size });
    if (!this.expanded.has(box)) return;
    const items = this.getItems(box);
    items.forEach((item, i) => {
      if (item.node < 0) this.collectBox(item.box, level + 1, i + 1, items.length);
      else this.rows.push({ box, node: item.node, level: level + 1, position: i + 1, size: items.length });
    });
  }

  /** Boxes and nodes of a box, by where they stand. @param {number} box */
  getItems(box) {
    const { view } = this;
    const items = [...view.nodesOfBox.get(box)].map((node) => ({ node, box, x: view.x[node], y: view.y[node] }));
    for (const child of view.childBoxes.get(box)) items.push({ node: -1, box: child, x: view.boxX[child], y: view.boxY[child] });
    return items.sort((a, b) => a.y - b.y || a.x - b.x);
  }

  paint() {
    const first = Math.max(Math.floor(this.element.scrollTop / ROW_HEIGHT) - 4, 0);
    const last = Math.min(first + Math.ceil(this.element.clientHeight / ROW_HEIGHT) + 8, this.rows.length);
    const shown = [];
    for (let i = first; i < last; ++i) shown.push(this.makeRow(i));
    if (this.current >= 0 && (this.current < first || this.current >= last) && this.rows.length) shown.push(this.makeRow(this.current));
    this.space.replaceChildren(...shown);
    this.element.setAttribute("aria-activedescendant", `row${this.current}`);
  }

  /** @param {number} index */
  makeRow(index) {
    const row = this.rows[index];
    const isBox = row.node < 0;
    const attributes = { role: "treeitem", id: `row${index}`, "aria-level": row.level, "aria-posinset": row.position, "aria-setsize": row.size, "aria-selected": String(this.isSelected(row)), "data-row": index, class: index === this.current ? "row current" : "row" };
    const element = make("div", isBox ? { ...attributes, "aria-expanded": String(this.expanded.has(row.box)) } : attributes);
    element.style.top = `${index * ROW_HEIGHT}px`;
    element.style.paddingLeft = `${row.level * 12}px`;
    if (isBox) element.append(this.expanded.has(row.box) ? "▾ " : "▸ ", make("b", {}, this.view.getBoxLabel(row.box)), ` ${this.view.boxTotal[row.box]}`);
    else element.append(...this.describeNode(row.node));
    return element;
  }

  /** @param {number} node */
  describeNode(node) {
    const { app, view } = this;
    const device = app.session.assignment.replicated[node] ? "where needed" : app.problem.devices[app.session.assignment.device[node]] || "";
    const chip = make("span", { class: "chip", "aria-hidden": "true" });
    chip.style.background = app.theme.getColor(app.session.assignment.device[node]);
    const label = view.getLabel(node);
    const op = view.str(view.op[node]);
    return [chip, ` ${label}`, make("span", { class: "faint" }, label === op ? ` ${device}` : ` ${op} ${device}`)];
  }

  /** @param {TreeRow} row */
  isSelected(row) {
    return row.node >= 0 ? this.app.scene.selected[row.node] !== 0 : this.app.scene.selectedBox === row.box;
  }

  /** Shows a node's row, with the boxes around it expanded. @param {number} node */
  reveal(node) {
    const row = this.rows[this.current];
    if (row && row.node === node) return;
    const own = this.view.boxOfNode.get(node);
    this.revealRow(own === undefined ? this.view.box[node] : this.view.boxParent[own], (row) => (own === undefined ? row.node === node : row.node < 0 && row.box === own));
  }

  /** @param {number} box the innermost that has to be expanded @param {(row: TreeRow) => boolean} isIt */
  revealRow(box, isIt) {
    for (let b = box; b >= 0; b = this.view.boxParent[b]) this.expanded.add(b);
    this.collect();
    const index = this.rows.findIndex(isIt);
    if (index >= 0) this.moveTo(index, false);
  }

  /** @param {number} index @param {boolean} picks */
  moveTo(index, picks) {
    if (this.rows.length === 0) return;
    this.current = Math.min(Math.max(index, 0), this.rows.length - 1);
    const top = this.current * ROW_HEIGHT;
    const { scrollTop, clientHeight } = this.element;
    if (top < scrollTop) this.element.scrollTop = top;
    else if (top + ROW_HEIGHT > scrollTop + clientHeight) this.element.scrollTop = top + ROW_HEIGHT - clientHeight;
    if (picks) this.pick(false);
    this.paint();
  }

  /** @param {boolean} add */
  pick(add) {
    const row = this.rows[this.current];
    if (!row) return;
    if (row.node >= 0) this.app.pickNode(row.node, add, true);
    else this.app.pickBox(row.box, true);
  }

  /** @param {boolean} open */
  expand(open) {
    const row = this.rows[this.current];
    if (row.node < 0 && this.expanded.has(row.box) !== open) {
      if (open) this.expanded.add(row.box);
      else this.expanded.delete(row.box);
      this.collect();
    } else if (open) {
      this.moveTo(this.current + 1, true);
    } else {
      const outer = this.rows.findLastIndex((other, i) => i < this.current && other.level < row.level);
      if (outer >= 0) this.moveTo(outer, true);
    }
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const page = Math.floor(this.element.clientHeight / ROW_HEIGHT);
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowDown: () => this.moveTo(this.current + 1, true),
      ArrowUp: () => this.moveTo(this.current - 1, true),
      PageDown: () => this.moveTo(this.current + page, true),
      PageUp: () => this.moveTo(this.current - page, true),
      Home: () => this.moveTo(0, true),
      End: () => this.moveTo(this.rows.length - 1, true),
      ArrowRight: () => this.expand(true),
      ArrowLeft: () => this.expand(false),
      Enter: () => this.pick(false),
      " ": () => this.pick(true),
    };
    const action = keys[event.key];
    if (!action) return;
    action();
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {MouseEvent} event */
  click(event) {
    const target = /** @type {HTMLElement} */ (event.target).closest("[data-row]");
    if (!target) return;
    this.current = Number(/** @type {HTMLElement} */ (target).dataset.row);
    const row = this.rows[this.current];
    const { left } = target.getBoundingClientRect();
    if (row.node < 0 && event.clientX - left < row.level * 12 + 14) this.expand(!this.expanded.has(row.box));
    this.pick(event.ctrlKey || event.shiftKey);
    this.paint();
  }
}
