// Draws edges: what one node makes, another needs. Thick ones are copies,
// dashed ones are carried by a loop, a branch or a call.

/** Pixels per unit from which edges between nodes are drawn. */
const EDGE_SCALE = 1.2;
/** From there on copies say what they move. */
const LABEL_SCALE = 7;
const MOST_CURVES = 600;

/**
 * @typedef {{from: [number, number, number, number], to: [number, number, number, number], copy: Copy|null, isCopy: boolean, isCarried: boolean, isChosen: boolean}} DrawnEdge
 */

class EdgePainter {
  /** @param {CanvasRenderingContext2D} context @param {Theme} theme */
  constructor(context, theme) {
    this.context = context;
    this.theme = theme;
  }

  /** @param {Scene} scene @param {Camera} camera @param {{nodes: number[], ports: number[], closed: number[]}} seen */
  paint(scene, camera, seen) {
    /** @type {DrawnEdge[]} */
    const edges = [];
    for (const box of seen.closed) if (scene.view.boxW[box] * camera.scale >= 8) this.collectOfBox(scene, box, edges);
    if (camera.scale >= EDGE_SCALE) for (const node of seen.nodes) this.collectOfNode(scene, camera, node, edges);
    this.stroke(camera, edges.filter((edge) => !edge.isCopy && !edge.isCarried && !edge.isChosen), this.theme.ink.edge, 1, []);
    this.stroke(camera, edges.filter((edge) => !edge.isCopy && edge.isCarried && !edge.isChosen), this.theme.ink.edge, 1.3, [6, 4]);
    this.stroke(camera, edges.filter((edge) => edge.isCopy && !edge.isCarried), this.theme.ink.copy, 3.2, []);
    this.stroke(camera, edges.filter((edge) => edge.isCopy && edge.isCarried), this.theme.ink.copy, 3.2, [8, 5]);
    this.stroke(camera, edges.filter((edge) => edge.isChosen && !edge.isCopy), this.theme.ink.select, 2, []);
    if (camera.scale >= LABEL_SCALE) this.label(camera, edges);
  }

  /** @param {Scene} scene @param {number} box @param {DrawnEdge[]} edges */
  collectOfBox(scene, box, edges) {
    const here = scene.getBoxRect(box);
    for (const link of scene.links.get(box)) {
      const there = scene.getRect(link.other);
      edges.push({ from: link.isOut ? here : there, to: link.isOut ? there : here, copy: null, isCopy: link.copy, isCarried: link.carried, isChosen: false });
    }
  }

  /** What the node reads; what reads it where that is out of sight. @param {Scene} scene @param {Camera} camera @param {number} node @param {DrawnEdge[]} edges */
  collectOfNode(scene, camera, node, edges) {
    const { problem, view } = scene;
    for (const read of problem.readsOfNode.get(node)) {
      const value = problem.readValue[read];
      const producer = problem.producer[value];
      const port = producer < 0 ? view.inputOfValue.get(value) : undefined;
      if (producer >= 0) this.add(scene, producer, node, value, edges);
      else if (port !== undefined) this.addFromPort(scene, port, node, value, edges);
    }
    for (const value of problem.resultsOfNode.get(node)) {
      for (const read of problem.readsOfValue.get(value)) {
        const reader = problem.readNode[read];
        if (!camera.sees(...scene.getRect(reader))) this.add(scene, node, reader, value, edges);
      }
      this.addFixedUses(scene, node, value, edges);
    }
  }

  /** @param {Scene} scene @param {number} node @param {number} value @param {DrawnEdge[]} edges */
  addFixedUses(scene, node, value, edges) {
    const { problem, view } = scene;
    for (const use of problem.fixedOfValue.get(value)) {
      const at = view.fixedAt[use];
      const to = at >= 0 ? scene.getRect(at) : scene.getPortRect(-1 - at);
      this.push(scene, scene.getRect(node), to, value, problem.fixedUseDevice[use], node, false, edges);
    }
    for (const read of problem.partialOfValue.get(value)) {
      if (view.partialAt[read] >= 0) this.push(scene, scene.getRect(node), scene.getRect(view.partialAt[read]), value, HOST, node, false, edges);
    }
  }

