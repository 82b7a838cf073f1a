// What colours, patterns and marks mean; a box per device shows or dims it, and
// one per node all its devices.

/** The numbers of devices by the node that their names say: "gpu:0@1" is on node 1. @param {string[]} names @returns {Map<string, number[]>} */
function groupByNode(names) {
  const groups = new Map();
  names.forEach((name, device) => {
    const node = name.split("@")[1] || "0";
    groups.set(node, [...(groups.get(node) || []), device]);
  });
  return groups;
}

class Legend {
  /** @param {HTMLElement} element @param {App} app */
  constructor(element, app) {
    this.element = element;
    this.app = app;
  }

  paint() {
    const { problem, placement } = this.app;
    const nodes = groupByNode(problem.devices);
    const devices = nodes.size > 1 ? [...nodes].map(([node, members]) => this.makeNode(node, members)) : problem.devices.map((name, device) => this.makeDevice(name, device));
    const used = [...new Set(placement.origins.map(([kind]) => kind))].filter((kind) => kind in REASON_MARKS);
    const marks = [...used, "user", "free"].map((kind) => make("span", { class: "mark" }, make("b", {}, REASON_MARKS[/** @type {keyof typeof REASON_MARKS} */ (kind)]), ` ${REASON_TEXTS[/** @type {keyof typeof REASON_TEXTS} */ (kind)]}`));
    this.element.replaceChildren(make("div", { class: "devices", role: "group", "aria-label": "devices that are shown" }, ...devices), make("details", {}, make("summary", {}, "marks"), ...marks));
  }

  /** @param {string} node @param {number[]} devices */
  makeNode(node, devices) {
    const { app } = this;
    const isShown = devices.some((device) => !app.scene.dimmedDevices.has(device));
    const box = /** @type {HTMLInputElement} */ (make("input", { type: "checkbox", checked: isShown, "data-node": node }));
    const group = make("div", { class: "node", role: "group", "aria-label": `node ${node}` }, make("label", {}, box, ` node ${node}`), ...devices.map((device) => this.makeDevice(app.problem.devices[device], device)));
    box.addEventListener("change", () => {
      for (const one of group.querySelectorAll("input")) one.checked = box.checked;
      for (const device of devices) app.filter(device, box.checked);
    });
    return group;
  }

  /** @param {string} name @param {number} device */
  makeDevice(name, device) {
    const { scene } = this.app;
    const box = /** @type {HTMLInputElement} */ (make("input", { type: "checkbox", checked: !scene.dimmedDevices.has(device), "data-filter": device }));
    box.addEventListener("change", () => this.app.filter(device, box.checked));
    return make("label", {}, box, this.makeSample(device), ` ${name}`);
  }

  /** @param {number} device */
  makeSample(device) {
    const sample = /** @type {HTMLCanvasElement} */ (make("canvas", { width: 28, height: 14, "aria-hidden": "true" }));
    const context = /** @type {CanvasRenderingContext2D} */ (sample.getContext("2d"));
    context.fillStyle = this.app.theme.getColor(device);
    context.fillRect(0, 0, 28, 14);
    const pattern = this.app.theme.getPattern(context, device);
    if (pattern) {
      context.fillStyle = pattern;
      context.fillRect(0, 0, 28, 14);
    }
    return sample;
  }
}
