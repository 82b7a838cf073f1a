// What part of the plane is on the screen.

const LARGEST_SCALE = 40;

class Camera {
  constructor() {
    /** The point of the plane in the upper left corner. */
    this.x = 0;
    this.y = 0;
    /** Pixels per grid unit. */
    this.scale = 1;
    this.width = 1;
    this.height = 1;
  }

  /** @param {number} x */
  toScreenX(x) {
    return (x - this.x) * this.scale;
  }

  /** @param {number} y */
  toScreenY(y) {
    return (y - this.y) * this.scale;
  }

  /** @param {number} x @param {number} y @param {number} w @param {number} h */
  sees(x, y, w, h) {
    return x <= this.x + this.width / this.scale && y <= this.y + this.height / this.scale && x + w >= this.x && y + h >= this.y;
  }

  /** @param {number} dx pixels @param {number} dy pixels */
  pan(dx, dy) {
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
  }

  /** Keeps the point under the cursor. @param {number} sx @param {number} sy @param {number} factor @param {number} least */
  zoomAt(sx, sy, factor, least) {
    const [wx, wy] = [this.x + sx / this.scale, this.y + sy / this.scale];
    this.scale = Math.min(Math.max(this.scale * factor, least), LARGEST_SCALE);
    this.x = wx - sx / this.scale;
    this.y = wy - sy / this.scale;
  }

  /** Shows a rectangle, as large as fits, but no larger than `most`. @param {number} x @param {number} y @param {number} w @param {number} h @param {number} most */
  fit(x, y, w, h, most = 14) {
    this.scale = Math.min((this.width - 32) / Math.max(w, 1), (this.height - 32) / Math.max(h, 1), most);
    this.center(x + w / 2, y + h / 2);
  }

  /** @param {number} x @param {number} y */
  center(x, y) {
    this.x = x - this.width / this.scale / 2;
    this.y = y - this.height / this.scale / 2;
  }
}
