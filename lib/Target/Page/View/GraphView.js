// A canvas with a graph: paints when something has changed, and turns what
// people do with the mouse and the keyboard into calls.

/**
 * @typedef {{
 *   pick: (node: number, box: number, add: boolean) => void,
 *   pickMany: (nodes: number[], add: boolean) => void,
 *   moved: () => void,
 * }} GraphListener
 */

class GraphView {
  /** @param {HTMLCanvasElement} canvas @param {Scene} scene @param {Theme} theme @param {GraphListener} listener */
  constructor(canvas, scene, theme, listener) {
    this.canvas = canvas;
    this.scene = scene;
    this.theme = theme;
    this.listener = listener;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { alpha: false }));
    this.camera = new Camera();
    this.boxes = new BoxPainter(this.context, theme);
    this.nodes = new NodePainter(this.context, theme);
    this.edges = new EdgePainter(this.context, theme);
    /** @type {Minimap|null} */
    this.minimap = null;
    this.pending = 0;
    /** How long frames took, in milliseconds. @type {number[]} */
    this.frameTimes = [];
    /** The rectangle that is being drawn up, on the screen. @type {[number, number, number, number]|null} */
    this.band = null;
    this.hasFit = false;
    this.openedAt = 0;
    new GraphMouse(this);
    new ResizeObserver(() => this.resize()).observe(canvas);
  }

  resize() {
    const ratio = window.devicePixelRatio || 1;
    const [w, h] = [this.canvas.clientWidth, this.canvas.clientHeight];
    if (w === 0 || h === 0) return;
    this.canvas.width = Math.round(w * ratio);
    this.canvas.height = Math.round(h * ratio);
    const { camera } = this;
    const middle = [camera.x + camera.width / camera.scale / 2, camera.y + camera.height / camera.scale / 2];
    [camera.width, camera.height] = [w, h];
    camera.center(middle[0], middle[1]);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (!this.hasFit) this.fitAll();
    this.invalidate();
  }

  fitAll() {
    this.hasFit = true;
    if (this.scene.view.numBoxes) this.camera.fit(...this.scene.getBoxRect(0));
    this.invalidate();
  }

  /** The smallest scale: all of the program and some space around. */
  get leastScale() {
    const [, , w, h] = this.scene.view.numBoxes ? this.scene.getBoxRect(0) : [0, 0, 1, 1];
    return Math.min(0.5, (0.5 * Math.min(this.camera.width / Math.max(w, 1), this.camera.height / Math.max(h, 1))));
  }

  invalidate() {
    if (this.pending === 0) this.pending = requestAnimationFrame(() => this.frame());
  }

  /** Nodes, colours or boxes have changed. */
  refresh() {
    if (this.minimap) this.minimap.isStale = true;
    this.invalidate();
  }

  frame() {
    this.pending = 0;
    const start = performance.now();
    this.paint();
    if (this.minimap) this.minimap.paint();
    this.frameTimes.push(performance.now() - start);
    if (this.frameTimes.length > 240) this.frameTimes.shift();
    this.listener.moved();
  }

  paint() {
    const { camera, context, scene, theme } = this;
    scene.openness.update(camera.scale);
    context.fillStyle = theme.ink.page;
    context.fillRect(0, 0, camera.width, camera.height);
    const seen = scene.collectVisible(camera);
    for (const box of seen.open) this.boxes.paintOpen(scene, camera, box);
    for (const box of seen.closed) this.boxes.paintClosed(scene, camera, box);
    this.edges.paint(scene, camera, seen);
    this.nodes.paintPorts(scene, camera, seen.ports);
    this.nodes.paint(scene, camera, seen.nodes);
    this.paintBand();
  }

  paintBand() {
    if (!this.band) return;
    const [x0, y0, x1, y1] = this.band;
    this.context.strokeStyle = this.theme.ink.select;
    this.context.lineWidth = 1;
    this.context.setLineDash([4, 4]);
    this.context.strokeRect(x0, y0, x1 - x0, y1 - y0);
    this.context.setLineDash([]);
  }

  /** Shows a node, with the boxes around it open. @param {number} node */
  reveal(node) {
    const { scene, camera } = this;
    scene.openness.reveal(scene.view.box[node]);
    const [x, y, w, h] = scene.getRect(node);
    camera.scale = Math.max(camera.scale, 7);
    camera.center(x + w / 2, y + h / 2);
    this.refresh();
  }

  /** Opens a closed box and shows it, or closes it. @param {number} box */
  toggle(box) {
    const { scene, camera } = this;
    const isOpen = scene.openness.open[box];
    scene.openness.set(box, isOpen ? BoxState.Closed : BoxState.Open);
    if (!isOpen) {
      this.openedAt = performance.now();
      const scale = camera.scale;
      camera.fit(...scene.getBoxRect(box));
      camera.scale = Math.max(camera.scale, Math.min(scale, 1));
    }
    this.refresh();
  }

  /** Shows a box as large as fits. @param {number} box */
  showBox(box) {
    this.scene.openness.reveal(this.scene.view.boxParent[box]);
    this.camera.fit(...this.scene.getBoxRect(box));
    this.refresh();
  }
}
