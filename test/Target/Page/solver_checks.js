// Holds the pricer and the solvers of the page against enumeration, on random
// problems. Runs where the scripts of the page are: in the browser.

/** @param {number} seed */
function makeRandom(seed) {
  let state = seed * 2654435761 + 12345;
  return (/** @type {number} */ below) => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9) >>> 0;
    return state % below;
  };
}

/** A problem as the data have it. */
function makeRandomProblem(/** @type {number} */ seed, /** @type {number} */ numDevices, /** @type {number} */ numNodes) {
  const random = makeRandom(seed);
  const blocks = { parent: [-1], frequency: [1] };
  const frequencies = [1, 10, 0.5, 1 / 3, 7];
  for (let b = 1; b < 1 + random(4); ++b) {
    const parent = random(b);
    blocks.parent.push(parent);
    blocks.frequency.push(blocks.frequency[parent] * frequencies[random(5)]);
  }
  const sizes = [4, 400, 4000];
  const transfer = sizes.flatMap((size) => Array.from({ length: numDevices * numDevices }, (_, i) => (i % (numDevices + 1) === 0 ? 0 : 3 + random(4) + Math.floor(size / 100))));
  const data = { devices: Array.from({ length: numDevices }, (_, d) => (d ? `gpu:${d - 1}` : "cpu:0")), sizes, transfer, blocks, times: /** @type {any[]} */ ([]), sets: [Array.from({ length: numDevices }, (_, d) => d), [0]] };
  const columns = () => ({ kind: [], block: [], times: [], allowed: [], open: [], replicable: [], mayRepeat: [], repeatable: [], group: [] });
  const nodes = /** @type {any} */ ({ count: numNodes, ...columns() });
  const values = /** @type {any} */ ({ count: 1, producer: [-1], device: [0], block: [0], size: [random(3)] });
  const reads = /** @type {any} */ ({ count: 0, node: [], value: [], block: [] });
  const fixed = /** @type {any} */ ({ count: 0, value: [], device: [], block: [] });
  const partial = /** @type {any} */ ({ count: 0, value: [], block: [], size: [] });
  for (let n = 0; n < numNodes; ++n) addRandomNode(random, data, nodes, values, reads, fixed, partial, n);
  // What nothing needs would cost nothing where it is made again.
  for (let v = 1; v < values.count; ++v) if (!reads.value.includes(v) && !fixed.value.includes(v)) addFixedUse(fixed, v, random(numDevices), values.block[v]);
  return { ...data, nodes, values, reads, fixed, partial };
}

function addFixedUse(/** @type {any} */ fixed, /** @type {number} */ value, /** @type {number} */ device, /** @type {number} */ block) {
  fixed.value.push(value);
  fixed.device.push(device);
  fixed.block.push(block);
  ++fixed.count;
}

function addRandomNode(/** @type {any} */ random, /** @type {any} */ data, /** @type {any} */ nodes, /** @type {any} */ values, /** @type {any} */ reads, /** @type {any} */ fixed, /** @type {any} */ partial, /** @type {number} */ n) {
  const numDevices = data.devices.length;
  const block = random(data.blocks.parent.length);
  const kind = random(6) === 0 ? 2 : 0;
  const isReplicable = kind === 0 && random(4) === 0;
  const isOpen = random(6) !== 0;
  for (let d = 0; d < numDevices; ++d) data.times.push(kind === 2 ? 0 : random(60));
  const row = { kind, block, times: n, allowed: isOpen && !isReplicable && random(8) === 0 ? 1 : 0, open: Number(isOpen && !isReplicable), replicable: Number(isReplicable), mayRepeat: 0, repeatable: Number(kind === 0 && isOpen && !isReplicable && random(2) === 0), group: -1 };
  row.mayRepeat = Number(isReplicable && data.times.slice(-numDevices).some((/** @type {number} */ t) => t > 0));
  for (const [key, value] of Object.entries(row)) nodes[key].push(value);
  for (let r = random(3); r >= 0 && !(isReplicable && random(2)); --r) {
    const value = random(values.count);
    const isAbove = (/** @type {number} */ a, /** @type {number} */ b) => { for (; b >= 0; b = data.blocks.parent[b]) if (a === b) return true; return false; };
    if (!isAbove(values.block[value], block)) continue;
    // What is replicable is made of such things alone.
    if (isReplicable && !(values.producer[value] >= 0 && nodes.replicable[values.producer[value]])) continue;
    if (reads.node.some((/** @type {number} */ node, /** @type {number} */ i) => node === n && reads.value[i] === value)) continue;
    reads.node.push(n); reads.value.push(value); reads.block.push(block); ++reads.count;
  }
  values.producer.push(n); values.device.push(0); values.block.push(block); values.size.push(random(3)); ++values.count;
  if (random(4) === 0) addFixedUse(fixed, values.count - 1, random(numDevices), block);
  if (random(6) === 0) { partial.value.push(values.count - 1); partial.block.push(block); partial.size.push(0); ++partial.count; }
}

