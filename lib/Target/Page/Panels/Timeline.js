// When everything ran: a lane per engine and link, the memory of each device,
// and what was predicted against what was measured.

const LANE_HEIGHT = 22;
const LANE_LABEL = 130;
const MEMORY_HEIGHT = 44;
const MOST_MEASURED = 200;

class Timeline {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.panel = byId("panel-time");
    this.data = app.placement.timeline;
    this.canvas = /** @type {HTMLCanvasElement} */ (make("canvas", { id: "time-canvas", tabindex: 0, role: "img", "aria-label": "time line; the table after it has the same" }));
    this.measured = make("div", { id: "measured" });
    [this.begin, this.end] = this.findSpan();
    /** What part is shown. */
    this.from = this.begin;
    this.to = this.end;
    this.hasBuilt = false;
    /** The event that was chosen last. */
    this.current = -1;
    this.pending = 0;
    this.bind();
  }

  /** From the first event to the last. */
  findSpan() {
    let [begin, end] = [Infinity, 1];
    for (let i = 0; this.data && i < this.data.numEvents; ++i) {
      begin = Math.min(begin, this.data.start[i]);
      end = Math.max(end, this.data.start[i] + this.data.length[i]);
    }
    return [begin === Infinity ? 0 : begin, end];
  }

  bind() {
    this.canvas.addEventListener("click", (event) => this.click(event));
    this.canvas.addEventListener("wheel", (event) => this.zoom(event), { passive: false });
    this.canvas.addEventListener("keydown", (event) => this.press(event));
    this.canvas.addEventListener("pointermove", (event) => event.buttons === 1 && this.drag(-event.movementX));
  }

  get width() {
    return Math.max(this.canvas.clientWidth - LANE_LABEL, 1);
  }

  /** @param {number} time */
  toX(time) {
    return LANE_LABEL + ((time - this.from) / (this.to - this.from)) * this.width;
  }

  paint() {
    if (this.panel.hidden) return;
    if (!this.data || this.data.numEvents === 0) {
      this.panel.replaceChildren(make("p", { class: "faint" }, "The file has no times: hetero-run MODEL --view=FILE runs the program and writes them."));
      return;
    }
    if (!this.hasBuilt) {
      this.hasBuilt = true;
      this.panel.replaceChildren(this.canvas, this.measured);
      this.canvas.style.cssText = `width: 100%; height: ${this.data.lanes.length * LANE_HEIGHT + this.data.memory.length * MEMORY_HEIGHT + 22}px`;
      this.measured.replaceChildren(...this.makeMeasured());
    }
    this.paintCanvas();
  }

  invalidate() {
    if (this.pending === 0)
      this.pending = requestAnimationFrame(() => {
        this.pending = 0;
        this.paintCanvas();
      });
  }

  paintCanvas() {
    if (!this.data || this.panel.hidden) return;
    const ratio = window.devicePixelRatio || 1;
    const [w, h] = [this.canvas.clientWidth, this.canvas.clientHeight];
    [this.canvas.width, this.canvas.height] = [w * ratio, h * ratio];
    const context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = this.app.theme.ink.page;
    context.fillRect(0, 0, w, h);
    context.font = "12px sans-serif";
    context.textBaseline = "middle";
    this.paintEvents(context);
    this.data.memory.forEach((curve, i) => this.paintMemory(context, curve, i));
    this.paintLabels(context);
  }

  /** @param {CanvasRenderingContext2D} context */
  paintEvents(context) {
    const data = /** @type {TimelineData} */ (this.data);
    const { ink } = this.app.theme;
    const { selected } = this.app.scene;
    for (let i = 0; i < data.numEvents; ++i) {
      const [x0, x1] = [this.toX(data.start[i]), this.toX(data.start[i] + data.length[i])];
      if (x1 < LANE_LABEL || x0 > LANE_LABEL + this.width) continue;
      const y = data.lane[i] * LANE_HEIGHT + 2;
      const [left, width] = [Math.max(x0, LANE_LABEL), Math.max(x1 - Math.max(x0, LANE_LABEL), 1)];
      const isChosen = data.node[i] >= 0 && selected[data.node[i]] !== 0;
      context.fillStyle = this.getColor(i);
      context.fillRect(left, y, width, LANE_HEIGHT - 4);
      if (isChosen || width > 4) {
        context.strokeStyle = isChosen ? ink.select : ink.boxEdge;
        context.lineWidth = isChosen ? 3 : 0.6;
        context.strokeRect(left, y, width, LANE_HEIGHT - 4);
      }
      if (width > 46) this.paintName(context, i, left, y, width);
    }
  }

  /** @param {CanvasRenderingContext2D} context @param {number} event @param {number} x @param {number} y @param {number} width */
  paintName(context, event, x, y, width) {
    const data = /** @type {TimelineData} */ (this.data);
    context.save();
    context.beginPath();
    context.rect(x, y, width, LANE_HEIGHT);
    context.clip();
    context.fillStyle = this.app.theme.ink.text;
    context.textAlign = "left";
    context.fillText(this.app.placement.view.str(data.name[event]), x + 3, y + LANE_HEIGHT / 2 - 2);
    context.restore();
  }

  /** Copies have one colour, the rest that of the device of its lane. @param {number} event */
  getColor(event) {
    const data = /** @type {TimelineData} */ (this.data);
    const lane = data.lanes[data.lane[event]];
    if (lane.includes("copy") || lane.includes("->")) return this.app.theme.isDark ? "#7a3a34" : "#f1b8b2";
    // The longest name: gpu:0 begins gpu:0@1, too.
    const { devices } = this.app.problem;
    const device = devices.reduce((best, name, index) => (lane.startsWith(name) && (best < 0 || name.length > devices[best].length) ? index : best), -1);
    return this.app.theme.getColor(Math.max(device, 0));
  }

  /** @param {CanvasRenderingContext2D} context @param {{device: number, time: Float64Array, bytes: Float64Array}} curve @param {number} index */
  paintMemory(context, curve, index) {
    const data = /** @type {TimelineData} */ (this.data);
    const bottom = data.lanes.length * LANE_HEIGHT + (index + 1) * MEMORY_HEIGHT;
    const most = curve.bytes.reduce((a, b) => Math.max(a, b), 1);
    const toY = (/** @type {number} */ bytes) => bottom - (bytes / most) * (MEMORY_HEIGHT - 8);
    context.fillStyle = this.app.theme.getColor(curve.device);
    context.beginPath();
    context.moveTo(LANE_LABEL, bottom);
    let y = bottom;
    for (let i = 0; i < curve.time.length; ++i) {
      const x = Math.min(Math.max(this.toX(curve.time[i]), LANE_LABEL), LANE_LABEL + this.width);
      context.lineTo(x, y);
      y = toY(curve.bytes[i]);
      context.lineTo(x, y);
    }
    context.lineTo(LANE_LABEL + this.width, y);
    context.lineTo(LANE_LABEL + this.width, bottom);
    context.fill();
    context.fillStyle = this.app.theme.ink.text;
    context.textAlign = "left";
    context.fillText(`${this.app.problem.devices[curve.device]} ${formatBytes(most)}`, 4, bottom - MEMORY_HEIGHT / 2);
  }

  /** @param {CanvasRenderingContext2D} context */
  paintLabels(context) {
    const data = /** @type {TimelineData} */ (this.data);
    context.fillStyle = this.app.theme.ink.text;
    context.textAlign = "left";
    data.lanes.forEach((lane, i) => context.fillText(lane, 4, i * LANE_HEIGHT + LANE_HEIGHT / 2, LANE_LABEL - 8));
    const y = this.canvas.clientHeight - 10;
    context.fillStyle = this.app.theme.ink.faint;
    context.fillText(formatTime((this.from - this.begin) * 1000), LANE_LABEL, y);
    context.textAlign = "right";
    context.fillText(`${formatTime((this.to - this.begin) * 1000)} ${data.clock ? `(${data.clock} clock)` : ""}`, LANE_LABEL + this.width - 4, y);
  }

  /** @param {MouseEvent} event */
  click(event) {
    const data = this.data;
    if (!data) return;
    const { left, top } = this.canvas.getBoundingClientRect();
    const [x, lane] = [event.clientX - left, Math.floor((event.clientY - top) / LANE_HEIGHT)];
    for (let i = 0; i < data.numEvents; ++i) {
      if (data.lane[i] !== lane || x < this.toX(data.start[i]) - 1 || x > this.toX(data.start[i] + data.length[i]) + 1) continue;
      this.pick(i);
      return;
    }
  }

  /** To the next event, or the one before. @param {number} step */
  walk(step) {
    const data = this.data;
    if (!data) return;
    this.current = Math.min(Math.max(this.current + step, 0), data.numEvents - 1);
    this.scrollTo(data.start[this.current], data.length[this.current]);
    this.pick(this.current);
  }

  /** @param {number} event */
  pick(event) {
    this.current = event;
    const data = /** @type {TimelineData} */ (this.data);
    const bytes = data.bytes[event] >= 0 ? `, ${formatBytes(data.bytes[event])}` : "";
    if (data.node[event] >= 0) this.app.pickNode(data.node[event], false, true);
    announce(`${this.app.placement.view.str(data.name[event])}: ${formatTime(data.length[event] * 1000)}${bytes}`);
  }

  /** What is chosen elsewhere is shown here. @param {number[]} nodes */
  select(nodes) {
    if (this.panel.hidden || !this.data) return;
    if (nodes.length === 1) {
      const event = this.data.node.indexOf(nodes[0]);
      if (event >= 0) this.scrollTo(this.data.start[event], this.data.length[event]);
    }
    this.invalidate();
  }

  /** @param {number} start @param {number} length */
  scrollTo(start, length) {
    const span = this.to - this.from;
    if (start >= this.from && start + length <= this.to) return;
    this.from = Math.max(start + length / 2 - span / 2, this.begin);
    this.to = this.from + span;
  }

  /** @param {WheelEvent} event */
  zoom(event) {
    event.preventDefault();
    const { left } = this.canvas.getBoundingClientRect();
    this.zoomAt((event.clientX - left - LANE_LABEL) / this.width, Math.exp(event.deltaY * 0.0015));
  }

  /** @param {number} part @param {number} factor */
  zoomAt(part, factor) {
    const span = this.to - this.from;
    const middle = this.from + Math.min(Math.max(part, 0), 1) * span;
    const now = Math.min(Math.max(span * factor, 10), this.end - this.begin);
    this.from = Math.min(Math.max(middle - part * now, this.begin), this.end - now);
    this.to = this.from + now;
    this.invalidate();
  }

  /** @param {number} pixels */
  drag(pixels) {
    const span = this.to - this.from;
    this.from = Math.min(Math.max(this.from + (pixels / this.width) * span, this.begin), this.end - span);
    this.to = this.from + span;
    this.invalidate();
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    /** @type {Record<string, () => void>} */
    const keys = { n: () => this.walk(1), p: () => this.walk(-1), ArrowLeft: () => this.drag(-60), ArrowRight: () => this.drag(60), "+": () => this.zoomAt(0.5, 0.7), "-": () => this.zoomAt(0.5, 1.4) };
    const action = keys[event.key];
    if (!action) return;
    action();
    event.preventDefault();
    event.stopPropagation();
  }

  /** Those that the model is the farthest from come first. */
  makeMeasured() {
    const { placement, problem } = this.app;
    const data = /** @type {TimelineData} */ (this.data);
    const found = [...data.measured].map(([node, measured]) => ({ node, measured, predicted: problem.getTime(node, placement.start.device[node]) })).filter(({ predicted }) => predicted > 0 && predicted !== NEVER);
    if (found.length === 0) return [];
    found.sort((a, b) => Math.abs(Math.log(b.measured / b.predicted)) - Math.abs(Math.log(a.measured / a.predicted)));
    const rows = found.slice(0, MOST_MEASURED).map(({ node, measured, predicted }) => {
      const name = make("button", { type: "button", click: () => this.app.pickNode(node, false, true) }, placement.view.getLabel(node));
      return [name, formatTime(predicted), formatTime(measured), trim(measured / predicted)];
    });
    return [make("h3", {}, "Predicted and measured"), makeTable(["operation", "predicted", "measured", "ratio"], rows)];
  }
}
