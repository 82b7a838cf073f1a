// What the compiler prices: operations and values by number, who makes a value,
// who needs it where, and what everything costs.

/** Kinds of nodes. */
const Kind = Object.freeze({ Timed: 0, Host: 1, Carried: 2, UserCopy: 3 });

const HOST = 0;

class Problem {
  /** @param {any} data the object `problem` of the data */
  constructor(data) {
    /** @type {string[]} */
    this.devices = data.devices;
    this.numDevices = this.devices.length;
    /** By device, the host of its node. @type {number[]} */
    this.hosts = this.devices.map((/** @type {string} */ name) => Math.max(this.devices.indexOf(`cpu:0${name.replace(/^[^@]*/, "")}`), HOST));
    /** @type {(number|null)[]} */
    this.capacities = data.capacities || [];
    this.unified = readWhole(data.unified || []);
    this.sizes = readWhole(data.sizes);
    this.transfer = readWhole(data.transfer);
    this.times = readWhole(data.times);
    this.tree = new BlockTree(data.blocks);
    /** What constants take that are copied to a node for each run of it: by node * devices + device. @type {Map<number, {from: number, bytes: number, time: number}[]>} */
    this.streams = new Map();
    this.readNodes(data);
    this.readUses(data);
    this.group();
  }

  /** @param {any} data */
  readNodes(data) {
    const nodes = data.nodes;
    const n = (this.numNodes = nodes.count);
    this.kind = readBytes(nodes.kind, n);
    this.nodeBlock = readInts(nodes.block, n);
    this.timesRow = readInts(nodes.times, n);
    /** By set and device. @type {Uint8Array[]} */
    this.sets = data.sets.map((/** @type {number[]} */ set) => Uint8Array.from(this.devices, (_, d) => Number(set.includes(d))));
    this.allowed = readInts(nodes.allowed, n);
    this.open = readBytes(nodes.open, n);
    this.replicable = readBytes(nodes.replicable, n);
    this.mayRepeat = readBytes(nodes.mayRepeat, n);
    this.repeatable = readBytes(nodes.repeatable, n);
    this.colocation = nodes.group ? readInts(nodes.group, n) : new Int32Array(n).fill(-1);
  }

  /** @param {any} data */
  readUses(data) {
    const { values, reads, fixed, partial } = data;
    const n = (this.numValues = values.count);
    this.producer = readInts(values.producer, n);
    this.fixedDevice = readInts(values.device, n);
    this.valueBlock = readInts(values.block, n);
    this.valueSize = readInts(values.size, n);
    this.readNode = readInts(reads.node, reads.count);
    this.readValue = readInts(reads.value, reads.count);
    this.readBlock = readInts(reads.block, reads.count);
    this.fixedValue = readInts(fixed.value, fixed.count);
    this.fixedUseDevice = readInts(fixed.device, fixed.count);
    this.fixedBlock = readInts(fixed.block, fixed.count);
    this.partialValue = readInts(partial.value, partial.count);
    this.partialBlock = readInts(partial.block, partial.count);
    this.partialSize = readInts(partial.size, partial.count);
  }

  /** @param {{count: number, read: any, from: any, to: any}} streamed */
  readStreams(streamed) {
    const [reads, from, to] = [streamed.read, streamed.from, streamed.to].map((column) => readInts(column, streamed.count));
    reads.forEach((read, i) => {
      const at = this.readNode[read] * this.numDevices + to[i];
      const size = this.valueSize[this.readValue[read]];
      const time = this.tree.scale(this.getTransferTime(size, from[i], to[i]), this.readBlock[read]);
      this.streams.set(at, [...(this.streams.get(at) || []), { from: from[i], bytes: this.sizes[size], time }]);
    });
  }

  group() {
    this.readsOfNode = new Grouping(this.readNode, this.numNodes);
    this.readsOfValue = new Grouping(this.readValue, this.numValues);
    this.resultsOfNode = new Grouping(this.producer, this.numNodes);
    this.fixedOfValue = new Grouping(this.fixedValue, this.numValues);
    this.partialOfValue = new Grouping(this.partialValue, this.numValues);
  }

  /** Of all executions. @param {number} node @param {number} device */
  getTime(node, device) {
    const row = this.timesRow[node];
    if (row < 0) return this.kind[node] === Kind.Carried ? 0 : NEVER;
    return this.times[row * this.numDevices + device];
  }

  /** @param {number} node */
  isTimed(node) {
    return this.kind[node] === Kind.Timed || this.kind[node] === Kind.Carried;
  }

  /** @param {number} node @param {number} device */
  canRunOn(node, device) {
    return this.isTimed(node) ? this.getTime(node, device) !== NEVER : device === HOST;
  }

  /** @param {number} node @param {number} device */
  isAllowed(node, device) {
    const set = this.sets[this.allowed[node]];
    return set !== undefined && set[device] === 1 && this.canRunOn(node, device);
  }

  /** One copy of so many bytes. @param {number} size @param {number} from @param {number} to */
  getTransferTime(size, from, to) {
    return this.transfer[(size * this.numDevices + from) * this.numDevices + to];
  }

  /** @param {number} from @param {number} to */
  isUnified(from, to) {
    return Boolean(this.unified[from * this.numDevices + to]);
  }

  /** What a partial read costs if only its bytes move. @param {number} read @param {number} from */
  getPartialTime(read, from) {
    return this.tree.scale(this.getTransferTime(this.partialSize[read], from, HOST), this.partialBlock[read]);
  }
}
