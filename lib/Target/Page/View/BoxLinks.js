// What joins a closed box with what is outside of it.

/** A box is drawn with so many edges at most. */
const MOST_LINKS = 48;
/** Of larger boxes not many more nodes than that are looked at. */
const MOST_NODES_LOOKED_AT = 20000;

/**
 * Of all edges between a box and another, one.
 * @typedef {{other: number, port: number, isOut: boolean, count: number, copy: boolean, carried: boolean}} BoxLink
 */

class BoxLinks {
  /** @param {Scene} scene */
  constructor(scene) {
    this.scene = scene;
    /** @type {Map<number, BoxLink[]>} */
    this.links = new Map();
  }

  clear() {
    this.links.clear();
  }

  /** @param {number} box @returns {BoxLink[]} */
  get(box) {
    let links = this.links.get(box);
    if (!links) {
      links = this.collect(box);
      this.links.set(box, links);
    }
    return links;
  }

  /** @param {number} box */
  collect(box) {
    const { problem, view } = this.scene;
    /** @type {Map<number, BoxLink>} */
    const found = new Map();
    const inside = this.scene.getNodesIn(box, MOST_NODES_LOOKED_AT);
    const own = view.boxNode[box];
    if (own >= 0) inside.unshift(own);
    for (const node of inside) {
      for (const read of problem.readsOfNode.get(node)) this.addSource(box, node, problem.readValue[read], found);
      for (const value of problem.resultsOfNode.get(node))
        for (const read of problem.readsOfValue.get(value)) this.add(box, node, problem.readNode[read], true, found);
      if (found.size > 4 * MOST_LINKS) break;
    }
    return [...found.values()].sort((a, b) => Number(b.copy) - Number(a.copy) || b.count - a.count).slice(0, MOST_LINKS);
  }

  /** @param {number} box @param {number} node @param {number} value @param {Map<number, BoxLink>} found */
  addSource(box, node, value, found) {
    const producer = this.scene.problem.producer[value];
    if (producer >= 0) this.add(box, node, producer, false, found);
  }

  /** @param {number} box @param {number} node @param {number} other @param {boolean} isOut @param {Map<number, BoxLink>} found */
  add(box, node, other, isOut, found) {
    const { view, problem } = this.scene;
    if (other === node || this.isInside(box, view.box[other]) || view.boxOfNode.get(other) === box) return;
    const key = view.box[other] * 2 + Number(isOut);
    const { device, replicated } = this.scene.assignment;
    const copy = device[other] !== device[node] && !replicated[isOut ? node : other];
    const carried = problem.kind[node] === Kind.Carried || problem.kind[other] === Kind.Carried;
    const link = found.get(key);
    if (link) {
      ++link.count;
      link.copy = link.copy || copy;
      link.carried = link.carried && carried;
    } else {
      found.set(key, { other, port: -1, isOut, count: 1, copy, carried });
    }
  }

  /** @param {number} box @param {number} inner */
  isInside(box, inner) {
    for (let b = inner; b >= 0; b = this.scene.view.boxParent[b]) if (b === box) return true;
    return false;
  }
}
