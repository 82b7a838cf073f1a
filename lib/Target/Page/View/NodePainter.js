// Draws nodes and ports: plain rectangles from afar, with pattern, mark and
// name from near.

/** Widths in pixels from which a node has an edge, and a text. */
const EDGE_WIDTH = 10;
const TEXT_WIDTH = 34;

class NodePainter {
  /** @param {CanvasRenderingContext2D} context @param {Theme} theme */
  constructor(context, theme) {
    this.context = context;
    this.theme = theme;
  }

  /** @param {Scene} scene @param {Camera} camera @param {number[]} nodes */
  paint(scene, camera, nodes) {
    const width = scene.view.nodeWidth * camera.scale;
    this.fill(scene, camera, nodes);
    if (width >= EDGE_WIDTH) this.outline(scene, camera, nodes);
    if (width >= TEXT_WIDTH) for (const node of nodes) this.paintDetails(scene, camera, node);
    this.paintChosen(scene, camera, nodes, width);
  }

  /** All of one colour after another. @param {Scene} scene @param {Camera} camera @param {number[]} nodes */
  fill(scene, camera, nodes) {
    const { x, y, nodeWidth, nodeHeight } = scene.view;
    const [w, h] = [Math.max(nodeWidth * camera.scale, 1), Math.max(nodeHeight * camera.scale, 1)];
    /** @type {Map<number, number[]>} */
    const byColor = new Map();
    for (const node of nodes) {
      const key = scene.getDevice(node) * 2 + Number(scene.isDimmed(node));
      const list = byColor.get(key);
      if (list) list.push(node);
      else byColor.set(key, [node]);
    }
    for (const [key, list] of byColor) {
      this.context.globalAlpha = key & 1 ? 0.18 : 1;
      this.context.fillStyle = this.theme.getColor(key >> 1);
      for (const node of list) this.context.fillRect(camera.toScreenX(x[node]), camera.toScreenY(y[node]), w, h);
    }
    this.context.globalAlpha = 1;
  }

  /** @param {Scene} scene @param {Camera} camera @param {number[]} nodes */
  outline(scene, camera, nodes) {
    const { x, y, nodeWidth, nodeHeight } = scene.view;
    const [w, h] = [nodeWidth * camera.scale, nodeHeight * camera.scale];
    this.context.strokeStyle = this.theme.ink.boxEdge;
    this.context.lineWidth = 1;
    for (const node of nodes) {
      const isCarried = scene.problem.kind[node] === Kind.Carried;
      this.context.setLineDash(isCarried ? [4, 3] : []);
      this.context.strokeRect(camera.toScreenX(x[node]), camera.toScreenY(y[node]), w, h);
    }
    this.context.setLineDash([]);
  }

  /** Pattern, mark and name. @param {Scene} scene @param {Camera} camera @param {number} node */
  paintDetails(scene, camera, node) {
    const { context, theme } = this;
    const { view } = scene;
    const [sx, sy] = [camera.toScreenX(view.x[node]), camera.toScreenY(view.y[node])];
    const [w, h] = [view.nodeWidth * camera.scale, view.nodeHeight * camera.scale];
    const band = h * 0.7;
    context.globalAlpha = scene.isDimmed(node) ? 0.3 : 1;
    const pattern = theme.getPattern(context, scene.getDevice(node));
    if (pattern) {
      context.fillStyle = pattern;
      context.fillRect(sx, sy, band, h);
    }
    const size = Math.min(Math.max(h * 0.42, 7), 15);
    this.paintMark(scene, node, sx + band / 2, sy + h / 2, size);
    this.paintText(scene, node, sx + band + 3, sy, w - band - 5, h, size);
    const severity = scene.severities.get(node);
    if (severity) this.paintSeverity(severity, sx + w, sy, size);
    context.globalAlpha = 1;
  }

