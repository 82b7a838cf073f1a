// Minimum cuts by augmenting along shortest paths, all of one length at a time
// (Dinic 1970), after pushing what goes along single edges.

class MaxFlow {
  /** @param {number} numNodes beside the two terminals */
  constructor(numNodes) {
    this.numNodes = numNodes;
    this.source = numNodes;
    this.sink = numNodes + 1;
    this.first = new Int32Array(numNodes + 2).fill(-1);
    /** @type {number[]} by edge; edge e ^ 1 leads back */
    this.head = [];
    /** @type {number[]} */
    this.next = [];
    /** @type {number[]} what more an edge can take */
    this.rest = [];
  }

  /** @param {number} from @param {number} to @param {number} capacity @param {number} back */
  addEdge(from, to, capacity, back) {
    this.append(from, to, capacity);
    this.append(to, from, back);
  }

  /** @param {number} from @param {number} to @param {number} capacity */
  append(from, to, capacity) {
    this.next.push(this.first[from]);
    this.first[from] = this.head.length;
    this.head.push(to);
    this.rest.push(capacity);
  }

  /**
   * Capacity from the source moves along single edges, forth and back in the
   * order of the numbers: every cut costs what it did.
   * @param {Float64Array} excess by node: what comes from the source, less what goes to the sink
   */
  push(excess) {
    const pushFrom = (/** @type {number} */ node, /** @type {boolean} */ isForth) => {
      for (let e = this.first[node]; e >= 0 && excess[node] > 0; e = this.next[e]) {
        const to = this.head[e];
        if (to > node !== isForth || this.rest[e] <= 0) continue;
        const amount = Math.min(excess[node], this.rest[e], Number.MAX_SAFE_INTEGER);
        excess[node] -= amount;
        excess[to] += amount;
        this.rest[e] -= amount;
        this.rest[e ^ 1] += amount;
      }
    };
    for (let node = 0; node < this.numNodes; ++node) pushFrom(node, true);
    for (let node = this.numNodes; node-- > 0; ) pushFrom(node, false);
  }

  /** @param {Float64Array} excess @param {number[]} forced */
  addTerminals(excess, forced) {
    for (let node = 0; node < this.numNodes; ++node) {
      if (forced[node] === 0) this.addEdge(this.source, node, Infinity, 0);
      else if (forced[node] === 1) this.addEdge(node, this.sink, Infinity, 0);
      if (excess[node] > 0) this.addEdge(this.source, node, excess[node], 0);
      else if (excess[node] < 0) this.addEdge(node, this.sink, -excess[node], 0);
    }
  }

  /** Distances from the source. @param {Int32Array} level @param {Int32Array} queue */
  findLevels(level, queue) {
    level.fill(-1);
    level[this.source] = 0;
    queue[0] = this.source;
    for (let at = 0, end = 1; at < end; ++at) {
      const node = queue[at];
      for (let e = this.first[node]; e >= 0; e = this.next[e]) {
        if (this.rest[e] <= 0 || level[this.head[e]] >= 0) continue;
        level[this.head[e]] = level[node] + 1;
        queue[end++] = this.head[e];
      }
    }
    return level[this.sink] >= 0;
  }

  /** Flow along shortest paths until none is left. @param {Int32Array} level @param {Int32Array} current */
  augment(level, current) {
    const path = [];
    for (let node = this.source; ; ) {
      if (node === this.sink) {
        node = this.augmentPath(path);
        continue;
      }
      const e = this.findNext(node, level, current);
      if (e >= 0) {
        path.push(e);
        node = this.head[e];
        continue;
      }
      if (path.length === 0) return;
      level[node] = -1;
      node = this.head[/** @type {number} */ (path.pop()) ^ 1];
    }
  }

  /** @param {number} node @param {Int32Array} level @param {Int32Array} current */
  findNext(node, level, current) {
    for (; current[node] >= 0; current[node] = this.next[current[node]]) {
      const e = current[node];
      if (this.rest[e] > 0 && level[this.head[e]] === level[node] + 1) return e;
    }
    return -1;
  }

  /** Fills the path; returns where its first full edge begins, and shortens it to there. @param {number[]} path */
  augmentPath(path) {
    let amount = Infinity;
    for (const e of path) amount = Math.min(amount, this.rest[e]);
    let full = path.length;
    for (let i = path.length; i-- > 0; ) {
      const e = path[i];
      this.rest[e] -= amount;
      this.rest[e ^ 1] += amount;
      if (this.rest[e] <= 0) full = i;
    }
    const node = this.head[path[full] ^ 1];
    path.length = full;
    return node;
  }

  /**
   * @param {Float64Array} excess
   * @param {number[]} forced by node: 0 on the source's side, 1 on the sink's, -1 on either
   * @param {number} milliseconds after which it stops
   * @returns {Uint8Array|null} by node: 1 on the sink's side, as few as possible; null if it stopped
   */
  solve(excess, forced, milliseconds) {
    this.push(excess);
    this.addTerminals(excess, forced);
    const end = performance.now() + milliseconds;
    const level = new Int32Array(this.numNodes + 2);
    const queue = new Int32Array(this.numNodes + 2);
    while (this.findLevels(level, queue)) {
      this.augment(level, this.first.slice());
      if (performance.now() > end) return null;
    }
    return this.findSinkSide(queue);
  }

  /** What can still reach the sink. @param {Int32Array} queue */
  findSinkSide(queue) {
    const isSink = new Uint8Array(this.numNodes + 2);
    isSink[this.sink] = 1;
    queue[0] = this.sink;
    for (let at = 0, end = 1; at < end; ++at) {
      for (let e = this.first[queue[at]]; e >= 0; e = this.next[e]) {
        const from = this.head[e];
        if (isSink[from] || this.rest[e ^ 1] <= 0) continue;
        isSink[from] = 1;
        queue[end++] = from;
      }
    }
    return isSink;
  }
}
