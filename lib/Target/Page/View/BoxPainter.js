// Draws boxes: open ones as frames with a title, closed ones with what share
// of their operations each device has.

class BoxPainter {
  /** @param {CanvasRenderingContext2D} context @param {Theme} theme */
  constructor(context, theme) {
    this.context = context;
    this.theme = theme;
  }

  /** @param {Scene} scene @param {Camera} camera @param {number} box @returns {[number, number, number, number]} */
  place(scene, camera, box) {
    const [x, y, w, h] = scene.getBoxRect(box);
    return [camera.toScreenX(x), camera.toScreenY(y), w * camera.scale, h * camera.scale];
  }

  /** @param {Scene} scene @param {Camera} camera @param {number} box */
  paintOpen(scene, camera, box) {
    const { context, theme } = this;
    const [x, y, w, h] = this.place(scene, camera, box);
    if (w < 3) return;
    context.fillStyle = theme.ink.box;
    context.globalAlpha = 0.6;
    context.fillRect(x, y, w, h);
    context.globalAlpha = 1;
    this.frame(scene, box, x, y, w, h);
    const title = 2 * camera.scale;
    if (title >= 9) this.paintTitle(scene, box, x, y, w, title);
  }

  /** @param {Scene} scene @param {number} box @param {number} x @param {number} y @param {number} w @param {number} h */
  frame(scene, box, x, y, w, h) {
    const { context, theme } = this;
    const isSelected = scene.selectedBox === box;
    context.strokeStyle = isSelected ? theme.ink.select : theme.ink.boxEdge;
    context.lineWidth = isSelected ? 3 : scene.view.boxKind[box] === BoxKind.Function ? 1.5 : 1;
    if (scene.view.boxKind[box] === BoxKind.Loop) context.setLineDash([7, 3]);
    context.strokeRect(x, y, w, h);
    context.setLineDash([]);
  }

  /** The title stays in sight while its box is. @param {Scene} scene @param {number} box @param {number} x @param {number} y @param {number} w @param {number} height */
  paintTitle(scene, box, x, y, w, height) {
    const { context, theme } = this;
    const size = Math.min(height * 0.6, 14);
    const left = Math.max(x, 0) + 5;
    context.save();
    context.beginPath();
    context.rect(x, y, w, height);
    context.clip();
    context.fillStyle = theme.ink.faint;
    context.font = `600 ${size}px sans-serif`;
    context.textAlign = "left";
    context.textBaseline = "middle";
    const kind = BOX_KINDS[scene.view.boxKind[box]];
    const name = scene.view.getBoxLabel(box);
    context.fillText(name.startsWith(kind) ? name : `${kind} ${name}`, left, y + height / 2);
    context.restore();
  }

  /** @param {Scene} scene @param {Camera} camera @param {number} box */
  paintClosed(scene, camera, box) {
    const { context, theme } = this;
    const [x, y, w, h] = this.place(scene, camera, box);
    context.fillStyle = theme.ink.box;
    context.fillRect(x, y, Math.max(w, 1), Math.max(h, 1));
    this.paintShares(scene, box, x, y, w, h);
    if (w >= 4) this.frame(scene, box, x, y, w, h);
    if (w >= 44 && h >= 14) this.paintSummary(scene, box, x, y, w, h);
    if (scene.hasMarks && w >= 4) this.paintMarks(scene, box, x, y, w, h);
  }

  /** A bar per device, as wide as its share. @param {Scene} scene @param {number} box @param {number} x @param {number} y @param {number} w @param {number} h */
  paintShares(scene, box, x, y, w, h) {
    const { context, theme } = this;
    const shares = scene.shares.get(box);
    const total = shares.reduce((sum, n) => sum + n, 0);
    let left = x;
    for (let device = 0; device < shares.length && total > 0; ++device) {
      const width = (w * shares[device]) / total;
      if (width === 0) continue;
      context.globalAlpha = scene.dimmedDevices.has(device) ? 0.18 : 1;
      context.fillStyle = theme.getColor(device);
      context.fillRect(left, y, Math.max(width, 1), Math.max(h, 1));
      const pattern = w >= 12 ? theme.getPattern(context, device) : null;
      if (pattern) {
        context.fillStyle = pattern;
        context.fillRect(left, y, width, h);
      }
      left += width;
    }
    context.globalAlpha = 1;
  }

  /** @param {Scene} scene @param {number} box @param {number} x @param {number} y @param {number} w @param {number} h */
  paintSummary(scene, box, x, y, w, h) {
    const { context, theme } = this;
    const size = Math.min(h * 0.35, 14);
    const lines = [scene.view.getBoxLabel(box), `${scene.view.boxTotal[box]} nodes`];
    const count = h >= 34 ? 2 : 1;
    context.font = `600 ${size}px sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (let i = 0; i < count; ++i) {
      const middle = y + h / 2 + (i - (count - 1) / 2) * size * 1.4;
      const width = Math.min(context.measureText(lines[i]).width + 8, w);
      context.fillStyle = theme.ink.page;
      context.globalAlpha = 0.85;
      context.fillRect(x + (w - width) / 2, middle - size * 0.7, width, size * 1.4);
      context.globalAlpha = 1;
      context.fillStyle = theme.ink.text;
      context.fillText(lines[i], x + w / 2, middle, w - 4);
    }
  }

  /** A closed box shows that something in it is marked. @param {Scene} scene @param {number} box @param {number} x @param {number} y @param {number} w @param {number} h */
  paintMarks(scene, box, x, y, w, h) {
    if (!scene.markedBoxes[box]) return;
    this.context.strokeStyle = this.theme.ink.mark;
    this.context.lineWidth = 3;
    this.context.strokeRect(x, y, w, h);
  }
}
