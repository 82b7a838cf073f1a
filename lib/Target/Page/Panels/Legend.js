// What colours, patterns and marks mean; a box per device shows or dims it.

class Legend {
  /** @param {HTMLElement} element @param {App} app */
  constructor(element, app) {
    this.element = element;
    this.app = app;
  }

  paint() {
    const { problem, placement } = this.app;
    const devices = problem.devices.map((name, device) => this.makeDevice(name, device));
    const used = [...new Set(placement.origins.map(([kind]) => kind))].filter((kind) => kind in REASON_MARKS);
    const marks = [...used, "user", "free"].map((kind) => make("span", { class: "mark" }, make("b", {}, REASON_MARKS[/** @type {keyof typeof REASON_MARKS} */ (kind)]), ` ${REASON_TEXTS[/** @type {keyof typeof REASON_TEXTS} */ (kind)]}`));
    this.element.replaceChildren(make("div", { class: "devices", role: "group", "aria-label": "devices that are shown" }, ...devices), make("details", {}, make("summary", {}, "marks"), ...marks));
  }

  /** @param {string} name @param {number} device */
  makeDevice(name, device) {
    const { scene } = this.app;
    const box = /** @type {HTMLInputElement} */ (make("input", { type: "checkbox", checked: ((scene.shownDevices >> device) & 1) === 1, "data-filter": device }));
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
