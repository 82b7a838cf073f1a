// The whole program in a corner, with a frame around what the canvas shows.

class Minimap {
  /** @param {HTMLCanvasElement} canvas @param {GraphView} graph */
  constructor(canvas, graph) {
    this.canvas = canvas;
    this.graph = graph;
    this.context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.camera = new Camera();
    this.image = document.createElement("canvas");
    this.isStale = true;
    canvas.addEventListener("pointerdown", (event) => this.drag(event));
    canvas.addEventListener("pointermove", (event) => event.buttons === 1 && this.drag(event));
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const { left, top } = this.canvas.getBoundingClientRect();
    const { camera } = this.graph;
    camera.center(this.camera.x + (event.clientX - left) / this.camera.scale, this.camera.y + (event.clientY - top) / this.camera.scale);
    this.graph.invalidate();
  }

  /** The picture of the program, which changes only where nodes move. */
  paintImage() {
    const { scene, theme } = this.graph;
    const [w, h] = [this.canvas.clientWidth, this.canvas.clientHeight];
    this.canvas.width = this.image.width = w;
    this.canvas.height = this.image.height = h;
    [this.camera.width, this.camera.height] = [w + 24, h + 24];
    if (scene.view.numBoxes) this.camera.fit(...scene.getBoxRect(0), LARGEST_SCALE);
    [this.camera.x, this.camera.y] = [this.camera.x + 12 / this.camera.scale, this.camera.y + 12 / this.camera.scale];
    const context = /** @type {CanvasRenderingContext2D} */ (this.image.getContext("2d"));
    context.fillStyle = theme.ink.page;
    context.fillRect(0, 0, w, h);
    this.paintBoxes(context, scene, theme);
    this.isStale = false;
  }

  /** @param {CanvasRenderingContext2D} context @param {Scene} scene @param {Theme} theme */
  paintBoxes(context, scene, theme) {
    const painter = new BoxPainter(context, theme);
    const { view } = scene;
    const worklist = view.numBoxes ? [0] : [];
    for (let box = worklist.pop(); box !== undefined; box = worklist.pop()) {
      const isSmall = view.boxW[box] * this.camera.scale < 12;
      if (isSmall) {
        painter.paintShares(scene, box, ...painter.place(scene, this.camera, box));
        continue;
      }
      worklist.push(...view.childBoxes.get(box));
      const nodes = view.nodesOfBox.get(box);
      if (nodes.length * 4 < 20000) new NodePainter(context, theme).fill(scene, this.camera, [...nodes]);
    }
  }

  paint() {
    if (this.isStale) this.paintImage();
    const { camera, theme } = this.graph;
    this.context.drawImage(this.image, 0, 0);
    this.context.strokeStyle = theme.ink.select;
    this.context.lineWidth = 1.5;
    this.context.strokeRect(
      this.camera.toScreenX(camera.x),
      this.camera.toScreenY(camera.y),
      (camera.width / camera.scale) * this.camera.scale,
      (camera.height / camera.scale) * this.camera.scale
    );
  }
}
