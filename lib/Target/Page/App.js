// Puts the page together: reads the data, makes the parts, and passes what one
// part does to the others.

class App {
  /** @param {any} data @param {any} against the data of a second placement, or null */
  constructor(data, against) {
    this.placement = new Placement(data);
    this.against = against ? new Placement(against) : null;
    this.problem = this.placement.problem;
    this.session = new Session(this.placement);
    this.theme = new Theme();
    this.scene = new Scene(this.placement, this.session.assignment);
    this.scene.getReason = (node) => this.session.getReason(node);
    /** @type {{nodes: number[], box: number}} */
    this.selection = { nodes: [], box: -1 };
    this.makeGraph();
    this.makePanels();
    this.session.onChange = (nodes) => this.moved(nodes);
    this.theme.onChange = () => this.repaint();
    this.repaint();
  }

  makeGraph() {
    this.graph = new GraphView(/** @type {HTMLCanvasElement} */ (byId("graph")), this.scene, this.theme, {
      pick: (node, box, add) => (node >= 0 ? this.pickNode(node, add, false) : this.pickBox(box, false)),
      pickMany: (nodes, add) => this.pickMany(nodes, add),
      moved: () => this.compare.follow(),
    });
    this.graph.minimap = new Minimap(/** @type {HTMLCanvasElement} */ (byId("minimap")), this.graph);
  }

  makePanels() {
    this.tree = new Tree(byId("tree"), this);
    this.details = new Details(byId("details"), this);
    this.search = new Search(this);
    this.summary = new Summary(this);
    this.messages = new Messages(byId("messages"), this);
    this.legend = new Legend(byId("legend"), this);
    this.compare = new Compare(this);
    this.time = new Timeline(this);
    new Keys(this);
    const { numNodes } = this.problem;
    byId("title").textContent = this.placement.title || "Placement";
    byId("size").textContent = `${numNodes} nodes`;
    byId("key-list").replaceChildren(makeTable(["key", "what it does"], KEY_TEXTS.map((pair) => [...pair])));
    this.bindButtons();
  }