  /** @param {Scene} scene @param {number} from @param {number} to @param {number} value @param {DrawnEdge[]} edges */
  add(scene, from, to, value, edges) {
    const kind = scene.problem.kind;
    const isCarried = kind[from] === Kind.Carried || kind[to] === Kind.Carried;
    const device = scene.assignment.replicated[to] ? NONE : scene.getDevice(to);
    this.push(scene, scene.getRect(from), scene.getRect(to), value, device, from, isCarried, edges, to);
  }

  /** @param {Scene} scene @param {number} port @param {number} to @param {number} value @param {DrawnEdge[]} edges */
  addFromPort(scene, port, to, value, edges) {
    const device = scene.assignment.replicated[to] ? NONE : scene.getDevice(to);
    this.push(scene, scene.getPortRect(port), scene.getRect(to), value, device, to, scene.problem.kind[to] === Kind.Carried, edges);
  }

  /**
   * @param {Scene} scene @param {[number, number, number, number]} from @param {[number, number, number, number]} to
   * @param {number} value @param {number} device where the value is needed @param {number} node one end
   * @param {boolean} isCarried @param {DrawnEdge[]} edges @param {number} [other] the other end
   */
  push(scene, from, to, value, device, node, isCarried, edges, other = node) {
    if (from[0] === to[0] && from[1] === to[1]) return;
    const copy = device === NONE || scene.assignment.isValueReplicated(value) || scene.assignment.getValueDevice(value) === device ? null : scene.findCopy(value, device);
    const isChosen = scene.selected[node] !== 0 || scene.selected[other] !== 0;
    edges.push({ from, to, copy, isCopy: copy !== null, isCarried, isChosen });
  }

  /** @param {Camera} camera @param {DrawnEdge[]} edges @param {string} color @param {number} width @param {number[]} dash */
  stroke(camera, edges, color, width, dash) {
    if (edges.length === 0) return;
    const { context } = this;
    context.strokeStyle = color;
    context.lineWidth = width;
    context.setLineDash(dash);
    context.beginPath();
    for (const edge of edges) this.trace(camera, edge, edges.length <= MOST_CURVES);
    context.stroke();
    context.setLineDash([]);
  }

  /** From the lower edge of one to the upper edge of the other. @param {Camera} camera @param {DrawnEdge} edge @param {boolean} isCurve */
  trace(camera, { from, to }, isCurve) {
    const [x0, y0] = [camera.toScreenX(from[0] + from[2] / 2), camera.toScreenY(from[1] + from[3])];
    const [x1, y1] = [camera.toScreenX(to[0] + to[2] / 2), camera.toScreenY(to[1])];
    this.context.moveTo(x0, y0);
    if (!isCurve) {
      this.context.lineTo(x1, y1);
      return;
    }
    const bend = y1 > y0 ? (y1 - y0) / 2 : 2.5 * camera.scale;
    this.context.bezierCurveTo(x0, y0 + bend, x1, y1 - bend, x1, y1);
  }

  /** What copies move, and how long that takes. @param {Camera} camera @param {DrawnEdge[]} edges */
  label(camera, edges) {
    const { context, theme } = this;
    context.font = "11px sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (const { from, to, copy } of edges) {
      if (!copy) continue;
      const x = camera.toScreenX((from[0] + from[2] / 2 + to[0] + to[2] / 2) / 2);
      const y = camera.toScreenY((from[1] + from[3] + to[1]) / 2);
      const text = `${formatBytes(copy.bytes)}  ${formatTime(copy.time)}`;
      const width = context.measureText(text).width + 6;
      context.fillStyle = theme.ink.page;
      context.fillRect(x - width / 2, y - 7, width, 14);
      context.fillStyle = theme.ink.copy;
      context.fillText(text, x, y);
    }
  }
}
