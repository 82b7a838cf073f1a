// What the placement costs, against what no placement can be below.

class Summary {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.element = byId("summary");
    this.line = byId("cost");
  }

  paint() {
    this.paintLine();
    this.element.replaceChildren(this.makeDevices(), this.makeLinks());
  }

  /** The sum, its change, and the distance to the bound. */
  paintLine() {
    const { session, placement } = this.app;
    const cost = session.getCost();
    const change = cost - BigInt(placement.cost);
    const bound = BigInt(placement.lowerBound);
    const above = cost - bound;
    const parts = [make("b", { id: "sum", "data-ps": String(cost) }, formatTime(cost))];
    if (session.isEdited) parts.push(make("span", { id: "change", "data-ps": String(change), class: change > 0n ? "worse" : change < 0n ? "better" : "" }, ` ${formatChange(change)}`));
    parts.push(make("span", { id: "distance", class: "faint" }, `, ${this.describeDistance(above, cost)}`));
    if (session.note) parts.push(make("span", { id: "note" }, ` ${session.note}`));
    this.line.replaceChildren(...parts);
  }

  /** What was moved against a rule or a default may go below a bound that keeps these. @param {bigint} above @param {bigint} cost */
  describeDistance(above, cost) {
    if (above < 0n) return `${formatTime(-above)} below the bound of the program as annotated`;
    const bound = this.app.session.keepsAnnotations() ? "the proven bound" : "the bound of the program as annotated";
    return above === 0n ? `at ${bound}` : `${formatTime(above)} (${formatPercent(Number(above), Number(cost))}) above ${bound}`;
  }

  /** @returns {{ops: number, time: bigint, memory: number}[]} */
  getLoads() {
    const { session, placement } = this.app;
    const pricer = session.madePricer;
    const peaks = session.getMemoryPeaks();
    return placement.problem.devices.map((_, device) => {
      const load = placement.loads[device] || { ops: 0, time: 0, memory: 0 };
      const memory = peaks ? peaks[device] : load.memory;
      if (!pricer) return { ops: load.ops, time: BigInt(load.time), memory };
      return { ops: pricer.devices[device].ops, time: pricer.devices[device].time.get(), memory };
    });
  }

  makeDevices() {
    const { placement } = this.app;
    const rows = this.getLoads().map((load, device) => {
      const capacity = placement.problem.capacities[device];
      const isOver = capacity !== null && capacity !== undefined && load.memory > Number(capacity);
      const memory = formatBytes(load.memory) + (capacity ? ` of ${formatBytes(Number(capacity))}${isOver ? ": too much" : ""}` : "");
      return [placement.problem.devices[device], String(load.ops), formatTime(load.time), memory];
    });
    const table = makeTable(["device", "operations", "time", "memory"], rows);
    table.id = "devices";
    return table;
  }

  /** @returns {{from: number, to: number, copies: number, bytes: bigint, time: bigint}[]} those with traffic */
  getLinks() {
    const { session, placement, problem } = this.app;
    const pricer = session.madePricer;
    if (!pricer) return placement.links.map((link) => ({ ...link, bytes: BigInt(link.bytes), time: BigInt(link.time) }));
    const links = pricer.links.map((link, i) => ({ from: Math.floor(i / problem.numDevices), to: i % problem.numDevices, copies: link.copies, bytes: link.bytes.get(), time: link.time.get() }));
    return links.filter((link) => link.copies > 0);
  }

  makeLinks() {
    const { devices } = this.app.problem;
    const rows = this.getLinks().map((link) => [`${devices[link.from]} → ${devices[link.to]}`, String(link.copies), formatBytes(link.bytes), formatTime(link.time)]);
    const table = rows.length ? makeTable(["link", "copies", "bytes", "time"], rows) : make("p", {}, "Nothing is copied.");
    table.id = "links";
    return table;
  }
}
