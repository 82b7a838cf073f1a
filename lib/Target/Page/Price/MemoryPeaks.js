// The bytes that live at once on each device:
// lib/Analysis/Placement/Memory/MemoryUse.h says what counts. The data has what
// of it does not depend on where nodes stand.

/** The first node of what is empty. */
const NOWHERE = 0x7fffffff;

/** From when to when each value takes its bytes on each device: at value * devices + device. */
class Lives {
  /** @param {number} numValues @param {number} numDevices */
  constructor(numValues, numDevices) {
    this.numDevices = numDevices;
    this.first = new Int32Array(numValues * numDevices).fill(NOWHERE);
    this.last = new Int32Array(numValues * numDevices);
  }

  /** @param {number} value @param {number} device @param {number} first @param {number} last */
  include(value, device, first, last) {
    const at = value * this.numDevices + device;
    if (first < this.first[at]) this.first[at] = first;
    if (last > this.last[at]) this.last[at] = last;
  }

  /** @param {number} at */
  isEmpty(at) {
    return this.first[at] > this.last[at];
  }

  /** @param {number} at */
  clear(at) {
    this.first[at] = NOWHERE;
    this.last[at] = 0;
  }
}

class MemoryModel {
  /** @param {any} data the object `memory` of the data @param {Problem} problem */
  constructor(data, problem) {
    this.problem = problem;
    this.readValues(data.values, problem.numValues);
    const readSpans = (/** @type {any} */ spans, /** @type {number} */ count) => ({ first: readInts(spans.first, count), last: readInts(spans.last, count) });
    /** Of reads, less the node that reads. */
    this.reads = readSpans(data.reads, problem.readNode.length);
    this.fixed = readSpans(data.fixed, problem.fixedValue.length);
    this.partial = readSpans(data.partial, problem.partialValue.length);
    this.carriers = { node: readInts(data.carriers.node, data.carriers.count), ...readSpans(data.carriers, data.carriers.count) };
    this.states = { node: readInts(data.states.node, data.states.count), bytes: readFloats(data.states.bytes, data.states.count) };
    this.blockCarriers = new Set(readWhole(data.blockCarriers));
    this.firstOfBlock = readInts(data.blocks.first, data.blocks.count);
    this.functionOfBlock = readInts(data.blocks.function, data.blocks.count);
    this.readFunctions(data);
  }

  /** @param {any} values @param {number} n */
  readValues(values, n) {
    this.viewed = readInts(values.viewed, n);
    this.overwritten = readInts(values.overwritten, n);
    this.constant = readInts(values.constant, n);
    this.argument = readBytes(values.argument, n);
    this.call = readInts(values.call, n);
    this.at = readInts(values.at, n);
  }

  /** @param {any} data */
  readFunctions({ functions, calls, order }) {
    // What is empty begins after all that there is.
    this.functions = { first: readFloats(functions.first, functions.count), last: readFloats(functions.last, functions.count), root: readBytes(functions.root, functions.count) };
    this.order = readWhole(order);
    /** @type {Map<number, number[]>} what a node calls */
    this.callees = new Map();
    const [node, callee] = [readInts(calls.node, calls.count), readInts(calls.callee, calls.count)];
    node.forEach((caller, i) => this.callees.set(caller, [...(this.callees.get(caller) || []), callee[i]]));
  }
}

/** Finds the peaks of one assignment. */
class MemoryPeaks {
  /** @param {MemoryModel} model @param {Pricer} pricer which knows where replicas are */
  constructor(model, pricer) {
    this.model = model;
    this.pricer = pricer;
    this.problem = model.problem;
    this.assignment = pricer.assignment;
    this.numDevices = this.problem.numDevices;
    this.lives = new Lives(this.problem.numValues, this.numDevices);
  }

  /** @returns {number[]} by device */
  find() {
    this.addUses();
    // Readers have greater numbers than what they read.
    for (let value = this.problem.numValues; value-- > 0; ) {
      this.addDefinition(value);
      this.share(value);
    }
    this.model.carriers.node.forEach((node, i) => this.addCarried(node, this.model.carriers.first[i], this.model.carriers.last[i]));
    for (let value = 0; value < this.problem.numValues; ++value) this.overwrite(value);
    return this.problem.devices.map((_, device) => this.findPeak(device));
  }

  addUses() {
    const { problem, model, lives } = this;
    for (let r = 0; r < problem.readNode.length; ++r) {
      const node = problem.readNode[r];
      for (let device = 0; device < this.numDevices; ++device)
        if (this.pricer.isOn(node, device)) lives.include(problem.readValue[r], device, node + model.reads.first[r], node + model.reads.last[r]);
    }
    for (let f = 0; f < problem.fixedValue.length; ++f) lives.include(problem.fixedValue[f], problem.fixedUseDevice[f], model.fixed.first[f], model.fixed.last[f]);
    for (let r = 0; r < problem.partialValue.length; ++r) {
      const value = problem.partialValue[r];
      const device = this.assignment.isValueReplicated(value) ? HOST : this.assignment.getValueDevice(value);
      lives.include(value, device, model.partial.first[r], model.partial.last[r]);
    }
  }