/** The least price of all placements. @param {Problem} problem @param {Assignment} fixed */
function enumerate(problem, fixed) {
  const now = fixed.clone();
  let least = LARGEST;
  const visit = (/** @type {number} */ node) => {
    if (node === problem.numNodes) {
      const price = new Pricer(problem, now).cost.get();
      if (price < least) least = price;
      return;
    }
    const choices = [];
    const isChoice = problem.open[node] || problem.mayRepeat[node];
    if (!isChoice) choices.push([fixed.device[node], fixed.replicated[node]]);
    else for (let d = 0; d < problem.numDevices; ++d) if (problem.isAllowed(node, d)) choices.push([d, 0]);
    const isAnywhere = choices.length === problem.numDevices;
    if (isChoice && isAnywhere && (problem.mayRepeat[node] || problem.repeatable[node])) choices.push([0, 1]);
    for (const [device, replicated] of choices) {
      [now.device[node], now.replicated[node]] = [device, replicated];
      visit(node + 1);
    }
  };
  visit(0);
  return least;
}

/** What is fixed in a random problem. @param {Problem} problem */
function makeStart(problem) {
  const start = new Assignment(problem, new Uint8Array(problem.numNodes), problem.replicable.slice());
  for (let node = 0; node < problem.numNodes; ++node) if (!problem.open[node]) start.device[node] = problem.isAllowed(node, 1) ? node % problem.numDevices : 0;
  return start;
}

/** Prices that are kept while nodes move against prices from nothing. @param {Problem} problem @param {Assignment} start @param {number} seed @returns {string[]} */
function checkMoves(problem, start, seed) {
  const random = makeRandom(seed + 7);
  const pricer = new Pricer(problem, start.clone());
  for (let move = 0; move < 12; ++move) {
    const node = random(problem.numNodes);
    pricer.set(node, random(problem.numDevices), Number(random(3) === 0 && problem.kind[node] === 0));
    pricer.update();
    const fresh = new Pricer(problem, pricer.assignment.clone());
    if (fresh.cost.get() !== pricer.cost.get() || fresh.copies !== pricer.copies) return [`seed ${seed}: after move ${move} the price is ${pricer.cost.get()}, anew ${fresh.cost.get()}`];
  }
  return [];
}

/** @param {number} seed @param {number} numDevices @param {number} numNodes @returns {string[]} */
function checkRandom(seed, numDevices, numNodes) {
  const problem = new Problem(makeRandomProblem(seed, numDevices, numNodes));
  const start = makeStart(problem);
  const failures = checkMoves(problem, start, seed);
  const result = reoptimize(problem, start, (node) => problem.open[node] !== 0);
  const found = new Pricer(problem, result.assignment.clone()).cost.get();
  const least = enumerate(problem, start);
  if (numDevices === 2 ? found !== least : found < least) failures.push(`seed ${seed}: ${numDevices} devices: found ${found}, the least is ${least}`);
  return failures;
}

/** @param {number} count @returns {string[]} */
function checkSolvers(count) {
  const failures = [];
  for (let seed = 0; seed < count; ++seed) {
    failures.push(...checkRandom(seed, 2, 6));
    if (seed % 4 === 0) failures.push(...checkRandom(seed, 3, 5));
  }
  return failures;
}
