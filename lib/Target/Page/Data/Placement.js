// One placement of a program: the problem, a solution, what people see of it.

/**
 * @typedef {{from: number, to: number, copies: number, bytes: number, time: number}} LinkTraffic
 * @typedef {{ops: number, time: number, memory: number}} DeviceLoad
 */

class Placement {
  /** @param {any} data the whole object of the data */
  constructor(data) {
    if (data.format !== "hetero-placement" || data.version !== 1)
      throw new Error(`expected a hetero-placement of version 1, got ${data.format} ${data.version}; write the page again with the compiler that made this one`);
    this.title = data.title || "";
    this.problem = new Problem(data.problem);
    this.view = new ProgramView(data.view, this.problem);
    this.readSolution(data.solution);
    this.timeline = data.timeline ? new TimelineData(data.timeline) : null;
    this.memory = data.memory || null;
  }

  /** @param {any} solution */
  readSolution(solution) {
    const n = this.problem.numNodes;
    this.start = new Assignment(this.problem, readBytes(solution.device, n), readBytes(solution.replicated, n));
    this.origin = readInts(solution.origin, n);
    /** @type {[string, string][]} */
    this.origins = solution.origins;
    /** @type {number|string} as BigInt takes it, like the other sums of the solution */
    this.cost = solution.cost;
    /** @type {number|string} */
    this.lowerBound = solution.lowerBound;
    this.isOptimal = solution.optimal;
    this.copies = solution.copies;
    /** @type {LinkTraffic[]} */
    this.links = solution.links || [];
    /** @type {DeviceLoad[]} */
    this.loads = solution.loads || [];
    this.sites = solution.sites || { count: 0 };
    if (solution.streamed) this.problem.readStreams(solution.streamed);
  }

  /** The copies that the compiler chose. @returns {Map<number, Copy[]>} by value */
  readCopies() {
    const { count, ...sites } = this.sites;
    const [value, from, to, block, partial] = ["value", "from", "to", "block", "partial"].map((key) => readInts(sites[key], count));
    const [bytes, time] = [readFloats(sites.bytes, count), readFloats(sites.time, count)];
    /** @type {Map<number, Copy[]>} */
    const copies = new Map();
    for (let i = 0; i < count; ++i) {
      const copy = { value: value[i], from: from[i], to: to[i], block: block[i], bytes: bytes[i], time: time[i], partial: partial[i] === 1 };
      const others = copies.get(value[i]);
      if (others) others.push(copy);
      else copies.set(value[i], [copy]);
    }
    return copies;
  }

  /** Why the compiler put it there: a kind, as in `origins`. @param {number} node */
  getReason(node) {
    const origin = this.origin[node];
    return origin < 0 ? "carried" : this.origins[origin][0];
  }

  /** The whole text of the reason. @param {number} node */
  getOrigin(node) {
    const origin = this.origin[node];
    return origin < 0 ? "carried: cost" : this.origins[origin][1];
  }
}

/** What ran when: of a trace or a report. */
class TimelineData {
  /** @param {any} data */
  constructor(data) {
    /** @type {string} */
    this.clock = data.clock || "";
    /** @type {string[]} */
    this.lanes = data.lanes || [];
    const events = data.events;
    const n = (this.numEvents = events ? getLength(events.lane) : 0);
    const of = (/** @type {string} */ key) => (events ? events[key] : null);
    this.lane = readInts(of("lane"), n);
    this.start = readFloats(of("start"), n);
    this.length = readFloats(of("length"), n);
    this.name = readInts(of("name"), n);
    this.node = of("node") ? readInts(of("node"), n) : new Int32Array(n).fill(-1);
    this.bytes = of("bytes") ? readFloats(of("bytes"), n) : new Float64Array(n).fill(-1);
    /** @type {{device: number, time: Float64Array, bytes: Float64Array}[]} */
    this.memory = (data.memory || []).map((/** @type {any} */ curve) => {
      const points = getLength(curve.time);
      return { device: curve.device, time: readFloats(curve.time, points), bytes: readFloats(curve.bytes, points) };
    });
    /** @type {Map<number, number>} picoseconds by node */
    this.measured = new Map();
    const measured = data.measured || { node: [], ps: [] };
    const ps = readWhole(measured.ps);
    readWhole(measured.node).forEach((node, i) => this.measured.set(node, ps[i]));
  }
}
