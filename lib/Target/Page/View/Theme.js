// Colours and patterns: each device has one of both, so that devices can be
// told apart without colour. Light and dark.

/** Okabe and Ito's colours, which people with any colour vision tell apart. */
const DEVICE_COLORS = {
  light: ["#d4d4d4", "#8fcbef", "#f2bf5c", "#73c7a9", "#efe78c", "#dfa9c8", "#e89a6a", "#7fa8d8"],
  dark: ["#5a5a5a", "#1f6f9f", "#9a6a0a", "#0b7556", "#857c14", "#8d4a72", "#96480f", "#2a5590"],
};

const INK = {
  light: { page: "#ffffff", box: "#f6f6f4", boxEdge: "#8a8a86", text: "#1a1a1a", faint: "#6b6b68", edge: "#9a9a96", copy: "#b3261e", select: "#0b57d0", mark: "#8a2be2", port: "#ececea" },
  dark: { page: "#161616", box: "#1f1f1f", boxEdge: "#757575", text: "#f0f0f0", faint: "#a5a5a5", edge: "#6c6c6c", copy: "#ff8a7a", select: "#8ab4f8", mark: "#d7a6ff", port: "#2c2c2c" },
};

/** How a pattern's tile of 8 by 8 is drawn, by device; the host has none. */
const PATTERNS = [
  [],
  [[0, 8, 8, 0]],
  [[0, 0, 8, 8]],
  [[0, 4, 8, 4]],
  [[4, 0, 4, 8]],
  [[0, 8, 8, 0], [0, 0, 8, 8]],
  [[0, 4, 8, 4], [4, 0, 4, 8]],
  [[0, 2, 8, 2], [0, 6, 8, 6]],
];

/** What a reason is marked with. */
const REASON_MARKS = { pinned: "P", rule: "R", cost: "¢", default: "D", fallback: "F", host: "H", once: "1", repeated: "∞", carried: "~", other: "?", user: "✎", free: "○" };
const REASON_TEXTS = {
  pinned: "an annotation of the program",
  rule: "a rule",
  cost: "the least cost",
  default: "the default device",
  fallback: "fell back to the host",
  host: "only the host can",
  once: "made once, since copies cost less than making it again",
  repeated: "made again, since that costs less than copies",
  carried: "where it is carried at the least cost",
  other: "another reason",
  user: "put there on this page",
  free: "free: the least cost decides",
};

class Theme {
  constructor() {
    /** @type {Map<string, CanvasPattern|null>} */
    this.patterns = new Map();
    const wanted = window.matchMedia("(prefers-color-scheme: dark)");
    this.isDark = wanted.matches;
    wanted.addEventListener("change", () => this.set(wanted.matches));
    this.onChange = () => {};
    this.apply();
  }

  /** @param {boolean} isDark */
  set(isDark) {
    this.isDark = isDark;
    this.apply();
    this.onChange();
  }

  apply() {
    document.documentElement.dataset.theme = this.isDark ? "dark" : "light";
  }

  get ink() {
    return this.isDark ? INK.dark : INK.light;
  }

  /** @param {number} device */
  getColor(device) {
    const colors = this.isDark ? DEVICE_COLORS.dark : DEVICE_COLORS.light;
    return device === NONE ? "#888888" : colors[device % colors.length];
  }

  /** @param {CanvasRenderingContext2D} context @param {number} device */
  getPattern(context, device) {
    const key = `${device % PATTERNS.length} ${this.isDark}`;
    let pattern = this.patterns.get(key);
    if (pattern === undefined) {
      pattern = this.makePattern(context, device % PATTERNS.length);
      this.patterns.set(key, pattern);
    }
    return pattern;
  }

  /** @param {CanvasRenderingContext2D} context @param {number} index */
  makePattern(context, index) {
    const lines = PATTERNS[index];
    if (lines.length === 0) return null;
    const tile = document.createElement("canvas");
    tile.width = tile.height = 8;
    const ink = /** @type {CanvasRenderingContext2D} */ (tile.getContext("2d"));
    ink.strokeStyle = this.ink.text;
    ink.globalAlpha = 0.55;
    for (const [x0, y0, x1, y1] of lines) {
      ink.beginPath();
      ink.moveTo(x0, y0);
      ink.lineTo(x1, y1);
      ink.stroke();
    }
    return context.createPattern(tile, "repeat");
  }
}
