// Local searches: moves of one node at a time, and operations that are made
// again where that alone saves something.

const MOST_SWEEPS = 8;

/** Moves one node at a time to where that is cheaper, in sweeps. @param {Assignment} start @param {Scope} scope @returns {{assignment: Assignment, note: string}} */
function improveByMoves(start, scope) {
  const assignment = start.clone();
  const pricer = new Pricer(start.problem, assignment);
  for (let sweep = 0, improved = true; improved && sweep < MOST_SWEEPS; ++sweep) {
    improved = false;
    for (const node of scope.nodes) if (scope.isOpen(node) && !assignment.replicated[node]) improved = moveToBest(pricer, node) || improved;
  }
  return { assignment, note: "a local search: the cut took too long, and no move of one node alone costs less" };
}

/** @param {Pricer} pricer @param {number} node */
function moveToBest(pricer, node) {
  const { problem, assignment } = pricer;
  const before = assignment.device[node];
  let [best, least] = [before, 0];
  for (let device = 0; device < problem.numDevices; ++device) {
    if (device === before || !problem.isAllowed(node, device)) continue;
    const cost = pricer.getMoveCost(node, device);
    if (cost.compute + cost.copies < least) [best, least] = [device, cost.compute + cost.copies];
  }
  pricer.set(node, best, 0);
  pricer.update();
  return best !== before;
}

/** Operations that it is cheaper to make again, as far as these do not touch each other. @param {Assignment} decided @param {Scope} scope @returns {Assignment} */
function repeatCheaper(decided, scope) {
  for (let round = 0; round < MOST_ROUNDS; ++round) {
    const repeated = decided.clone();
    if (!repeatApart(repeated, scope) || getPrice(repeated) >= getPrice(decided)) break;
    decided = repeated;
  }
  return decided;
}

/** @param {Assignment} assignment which it changes @param {Scope} scope */
function repeatApart(assignment, scope) {
  const p = assignment.problem;
  const touched = new Uint8Array(p.numValues);
  let hasRepeated = false;
  for (const { node } of findRepetitionMoves(assignment, scope)) {
    const around = [...p.resultsOfNode.get(node)];
    for (const read of p.readsOfNode.get(node)) around.push(p.readValue[read]);
    if (around.some((value) => touched[value])) continue;
    for (const value of around) touched[value] = 1;
    assignment.replicated[node] = 1;
    hasRepeated = true;
  }
  return hasRepeated;
}

/** What each repetition alone would save, the best first. @param {Assignment} assignment @param {Scope} scope */
function findRepetitionMoves(assignment, scope) {
  const pricer = new Pricer(assignment.problem, assignment);
  /** @type {{node: number, change: number}[]} */
  const moves = [];
  for (const node of scope.nodes) {
    if (assignment.replicated[node] || !assignment.problem.repeatable[node] || !scope.isOpen(node)) continue;
    const change = getRepetitionCost(pricer, node);
    if (change < 0) moves.push({ node, change });
  }
  return moves.sort((a, b) => a.change - b.change);
}

/** The change if the node were made on each device that needs it; NEVER if it cannot be. @param {Pricer} pricer @param {number} node */
function getRepetitionCost(pricer, node) {
  const { problem, assignment } = pricer;
  const before = [assignment.device[node], Number(pricer.cost.get())];
  const cost = pricer.cost.get();
  pricer.set(node, before[0], 1);
  pricer.update();
  const change = Number(pricer.cost.get() - cost);
  let isPossible = false;
  for (let device = 0; device < problem.numDevices; ++device) {
    if (!pricer.isOn(node, device)) continue;
    isPossible = problem.isAllowed(node, device);
    if (!isPossible) break;
  }
  pricer.set(node, before[0], 0);
  pricer.update();
  return isPossible ? change : NEVER;
}
