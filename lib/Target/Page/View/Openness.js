// Which boxes show what is in them: those that the user opened, and those that
// are large enough on the screen. Boxes that are closed stand for their nodes.

/** Pixels per unit from which nodes can be told apart. */
const NODE_SCALE = 1.6;
/** Size in pixels from which the largest of the boxes inside says something. */
const BOX_WIDTH = 44;
const BOX_HEIGHT = 14;

const BoxState = Object.freeze({ Auto: 0, Open: 1, Closed: 2 });

class Openness {
  /** @param {ProgramView} view */
  constructor(view) {
    this.view = view;
    this.state = new Uint8Array(view.numBoxes);
    this.open = new Uint8Array(view.numBoxes);
    /** By box: the outermost closed box around it or it, -1 if all are open. */
    this.closedAround = new Int32Array(view.numBoxes);
    this.detailScale = this.findDetailScales();
    this.scale = 0;
  }

  /** From which scale on each box opens by itself. */
  findDetailScales() {
    const view = this.view;
    return Float64Array.from({ length: view.numBoxes }, (_, box) => {
      let least = NODE_SCALE;
      for (const child of view.childBoxes.get(box)) least = Math.min(least, Math.max(BOX_WIDTH / view.boxW[child], BOX_HEIGHT / view.boxH[child]));
      return least;
    });
  }

  /** @param {number} scale */
  update(scale) {
    if (scale === this.scale) return;
    this.scale = scale;
    this.refresh();
  }

  refresh() {
    const { boxParent, numBoxes } = this.view;
    for (let box = 0; box < numBoxes; ++box) {
      const parent = boxParent[box];
      const around = parent < 0 ? -1 : this.closedAround[parent];
      const opens = this.state[box] === BoxState.Open || (this.state[box] === BoxState.Auto && (box === 0 || this.scale >= this.detailScale[box]));
      this.open[box] = around < 0 && opens ? 1 : 0;
      this.closedAround[box] = around >= 0 ? around : opens ? -1 : box;
    }
  }

  /** @param {number} box @param {number} state */
  set(box, state) {
    this.state[box] = state;
    this.refresh();
  }

  /** Opens a box and all around it. @param {number} box */
  reveal(box) {
    for (let b = box; b >= 0; b = this.view.boxParent[b]) if (!this.open[b]) this.state[b] = BoxState.Open;
    this.refresh();
  }

  /** The box that stands for a node, or -1 if it is drawn itself. @param {number} node */
  getBoxFor(node) {
    const own = this.view.boxOfNode.get(node);
    return this.closedAround[own === undefined ? this.view.box[node] : own];
  }
}