  bindButtons() {
    /** @type {Record<string, () => void>} */
    const actions = {
      undo: () => this.undo(),
      redo: () => this.redo(),
      optimize: () => this.optimize(),
      export: () => this.exportRules(),
      fit: () => this.graph.fitAll(),
      dark: () => this.theme.set(!this.theme.isDark),
      help: () => /** @type {HTMLDialogElement} */ (byId("keys")).showModal(),
      "show-time": () => this.showPanel("time"),
      "show-compare": () => this.showPanel("compare"),
      "show-messages": () => this.showPanel("messages"),
    };
    for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);
  }

  /** Everything anew: colours or sizes have changed. */
  repaint() {
    this.legend.paint();
    this.summary.paint();
    this.details.paint();
    this.messages.paint();
    this.tree.paint();
    this.compare.paint();
    this.time.paint();
    this.graph.refresh();
    this.paintButtons();
  }

  paintButtons() {
    /** @type {HTMLButtonElement} */ (byId("undo")).disabled = this.session.done.length === 0;
    /** @type {HTMLButtonElement} */ (byId("redo")).disabled = this.session.undone.length === 0;
  }

  /** @param {number} node @param {boolean} add @param {boolean} shows whether the picture goes there */
  pickNode(node, add, shows) {
    const nodes = add ? this.selection.nodes.filter((other) => other !== node) : [];
    this.select([...nodes, node], -1);
    if (shows) this.graph.reveal(node);
    this.tree.reveal(node);
    announce(`${this.placement.view.getLabel(node)}, ${this.problem.devices[this.session.assignment.device[node]] || "where needed"}`);
  }

  /** @param {number} box @param {boolean} shows */
  pickBox(box, shows) {
    this.select([], box);
    if (shows) this.graph.showBox(box);
    else if (!this.scene.openness.open[box]) this.graph.toggle(box);
    if (!shows && box > 0) this.tree.revealRow(this.placement.view.boxParent[box], (row) => row.node < 0 && row.box === box);
    announce(`${this.placement.view.getBoxLabel(box)}, ${this.placement.view.boxTotal[box]} nodes`);
  }

  /** @param {number[]} nodes @param {boolean} add */
  pickMany(nodes, add) {
    const all = add ? [...new Set([...this.selection.nodes, ...nodes])] : nodes;
    this.select(all, -1);
    announce(`${all.length} operations chosen`);
  }

  /** @param {number[]} nodes @param {number} box */
  select(nodes, box) {
    this.selection = { nodes, box };
    this.scene.select(nodes);
    this.scene.selectedBox = box;
    this.graph.invalidate();
    this.tree.paint();
    this.details.paint();
    this.compare.paintRight();
    this.time.select(nodes);
  }

  showSelection() {
    const { nodes, box } = this.selection;
    if (nodes.length > 0) this.graph.reveal(nodes[0]);
    else if (box >= 0) this.graph.showBox(box);
  }

  /** @param {number} device @param {boolean} isShown */
  filter(device, isShown) {
    if (isShown) this.scene.dimmedDevices.delete(device);
    else this.scene.dimmedDevices.add(device);
    this.graph.refresh();
  }

  /** The nodes that an edit means: those chosen, or all of a chosen box. */
  getChosen() {
    const { nodes, box } = this.selection;
    return nodes.length === 0 && box >= 0 ? this.scene.getNodesIn(box) : nodes;
  }

  /** @param {number} device -1 to free */
  move(device) {
    if (device >= this.problem.numDevices) return;
    const chosen = this.getChosen();
    const count = device < 0 ? this.session.free(chosen) : this.session.pin(chosen, device);
    announce(count === 0 ? "nothing moved" : `${count} ${device < 0 ? "freed" : `on ${this.problem.devices[device]}`}, ${formatTime(this.session.getCost())}`);
  }

  optimize() {
    announce(this.session.optimize());
  }

  undo() {
    announce(`undone: ${this.session.undo() || "nothing"}`);
  }

  redo() {
    announce(`done again: ${this.session.redo() || "nothing"}`);
  }

  /** @param {number[]} nodes */
  moved(nodes) {
    this.scene.copiesOf = this.session.pricer.copiesOf;
    this.scene.moved(nodes);
    this.graph.refresh();
    this.tree.paint();
    this.details.paint();
    this.summary.paint();
    this.compare.paint();
    this.paintButtons();
  }

  exportRules() {
    const rules = writeRules(this.session);
    byId("rules").textContent = rules.text;
    byId("rules-note").textContent = rules.note;
    const save = /** @type {HTMLButtonElement} */ (byId("save-rules"));
    save.onclick = () => download("rules.yaml", rules.text, "application/yaml");
    /** @type {HTMLDialogElement} */ (byId("export-dialog")).showModal();
  }

  /** Shows a panel below, or hides it. @param {string} name */
  showPanel(name) {
    for (const panel of document.querySelectorAll(".below > section")) {
      const wasHidden = /** @type {HTMLElement} */ (panel).hidden;
      /** @type {HTMLElement} */ (panel).hidden = panel.id !== `panel-${name}` || !wasHidden;
    }
    if (name === "compare") this.compare.toggle(!byId("panel-compare").hidden);
    else this.compare.toggle(false);
    this.time.paint();
  }
}

/** @param {string} id @returns {any} */
function readData(id) {
  const element = document.getElementById(id);
  if (!element) return null;
  const data = JSON.parse(element.textContent || "null");
  element.remove();
  return data;
}

/** @type {App} */
var app;

function start() {
  try {
    app = new App(readData("placement"), readData("against"));
  } catch (error) {
    byId("title").textContent = `This page cannot be shown: ${/** @type {Error} */ (error).message}`;
    throw error;
  }
}
