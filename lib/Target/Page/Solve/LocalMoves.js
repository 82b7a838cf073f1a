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

/** Has operations made once, or on each device that needs them, while a change of one of them saves something. @param {Assignment} decided @param {Scope} scope @returns {Assignment} */
function repeatWhereCheaper(decided, scope) {
  const p = decided.problem;
  const assignment = decided.clone();
  const pricer = new Pricer(p, assignment);
  const nodes = scope.nodes.filter((node) => (p.mayRepeat[node] ? !scope.isPinned(node) : p.repeatable[node] && scope.isOpen(node)));
  for (let sweep = 0, improved = true; improved && sweep < MOST_SWEEPS; ++sweep) {
    improved = false;
    for (const node of nodes) improved = settleRepetition(pricer, node) || improved;
  }
  return assignment;
}

/** Leaves the node where that is the cheapest: on one device, or made again. @param {Pricer} pricer which it changes @param {number} node @returns {boolean} whether it changed */
function settleRepetition(pricer, node) {
  const { problem, assignment } = pricer;
  const before = { device: assignment.device[node], replicated: assignment.replicated[node] };
  let [best, least] = [before, pricer.cost.get()];
  /** @param {{device: number, replicated: number}} choice */
  const take = (choice) => {
    pricer.set(node, choice.device, choice.replicated);
    pricer.update();
  };
  /** @param {{device: number, replicated: number}} choice */
  const offer = (choice) => {
    take(choice);
    if (pricer.cost.get() < least && isAllowedWhereMade(pricer, node)) [best, least] = [choice, pricer.cost.get()];
  };
  if (!before.replicated) offer({ device: NONE, replicated: 1 });
  else for (let device = 0; device < problem.numDevices; ++device) if (problem.isAllowed(node, device)) offer({ device, replicated: 0 });
  take(best);
  return best.replicated !== before.replicated;
}

/** Whether the node is made only where it may be; somewhere, unless it may be left out. @param {Pricer} pricer @param {number} node */
function isAllowedWhereMade(pricer, node) {
  const { problem } = pricer;
  let isMade = problem.mayRepeat[node] !== 0;
  for (let device = 0; device < problem.numDevices; ++device) {
    if (!pricer.isOn(node, device)) continue;
    if (!problem.isAllowed(node, device)) return false;
    isMade = true;
  }
  return isMade;
}
