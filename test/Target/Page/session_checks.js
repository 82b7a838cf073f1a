// Holds what follows an edit, which the page decides around the edit alone,
// against deciding all that follows anew.

/** @param {Problem} problem @param {Assignment} start @returns {any} as much of a placement as a session needs */
function makePlacement(problem, start) {
  return { problem, start, cost: Number(getPrice(start.clone())), getReason: () => "cost", getOrigin: () => "cost", view: { withSiblings: (/** @type {number[]} */ nodes) => nodes } };
}

/** @param {number} seed @param {number} numDevices @returns {string[]} */
function checkEdits(seed, numDevices) {
  const problem = new Problem(makeRandomProblem(seed, numDevices, 7));
  const start = reoptimize(problem, makeStart(problem), (node) => problem.open[node] !== 0).assignment;
  const session = new Session(makePlacement(problem, start));
  const random = makeRandom(seed + 99);
  const costs = [session.getCost()];
  for (let edit = 0; edit < 5; ++edit) {
    const nodes = [random(problem.numNodes), random(problem.numNodes)];
    const count = random(4) === 0 ? session.free(nodes) : session.pin(nodes, random(problem.numDevices));
    if (count === 0) continue;
    costs.push(session.getCost());
    const anew = reoptimize(problem, session.assignment, (node) => problem.open[node] !== 0 && session.follows(node));
    const price = getPrice(anew.assignment);
    if (numDevices === 2 ? price !== session.getCost() : price < session.getCost()) return [`seed ${seed}: after edit ${edit} the page has ${session.getCost()}, all that follows anew ${price}`];
  }
  return checkUndo(session, costs, seed);
}

/** @param {Session} session @param {bigint[]} costs @param {number} seed @returns {string[]} */
function checkUndo(session, costs, seed) {
  for (let i = costs.length; i-- > 0; session.undo()) if (session.getCost() !== costs[i]) return [`seed ${seed}: undone to step ${i} the cost is ${session.getCost()}, it was ${costs[i]}`];
  for (let i = 1; i < costs.length; ++i) {
    session.redo();
    if (session.getCost() !== costs[i]) return [`seed ${seed}: done again to step ${i} the cost is ${session.getCost()}, it was ${costs[i]}`];
  }
  return [];
}

/** @param {number} count @returns {string[]} */
function checkSessions(count) {
  const failures = [];
  for (let seed = 0; seed < count; ++seed) failures.push(...checkEdits(seed, 2), ...(seed % 4 ? [] : checkEdits(seed, 3)));
  return failures;
}
