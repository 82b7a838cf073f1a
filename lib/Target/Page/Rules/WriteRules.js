// Rules that give the placement of the page: those for what is pinned alone,
// where the compiler finds the rest by itself, else for all that it could put
// elsewhere.

/** Programs up to this size are placed once more to see what pins are enough. */
const MOST_NODES_CHECKED = 200000;

/** Whether the least cost around the pins is what the page shows. @param {Session} session */
function arePinsEnough(session) {
  const { problem, assignment } = session;
  const hasLimits = problem.capacities.some((capacity) => capacity !== null && capacity !== undefined);
  const hasGroups = problem.colocation.some((group) => group >= 0);
  if (problem.numNodes > MOST_NODES_CHECKED || problem.numDevices > 2 || hasLimits || hasGroups) return false;
  const best = session.findBest();
  return assignment.getDifferences(best.assignment).length === 0;
}

/** @param {FoundRule[]} rules @param {string[]} devices @param {number} defaultDevice */
function formatRules(rules, devices, defaultDevice) {
  const lines = rules.map(({ condition, device }) => `  - {${condition.text}, device: ${quote(devices[device])}}`);
  const list = lines.length ? `rules:\n${lines.join("\n")}\n` : "rules: []\n";
  return `devices: [${devices.map(quote).join(", ")}]\n${list}default: ${defaultDevice < 0 ? "auto" : quote(devices[defaultDevice])}\n`;
}

/** @param {Session} session @returns {{text: string, note: string, rules: FoundRule[]}} */
function writeRules(session) {
  const { devices } = session.problem;
  const isShort = arePinsEnough(session);
  const targets = new Targets(session, (node) => !isShort || session.choice[node] === Choice.Pinned);
  const defaultDevice = isShort && targets.of.some((target) => target === COST_TARGET) ? -1 : targets.findDefault();
  const rules = new Cover(targets, defaultDevice).find();
  const what = isShort ? "The compiler finds what is not pinned by itself." : "The rules say where everything is that the compiler could put elsewhere.";
  const head = `# ${session.placement.title || "Placement"}: ${session.getCost()} ps in the cost model\n`;
  return { text: head + formatRules(rules, devices, defaultDevice), note: `${rules.length} ${rules.length === 1 ? "rule" : "rules"}. ${what}`, rules };
}
