// Where the copies of a value stand: bottom-up over the part of the block tree
// between the definition and its uses, as lib/Analysis/Blocks/CopySites does.

/**
 * A use that a copy may serve, but that can do without one at this cost.
 * @typedef {{block: number, time: number}} OptionalUse
 * @typedef {{block: number, parent: number, hasUse: boolean}} CopyStop
 * @typedef {{blocks: number[], time: number}} CopySites
 */

/** @param {CopyStop[]} stops @param {number} block */
function findStop(stops, block) {
  let low = 0;
  for (let high = stops.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (stops[middle].block < block) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The blocks between the definition and the uses, parents before children.
 * @param {BlockTree} tree @param {number} definition
 * @param {number[]} uses @param {OptionalUse[]} optional
 * @returns {CopyStop[]}
 */
function collectCopyStops(tree, definition, uses, optional) {
  /** @type {Map<number, boolean>} */
  const wanted = new Map([[definition, false]]);
  const addPath = (/** @type {number} */ use) => {
    for (let block = use; block !== definition && !wanted.has(block); block = tree.parent[block]) wanted.set(block, false);
  };
  for (const use of uses) {
    addPath(use);
    wanted.set(use, true);
  }
  for (const use of optional) addPath(use.block);
  const stops = [...wanted].map(([block, hasUse]) => ({ block, parent: 0, hasUse }));
  stops.sort((a, b) => a.block - b.block);
  for (const stop of stops) if (stop.block !== definition) stop.parent = findStop(stops, tree.parent[stop.block]);
  return stops;
}

/**
 * The cheapest choice of every subtree, children before parents.
 * @param {BlockTree} tree @param {CopyStop[]} stops @param {number} time @param {OptionalUse[]} optional
 */
function chooseBelow(tree, stops, time, optional) {
  const subtrees = stops.map(() => ({ copiesHere: false, best: 0, below: 0 }));
  for (const use of optional) subtrees[findStop(stops, use.block)].below += use.time;
  for (let i = stops.length; i-- > 0; ) {
    const subtree = subtrees[i];
    const here = tree.scale(time, stops[i].block);
    subtree.copiesHere = stops[i].hasUse || here <= subtree.below;
    subtree.best = subtree.copiesHere ? here : subtree.below;
    if (i > 0) subtrees[stops[i].parent].below += subtree.best;
  }
  return subtrees;
}

/**
 * The block on the way from `definition` down to `use` where something that
 * takes `time` takes the least, the outermost among equals.
 * @param {BlockTree} tree @param {number} definition @param {number} use @param {number} time
 */
function findCheapestBlock(tree, definition, use, time) {
  let best = use;
  let least = tree.scale(time, use);
  for (let block = use; block !== definition; ) {
    block = tree.parent[block];
    const here = tree.scale(time, block);
    if (here <= least) [best, least] = [block, here];
  }
  return best;
}

/**
 * @param {BlockTree} tree @param {number} definition @param {number[]} uses
 * @param {number} time @param {OptionalUse[]} optional
 * @returns {CopySites}
 */
function chooseCopySites(tree, definition, uses, time, optional) {
  if (uses.length === 0 && optional.length === 0) return { blocks: [], time: 0 };
  if (uses.includes(definition)) return { blocks: [definition], time: tree.scale(time, definition) };
  if (optional.length === 0 && uses.every((use) => use === uses[0])) {
    const site = findCheapestBlock(tree, definition, uses[0], time);
    return { blocks: [site], time: tree.scale(time, site) };
  }
  const stops = collectCopyStops(tree, definition, uses, optional);
  const subtrees = chooseBelow(tree, stops, time, optional);
  /** @type {number[]} */
  const blocks = [];
  /** @type {boolean[]} */
  const served = [];
  for (let i = 0; i < stops.length; ++i) {
    served[i] = i !== 0 && served[stops[i].parent];
    if (served[i] || !subtrees[i].copiesHere) continue;
    served[i] = true;
    blocks.push(stops[i].block);
  }
  return { blocks, time: subtrees[0].best };
}

/** True if one of the sites is the block or above it. @param {BlockTree} tree @param {number[]} sites @param {number} block */
function isServed(tree, sites, block) {
  for (let b = block; b >= 0; b = tree.parent[b]) if (sites.includes(b)) return true;
  return false;
}
