// The mouse on a canvas: drag to move, wheel to zoom, click to choose, a double
// click to close a box, drag with Shift to choose all in a rectangle.

/** Pixels that a click may move. */
const CLICK_SLACK = 4;
/** A second click so many milliseconds after one that opened a box does not close it. */
const DOUBLE_CLICK = 700;

class GraphMouse {
  /** @param {GraphView} graph */
  constructor(graph) {
    this.graph = graph;
    /** @type {{x: number, y: number, moved: boolean, bands: boolean}|null} */
    this.down = null;
    const { canvas } = graph;
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.release(event));
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("dblclick", (event) => this.open(event));
  }

  /** @param {MouseEvent} event @returns {[number, number]} */
  getPoint(event) {
    const { left, top } = this.graph.canvas.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  }

  /** @param {MouseEvent} event */
  hit(event) {
    const [x, y] = this.getPoint(event);
    const { camera, scene } = this.graph;
    return scene.hit(camera.x + x / camera.scale, camera.y + y / camera.scale);
  }

  /** @param {PointerEvent} event */
  press(event) {
    if (event.button !== 0) return;
    const [x, y] = this.getPoint(event);
    this.down = { x, y, moved: false, bands: event.shiftKey };
    this.graph.canvas.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (!this.down) return;
    const [x, y] = this.getPoint(event);
    const { down, graph } = this;
    if (!down.moved && Math.abs(x - down.x) + Math.abs(y - down.y) < CLICK_SLACK) return;
    if (down.bands) {
      graph.band = [down.x, down.y, x, y];
      down.moved = true;
    } else {
      graph.camera.pan(x - down.x, y - down.y);
      this.down = { x, y, moved: true, bands: false };
    }
    graph.invalidate();
  }

  /** @param {PointerEvent} event */
  release(event) {
    const { down, graph } = this;
    this.down = null;
    if (!down) return;
    if (down.bands && down.moved) {
      this.chooseBand(event.ctrlKey);
    } else if (!down.moved) {
      const { node, box } = this.hit(event);
      graph.listener.pick(node, box, event.shiftKey || event.ctrlKey);
    }
    graph.band = null;
    graph.invalidate();
  }

  /** @param {boolean} add */
  chooseBand(add) {
    const { band, camera, scene, listener } = this.graph;
    if (!band) return;
    const [x0, x1] = [Math.min(band[0], band[2]), Math.max(band[0], band[2])].map((x) => camera.x + x / camera.scale);
    const [y0, y1] = [Math.min(band[1], band[3]), Math.max(band[1], band[3])].map((y) => camera.y + y / camera.scale);
    const touches = (/** @type {[number, number, number, number]} */ [x, y, w, h]) => x <= x1 && y <= y1 && x + w >= x0 && y + h >= y0;
    const seen = scene.collectVisible(camera);
    const nodes = seen.nodes.filter((node) => touches(scene.getRect(node)));
    for (const box of seen.closed) if (touches(scene.getBoxRect(box))) for (const node of scene.getNodesIn(box)) nodes.push(node);
    listener.pickMany(nodes, add);
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    event.preventDefault();
    const [x, y] = this.getPoint(event);
    const { graph } = this;
    graph.camera.zoomAt(x, y, Math.exp(-event.deltaY * 0.0015), graph.leastScale);
    graph.invalidate();
  }

  /** @param {MouseEvent} event */
  open(event) {
    const { node, box } = this.hit(event);
    const { graph } = this;
    if (node < 0 && box > 0 && event.timeStamp - graph.openedAt > DOUBLE_CLICK) graph.toggle(box);
  }
}
