// What is known of the node that is chosen, and where it can be put.

class Details {
  /** @param {HTMLElement} element @param {App} app */
  constructor(element, app) {
    this.element = element;
    this.app = app;
  }

  paint() {
    const { nodes, box } = this.app.selection;
    if (nodes.length === 1) this.element.replaceChildren(...this.describeNode(nodes[0]));
    else if (nodes.length > 1) this.element.replaceChildren(...this.describeMany(nodes));
    else if (box >= 0) this.element.replaceChildren(...this.describeBox(box));
    else this.element.replaceChildren(make("p", { class: "faint" }, "Choose an operation: click it, or take it from the tree."));
  }

  /** @param {number} node */
  describeNode(node) {
    const { view } = this.app.placement;
    const name = view.getFullName(node);
    const parts = [make("h2", {}, view.getLabel(node))];
    if (this.app.problem.kind[node] !== Kind.Carried) parts.push(make("p", {}, make("code", {}, view.str(view.op[node])), ` → ${view.str(view.type[node])}`));
    if (name) parts.push(make("p", {}, `Name: ${name}`));
    if (view.getLocation(node)) parts.push(make("p", {}, `At ${view.getLocation(node)}`));
    parts.push(this.describeReason(node), this.makeDeviceTable(node), this.makeChoices([node]));
    parts.push(...this.describeCopies(node), ...this.describeMeasured(node), ...this.describeMessages(node));
    if (view.str(view.text[node])) parts.push(make("h3", {}, "IR"), make("pre", {}, view.str(view.text[node])));
    return parts;
  }

  /** Why here. @param {number} node */
  describeReason(node) {
    const { session, placement, problem } = this.app;
    const reason = session.getReason(node);
    const where = session.assignment.replicated[node] ? "on each device that needs it" : `on ${problem.devices[session.assignment.device[node]]}`;
    const mark = REASON_MARKS[/** @type {keyof typeof REASON_MARKS} */ (reason)] || "?";
    const text = REASON_TEXTS[/** @type {keyof typeof REASON_TEXTS} */ (reason)] || reason;
    const parts = [`Why ${where}: `, make("b", {}, `${mark} ${text}`)];
    if (reason !== "user" && reason !== "free") parts.push(make("span", { class: "faint" }, ` (${placement.getOrigin(node)})`));
    const refusal = session.getRefusal(node);
    if (refusal && !placement.getOrigin(node).includes(refusal)) parts.push(make("br"), `It cannot be moved: ${refusal}.`);
    return make("p", { id: "why" }, ...parts);
  }

  /** What it costs on each device, and what moving it would change. @param {number} node */
  makeDeviceTable(node) {
    const { problem, session } = this.app;
    const { assignment } = session;
    if (problem.kind[node] === Kind.Host || problem.kind[node] === Kind.UserCopy) return make("p", {}, "It takes no time of a device in the model.");
    const rows = problem.devices.map((name, device) => {
      const time = problem.getTime(node, device);
      const isHere = !assignment.replicated[node] && assignment.device[node] === device;
      return [`${isHere ? "▶ " : ""}${name}`, time === NEVER ? "cannot run" : formatTime(time), ...this.describeMove(node, device, isHere)];
    });
    const table = makeTable(["device", "time", "price", "of it copies"], rows);
    table.id = "costs";
    return table;
  }

  /** @param {number} node @param {number} device @param {boolean} isHere */
  describeMove(node, device, isHere) {
    const { problem, session } = this.app;
    if (isHere) return ["here", ""];
    if (session.assignment.replicated[node] || !problem.canRunOn(node, device)) return ["", ""];
    const cost = session.pricer.getMoveCost(node, device);
    return [formatChange(cost.compute + cost.copies), formatChange(cost.copies)];
  }

  /** Buttons to move nodes. @param {number[]} nodes */
  makeChoices(nodes) {
    const { problem, session } = this.app;
    const buttons = problem.devices.map((name, device) => {
      const can = nodes.some((node) => session.canMove(node, device));
      const button = make("button", { type: "button", "data-device": device, disabled: !can, click: () => this.app.move(device), title: `key ${device + 1}` }, name);
      button.style.borderLeftColor = this.app.theme.getColor(device);
      return button;
    });
    const canFree = nodes.some((node) => session.getRefusal(node) === "" && problem.open[node]);
    buttons.push(make("button", { type: "button", "data-device": "free", disabled: !canFree, click: () => this.app.move(-1), title: "key 0" }, "free"));
    return make("div", { class: "choices", role: "group", "aria-label": "put on" }, "Put on ", ...buttons);
  }

  /** @param {number} node */
  describeCopies(node) {
    const { problem, scene } = this.app;
    const copies = [];
    for (const value of problem.resultsOfNode.get(node)) copies.push(...(scene.copiesOf.get(value) || []));
    if (copies.length === 0) return [];
    const rows = copies.map((copy) => [`${problem.devices[copy.from]} → ${problem.devices[copy.to]}`, formatBytes(copy.bytes), formatTime(copy.time), `${copy.partial ? "an element" : ""}`]);
    return [make("h3", {}, "Copies of its results"), makeTable(["link", "bytes", "time", ""], rows)];
  }

  /** @param {number} node */
  describeMeasured(node) {
    const { timeline } = this.app.placement;
    const measured = timeline && timeline.measured.get(node);
    if (!measured) return [];
    const predicted = this.app.problem.getTime(node, this.app.placement.start.device[node]);
    return [make("p", {}, `Measured ${formatTime(measured)}, predicted ${formatTime(predicted)} (${trim(measured / predicted)} times)`)];
  }

  /** @param {number} node */
  describeMessages(node) {
    const own = this.app.placement.view.diagnostics.filter((message) => message.node === node);
    return own.map((message) => make("p", { class: `message ${message.severity}` }, `${message.severity}: ${message.text}`));
  }

  /** @param {number[]} nodes */
  describeMany(nodes) {
    const { problem, session } = this.app;
    const counts = problem.devices.map((name, device) => [name, String(nodes.filter((node) => !session.assignment.replicated[node] && session.assignment.device[node] === device).length)]);
    const movable = nodes.filter((node) => session.getRefusal(node) === "").length;
    return [make("h2", {}, `${nodes.length} operations`), make("p", {}, `${movable} of them can be moved.`), makeTable(["device", "operations"], counts), this.makeChoices(nodes)];
  }

  /** @param {number} box */
  describeBox(box) {
    const { scene, problem, placement } = this.app;
    const shares = [...scene.shares.get(box)].map((count, device) => [problem.devices[device], String(count)]);
    const all = () => this.app.pickMany(scene.getNodesIn(box), false);
    const kind = BOX_KINDS[placement.view.boxKind[box]];
    return [
      make("h2", {}, placement.view.getBoxLabel(box)),
      make("p", {}, `${kind} with ${placement.view.boxTotal[box]} nodes`),
      makeTable(["device", "operations"], shares),
      make("button", { type: "button", id: "choose-all", click: all }, "Choose all in it"),
    ];
  }
}
