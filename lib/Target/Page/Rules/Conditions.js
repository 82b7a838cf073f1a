// What a rule can ask of an operation, and which operations meet it.

/**
 * @typedef {{text: string, nodes: number[], weight: number}} Condition `text` is what stands in the rule before the device
 */

/**
 * What --hetero-convert-elementwise-to-linalg makes of other operations, after
 * rules have been matched: such a name need not be that which rules see, so that
 * the name in the source is better where there is one.
 */
const CONVERTED_OPS = new Set(["linalg.generic", "linalg.fill", "linalg.transpose", "tensor.insert_slice", "tensor.extract_slice", "tensor.expand_shape", "tensor.collapse_shape"]);

/** A text of YAML. @param {string} text */
const quote = (text) => JSON.stringify(text);
/** A text that a regular expression takes as it is. @param {string} text */
const escapeRegex = (text) => text.replace(/[.*+?()[\]{}^$|\\]/g, "\\$&");
/** A text that a pattern of names takes as it is. @param {string} text */
const escapeGlob = (text) => text.replace(/[*?[\]{}\\]/g, "\\$&");

/** The shape of the first result, as rules write it: `4x?x8`, or "" for none. @param {string} type */
function getShape(type) {
  const match = /tensor<([\d?]+(?:x[\d?]+)*)x[a-z!]/.exec(type);
  return match ? match[1] : "";
}

class Conditions {
  /** @param {Targets} targets */
  constructor(targets) {
    this.targets = targets;
    this.view = targets.view;
    /** @type {Map<string, Condition>} */
    this.byText = new Map();
    /** @type {Map<number, string>} by box */
    this.prefixes = new Map();
    /** How many operations of a name there are before each in its function. */
    this.number = new Int32Array(targets.of.length);
    /** @type {Map<string, number>} */
    this.numOfName = new Map();
    for (let node = 0; node < targets.of.length; ++node) if (targets.of[node] !== NO_TARGET) this.addNode(node);
  }

  /** @param {string} text @param {number} weight @param {number} node */
  add(text, weight, node) {
    const condition = this.byText.get(text);
    if (condition) condition.nodes.push(node);
    else this.byText.set(text, { text, nodes: [node], weight });
  }

  /** The name that rules see: that of the operation before it was converted. @param {number} node */
  getOp(node) {
    return this.view.str(this.view.rulesOp[node] || this.view.op[node]);
  }

  /** @param {number} node */
  addNode(node) {
    const op = `op: ${quote(escapeGlob(this.getOp(node)))}`;
    const inFunction = `function: ${quote(escapeGlob(this.view.getFunction(node)))}`;
    const shape = getShape(this.view.str(this.view.type[node]));
    const names = this.view.getNames(node);
    this.countName(node, `${inFunction}, ${op}`);
    this.add(inFunction, 1.2, node);
    const place = this.view.getPlace(node);
    if (place) this.add(this.getPlaceText(place), 3, node);
    if (!CONVERTED_OPS.has(this.getOp(node)) || (names.length === 0 && !place)) this.addOp(node, op, inFunction, shape);
    for (const name of new Set(names)) this.addName(node, name);
    for (const pattern of this.getPatterns(names)) {
      this.add(pattern, 1.1, node);
      if (!CONVERTED_OPS.has(this.getOp(node))) this.add(`${pattern}, ${op}`, 2.1, node);
    }
  }

  /** @param {number} node @param {string} op @param {string} inFunction @param {string} shape */
  addOp(node, op, inFunction, shape) {
    this.add(op, 1, node);
    this.add(`${inFunction}, ${op}`, 2, node);
    if (!shape) return;
    this.add(`${op}, shape: ${quote(shape)}`, 2, node);
    this.add(`${inFunction}, ${op}, shape: ${quote(shape)}`, 3, node);
  }

  /** @param {number} node @param {string} name */
  addName(node, name) {
    this.add(this.getNameText(name), 1.5, node);
  }

  /** @param {string} place */
  getPlaceText(place) {
    return `at: ${quote(place)}`;
  }

  /** @param {string} name */
  getNameText(name) {
    return `name: ${quote(escapeRegex(name))}`;
  }

  /** @param {number} node @param {string} name */
  countName(node, name) {
    this.number[node] = this.numOfName.get(name) || 0;
    this.numOfName.set(name, this.number[node] + 1);
  }

  /** The scopes that names are in, and their last parts wherever they stand. @param {string[]} names @returns {Set<string>} */
  getPatterns(names) {
    const patterns = new Set();
    for (const name of names)
      for (let end = name.lastIndexOf("/"); end > 0; end = name.lastIndexOf("/", end - 1)) {
        patterns.add(`name: ${quote(`${escapeRegex(name.slice(0, end))}/.*`)}`);
        patterns.add(`name: ${quote(`.*${escapeRegex(name.slice(end))}`)}`);
      }
    return patterns;
  }

  /** What only this node meets, or others that may be there as well. @param {number} node @returns {Condition} */
  makeSingle(node) {
    const op = `op: ${quote(escapeGlob(this.getOp(node)))}`;
    const named = this.view.getNames(node).flatMap((name) => [this.getNameText(name), `${this.getNameText(name)}, ${op}`]);
    for (const text of named) {
      const condition = this.byText.get(text) || this.addNarrow(text, node);
      if (condition.nodes.every((other) => this.targets.agree(other, node))) return condition;
    }
    const place = this.byText.get(this.getPlaceText(this.view.getPlace(node)));
    if (place && place.nodes.every((other) => this.targets.agree(other, node))) return place;
    const inFunction = `function: ${quote(escapeGlob(this.view.getFunction(node)))}`;
    return { text: `${inFunction}, ${op}, nth: ${this.number[node]}`, nodes: [node], weight: 4 };
  }

  /** A name with an operation, which few nodes need. @param {string} text @param {number} node @returns {Condition} */
  addNarrow(text, node) {
    const name = text.slice(0, text.indexOf(", op: "));
    const equal = /** @type {Condition} */ (this.byText.get(name)).nodes.filter((other) => this.getOp(other) === this.getOp(node));
    const condition = { text, nodes: equal, weight: 2.5 };
    this.byText.set(text, condition);
    return condition;
  }
}