  /** @param {Scene} scene @param {number} node @param {number} x @param {number} y @param {number} size */
  paintMark(scene, node, x, y, size) {
    const { context, theme } = this;
    context.fillStyle = theme.ink.page;
    context.beginPath();
    context.arc(x, y, size * 0.62, 0, 7);
    context.fill();
    context.fillStyle = theme.ink.text;
    context.font = `${size}px sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    const reason = scene.assignment.replicated[node] ? "repeated" : scene.getReason(node);
    context.fillText(REASON_MARKS[/** @type {keyof typeof REASON_MARKS} */ (reason)] || "?", x, y);
  }

  /** A sign in the corner of what the compiler said something of. @param {string} severity @param {number} x @param {number} y @param {number} size */
  paintSeverity(severity, x, y, size) {
    const { context, theme } = this;
    context.fillStyle = severity === "error" || severity === "warning" ? theme.ink.copy : theme.ink.select;
    context.beginPath();
    context.arc(x, y, size * 0.5, 0, 7);
    context.fill();
    context.fillStyle = theme.ink.page;
    context.textAlign = "center";
    context.fillText(severity === "error" || severity === "warning" ? "!" : "i", x, y);
  }

  /** @param {Scene} scene @param {number} node @param {number} x @param {number} y @param {number} w @param {number} h @param {number} size */
  paintText(scene, node, x, y, w, h, size) {
    const { context, theme } = this;
    context.save();
    context.beginPath();
    context.rect(x, y, w, h);
    context.clip();
    context.textAlign = "left";
    context.fillStyle = theme.ink.text;
    context.font = `${size}px sans-serif`;
    const label = scene.view.getLabel(node);
    if (h < 26) {
      context.fillText(label, x, y + h / 2);
    } else {
      context.fillText(label, x, y + h * 0.3);
      context.fillStyle = theme.ink.faint;
      context.font = `${size * 0.8}px sans-serif`;
      context.fillText(this.describe(scene, node), x, y + h * 0.72);
    }
    context.restore();
  }

  /** @param {Scene} scene @param {number} node */
  describe(scene, node) {
    if (scene.assignment.replicated[node]) return "where needed";
    const device = scene.getDevice(node);
    const time = scene.problem.getTime(node, device);
    const name = scene.problem.devices[device] || "?";
    return time > 0 && time !== NEVER ? `${name}  ${formatTime(time)}` : name;
  }

  /** Rings around what is selected or marked. @param {Scene} scene @param {Camera} camera @param {number[]} nodes @param {number} width */
  paintChosen(scene, camera, nodes, width) {
    const { x, y, nodeWidth, nodeHeight } = scene.view;
    const [w, h] = [nodeWidth * camera.scale, nodeHeight * camera.scale];
    this.context.lineWidth = width < EDGE_WIDTH ? 1.5 : 3;
    for (const node of nodes) {
      if (!scene.selected[node] && !scene.marked[node]) continue;
      this.context.strokeStyle = scene.selected[node] ? this.theme.ink.select : this.theme.ink.mark;
      this.context.strokeRect(camera.toScreenX(x[node]) - 1, camera.toScreenY(y[node]) - 1, w + 2, h + 2);
    }
  }

  /** Where values come in and go out. @param {Scene} scene @param {Camera} camera @param {number[]} ports */
  paintPorts(scene, camera, ports) {
    const { context, theme } = this;
    const { view } = scene;
    const [w, h] = [view.nodeWidth * camera.scale, view.nodeHeight * camera.scale];
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (const port of ports) {
      const [sx, sy] = [camera.toScreenX(view.portX[port]), camera.toScreenY(view.portY[port])];
      context.fillStyle = theme.ink.port;
      context.strokeStyle = theme.ink.boxEdge;
      context.lineWidth = 1;
      context.beginPath();
      context.roundRect(sx, sy, w, h, h / 2);
      context.fill();
      context.stroke();
      if (w < TEXT_WIDTH) continue;
      context.fillStyle = theme.ink.faint;
      context.font = `${Math.min(Math.max(h * 0.4, 7), 14)}px sans-serif`;
      context.fillText(view.str(view.portName[port]), sx + w / 2, sy + h / 2, w - 6);
    }
  }
}
