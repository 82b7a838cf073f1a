// What follows a moved node: carried values, and what is made where it is
// needed, are decided anew, as far as the move can matter to them.

/**
 * The nodes that follow and that the moved ones touch, directly or through
 * others that follow, and the values between them.
 * @param {Problem} problem @param {number[]} moved @param {(node: number) => boolean} follows
 */
function collectAround(problem, moved, follows) {
  /** @type {Set<number>} */
  const nodes = new Set();
  /** @type {Set<number>} */
  const values = new Set();
  const worklist = [...moved];
  const reach = (/** @type {number} */ node) => {
    if (node < 0 || nodes.has(node) || !follows(node)) return;
    nodes.add(node);
    worklist.push(node);
  };
  for (const node of moved) reach(node);
  for (let node = worklist.pop(); node !== undefined; node = worklist.pop()) {
    for (const value of getValuesAround(problem, node)) {
      if (values.has(value)) continue;
      values.add(value);
      reach(problem.producer[value]);
      for (const read of problem.readsOfValue.get(value)) reach(problem.readNode[read]);
    }
  }
  return { nodes: [...nodes].sort((a, b) => a - b), values: [...values].sort((a, b) => a - b) };
}

/** @param {Problem} problem @param {number} node @returns {number[]} */
function getValuesAround(problem, node) {
  const values = [...problem.resultsOfNode.get(node)];
  for (const read of problem.readsOfNode.get(node)) values.push(problem.readValue[read]);
  return values;
}

/**
 * @param {Problem} problem @param {Assignment} now @param {number[]} moved @param {(node: number) => boolean} follows
 * @returns {Assignment|null} null where nothing follows
 */
function settleAround(problem, now, moved, follows) {
  const { nodes, values } = collectAround(problem, moved, follows);
  if (nodes.length === 0) return null;
  const scope = { isOpen: (/** @type {number} */ node) => problem.open[node] !== 0 && follows(node), isPinned: () => false, nodes, values };
  const open = now.clone();
  reopen(open, scope);
  const result = problem.numDevices <= 2 ? placeOnTwo(open, scope) : placeOnMore(open, scope);
  if (!result) return null;
  placeReplicas(result, nodes);
  return result;
}