  /** A value is there from where it is made to where it is copied. @param {number} value */
  addDefinition(value) {
    const { problem, model, lives, numDevices } = this;
    const producer = problem.producer[value];
    if (this.assignment.isValueReplicated(value)) {
      for (let device = 0; device < numDevices; ++device) if (!lives.isEmpty(value * numDevices + device)) lives.include(value, device, producer, producer);
      return;
    }
    const home = this.assignment.getValueDevice(value);
    for (let device = 0; device < numDevices; ++device) {
      const at = value * numDevices + device;
      if (device !== home && !lives.isEmpty(at)) lives.include(value, home, lives.first[at], lives.first[at]);
    }
    const at = value * numDevices + home;
    if (producer < 0) {
      const before = model.at[value] - 1;
      if (!model.argument[value] && before >= 0) lives.include(value, home, before, before);
    } else if (problem.kind[producer] !== Kind.Carried) {
      lives.include(value, home, producer, producer);
    } else if (model.blockCarriers.has(producer) && !lives.isEmpty(at)) {
      const first = model.firstOfBlock[problem.valueBlock[value]];
      if (first >= 0) lives.first[at] = Math.min(lives.first[at], first);
    }
  }

  /** What a value is a view of lives as long as the view. @param {number} value */
  share(value) {
    const viewed = this.model.viewed[value];
    if (viewed < 0) return;
    for (let device = 0; device < this.numDevices; ++device) {
      const at = value * this.numDevices + device;
      if (this.lives.isEmpty(at) || !this.isAtHome(value, device)) continue;
      this.lives.include(viewed, device, this.lives.first[at], this.lives.last[at]);
      this.lives.clear(at);
    }
  }

  /** @param {number} value @param {number} device */
  isAtHome(value, device) {
    return this.assignment.isValueReplicated(value) || this.assignment.getValueDevice(value) === device;
  }

  /** All names of what control flow carries are one buffer: of a loop, while it runs and after; of a branch, after it. @param {number} node @param {number} begin @param {number} end */
  addCarried(node, begin, end) {
    const { problem, lives } = this;
    const home = this.assignment.device[node];
    let [first, last, largest, isLoop] = [NOWHERE, 0, -1, false];
    for (const value of problem.resultsOfNode.get(node)) {
      const at = value * this.numDevices + home;
      isLoop = isLoop || problem.valueBlock[value] !== problem.nodeBlock[node];
      [first, last] = [Math.min(first, lives.first[at]), Math.max(last, lives.last[at])];
      lives.clear(at);
      if (largest < 0 || this.getBytes(value) > this.getBytes(largest)) largest = value;
    }
    if (largest < 0) return;
    const at = largest * this.numDevices + home;
    lives.first[at] = isLoop ? Math.min(first, Math.min(begin + 1, end)) : Math.max(first, end + 1);
    lives.last[at] = isLoop ? Math.max(last, end) : last;
  }

  /** A destination that nothing needs afterwards becomes the result. @param {number} value */
  overwrite(value) {
    const { model, lives } = this;
    const old = model.overwritten[value];
    if (old < 0 || this.assignment.isValueReplicated(value) || model.constant[old] >= 0) return;
    const home = this.assignment.getValueDevice(value);
    if (model.argument[old] && this.assignment.getValueDevice(old) === home) return;
    const before = old * this.numDevices + home;
    const node = this.problem.producer[value];
    if (!lives.isEmpty(before) && lives.last[before] === node) lives.first[value * this.numDevices + home] = node + 1;
  }

  /** @param {number} value */
  getBytes(value) {
    return this.problem.sizes[this.problem.valueSize[value]];
  }

  /** What comes and goes by node; what is there for the whole program, and for each function. @param {number} device */
  collect(device) {
    const { problem, model, lives } = this;
    const changes = new Float64Array(problem.numNodes + 1);
    const around = new Float64Array(model.functions.root.length);
    const seen = new Set();
    let resident = 0;
    model.states.node.forEach((node, i) => (resident += this.assignment.device[node] === device ? model.states.bytes[i] : 0));
    for (let value = 0; value < problem.numValues; ++value) {
      const at = value * this.numDevices + device;
      const owner = model.functionOfBlock[problem.valueBlock[value]];
      let [first, last] = [lives.first[at], lives.last[at]];
      if (this.isAtHome(value, device) && (first <= last || model.argument[value])) {
        if (model.call[value] >= 0) first = Math.max(first, model.call[value] + 1);
        if (model.constant[value] >= 0) {
          if (!seen.has(model.constant[value])) resident += this.getBytes(value);
          seen.add(model.constant[value]);
          continue;
        }
        if (model.argument[value]) {
          if (model.functions.root[owner]) around[owner] += this.getBytes(value);
          continue;
        }
      }
      first = Math.max(first, model.functions.first[owner]);
      last = Math.min(last, model.functions.last[owner]);
      if (first > last) continue;
      changes[first] += this.getBytes(value);
      changes[last + 1] -= this.getBytes(value);
    }
    return { changes, around, resident };
  }

  /** From entry points to what they call. @param {number} device */
  findPeak(device) {
    const { functions, order, callees } = this.model;
    const { changes, around, resident } = this.collect(device);
    let peak = 0;
    for (const index of order) {
      let bytes = resident + around[index];
      peak = Math.max(peak, bytes);
      for (let node = functions.first[index]; node <= functions.last[index]; ++node) {
        bytes += changes[node];
        peak = Math.max(peak, bytes);
        for (const callee of callees.get(node) || []) around[callee] = Math.max(around[callee], bytes - resident);
      }
    }
    return peak;
  }
}
