// Places what is open where the sum is least: with two devices exactly, by one
// minimum cut; with more by swaps between pairs of devices, which is a local
// search (lib/Analysis/Placement/Solve/PlaceOptimally).

/** A cut that takes longer stops. */
const MOST_MILLISECONDS = 20000;
const MOST_ROUNDS = 8;

/** @param {Problem} problem @returns {Iterable<number>} */
const allNodes = (problem) => Array.from({ length: problem.numNodes }, (_, node) => node);
/** @param {Problem} problem @returns {Iterable<number>} */
const allValues = (problem) => Array.from({ length: problem.numValues }, (_, value) => value);

/** What may be repeated is to be decided again. @param {Assignment} assignment @param {Scope} scope */
function reopen(assignment, scope) {
  const p = assignment.problem;
  for (const node of scope.nodes) {
    if (scope.isOpen(node)) {
      assignment.replicated[node] = 0;
      assignment.device[node] = NONE;
    }
    if (!p.mayRepeat[node] || assignment.replicated[node] || scope.isPinned(node)) continue;
    assignment.replicated[node] = 1;
    assignment.device[node] = NONE;
  }
}

/** @param {Assignment} assignment which it changes @param {number} first @param {number} second @param {Scope} scope @returns {{isDone: boolean, hadChoice: boolean}} */
function solvePair(assignment, first, second, scope) {
  const choice = new PairChoice(assignment, first, second, scope);
  const hasSettled = settleNodes(choice);
  const pair = new PairProblem(choice);
  const hadChoice = hasSettled || pair.open.length > 0;
  return { isDone: pair.solve(MOST_MILLISECONDS), hadChoice };
}

/** Every replicated node that has no device gets one that needs it, the host first. @param {Assignment} assignment @param {Iterable<number>} nodes */
function placeReplicas(assignment, nodes) {
  const p = assignment.problem;
  for (const node of nodes) {
    if (!assignment.replicated[node] || assignment.device[node] !== NONE) continue;
    for (let device = p.numDevices; device-- > 0; ) if (p.isAllowed(node, device)) assignment.device[node] = device;
  }
}

/** @param {Assignment} open @param {Scope} scope @returns {Assignment|null} */
function placeOnTwo(open, scope) {
  const assignment = open.clone();
  if (open.problem.numDevices === 2) new RepetitionFinder(assignment, scope).run();
  return solvePair(assignment, HOST, open.problem.numDevices - 1, scope).isDone ? assignment : null;
}

/** Decides what can stand on neither of two devices: each where it is fastest. @param {Assignment} assignment @param {number} first @param {number} second @param {Scope} scope */
function placeOthers(assignment, first, second, scope) {
  const p = assignment.problem;
  for (const node of scope.nodes) {
    if (!scope.isOpen(node) || assignment.replicated[node] || p.isAllowed(node, first) || p.isAllowed(node, second)) continue;
    for (let device = 0; device < p.numDevices; ++device)
      if (p.isAllowed(node, device) && (assignment.device[node] === NONE || p.getTime(node, device) < p.getTime(node, assignment.device[node]))) assignment.device[node] = device;
  }
}

/** @param {Assignment} assignment */
function getPrice(assignment) {
  return new Pricer(assignment.problem, assignment).cost.get();
}

/** @param {Problem} problem @param {(first: number, second: number) => void} visit */
function forEachPair(problem, visit) {
  for (let first = 0; first < problem.numDevices; ++first) for (let second = first + 1; second < problem.numDevices; ++second) visit(first, second);
}

/** What is open decided with only two devices, those with which that costs the least. @param {Assignment} open @param {Scope} scope @returns {Assignment|null} */
function placeOnBestPair(open, scope) {
  /** @type {{assignment: Assignment, cost: bigint}|null} */
  let best = null;
  forEachPair(open.problem, (first, second) => {
    const assignment = open.clone();
    placeOthers(assignment, first, second, scope);
    if (!solvePair(assignment, first, second, scope).isDone) return;
    const cost = getPrice(assignment);
    if (!best || cost < best.cost) best = { assignment, cost };
  });
  return best && /** @type {{assignment: Assignment}} */ (best).assignment;
}

/** Swaps between all pairs of devices until none lowers the cost. @param {Assignment} assignment @param {Scope} scope @returns {Assignment} */
function swapPairs(assignment, scope) {
  let cost = getPrice(assignment);
  for (let round = 0, improved = true; improved && round < MOST_ROUNDS; ++round) {
    improved = false;
    forEachPair(assignment.problem, (first, second) => {
      const swapped = assignment.clone();
      const { isDone, hadChoice } = solvePair(swapped, first, second, scope);
      const now = isDone && hadChoice ? getPrice(swapped) : LARGEST;
      if (now > cost || !isDone || !hadChoice) return;
      improved = improved || now < cost;
      [assignment, cost] = [swapped, now];
    });
  }
  return assignment;
}

/** @param {Assignment} open @param {Scope} scope @returns {Assignment|null} */
function placeOnMore(open, scope) {
  const found = placeOnBestPair(open, scope);
  return found && repeatWhereCheaper(swapPairs(found, scope), scope);
}

/**
 * @param {Problem} problem @param {Assignment} now @param {(node: number) => boolean} isOpen
 * @param {(node: number) => boolean} isPinned
 * @returns {{assignment: Assignment, note: string}}
 */
function reoptimize(problem, now, isOpen, isPinned = () => false) {
  const nodes = [...allNodes(problem)];
  const scope = { isOpen: (/** @type {number} */ node) => isOpen(node) && problem.colocation[node] < 0, isPinned, nodes, values: [...allValues(problem)] };
  const open = now.clone();
  reopen(open, scope);
  const result = problem.numDevices <= 2 ? placeOnTwo(open, scope) : placeOnMore(open, scope);
  if (!result) return improveByMoves(now, scope);
  placeReplicas(result, nodes);
  return { assignment: result, note: describeSearch(problem) };
}

/** What kind of optimum it is. @param {Problem} problem */
function describeSearch(problem) {
  const groups = problem.colocation.some((group) => group >= 0) ? "; colocation groups stay where they are" : "";
  return (problem.numDevices <= 2 ? "exact: nothing around the pins costs less" : "a local search: swaps between pairs of devices find nothing better") + groups;
}
