"""The part of scripts/check-certificate that is about schedules: what a placement for latency has to do, when each
of it may start, and what no schedule is below. A task is known by its key: (0, node, device), or (1, value, part of
it or -1, block, destination, number of the link on the way)."""

import itertools
from collections import defaultdict

NEVER = 2**63 - 1


class Schedules:
    def __init__(self, problem, nodes, values, parts):
        """`nodes`, `values` and `parts` have the segment of each."""
        self.problem, self.nodes, self.values, self.parts = problem, nodes, values, parts

    def is_made_in(self, value, segment):
        node = self.problem.values[value][0]
        return node >= 0 and self.problem.timed[node] and self.nodes[node] == segment

    def tasks(self, device):
        """By segment and key, in an order where each comes after what it needs: the time of a task, its engines,
        the keys of what it needs, and when all of that can have ended."""
        p, tasks, waiting, arrived, of_host = self.problem, defaultdict(dict), defaultdict(list), {}, {}
        crossed = {}  # What one copy of a value has brought over a link no other one brings again.
        uses, placed = p.needs(device)

        def source(v, where, s):
            if not p.again(v) and where != p.home(v, device):
                return arrived.get((v, where, s), [])
            return [(0, p.values[v][0], where)] if self.is_made_in(v, s) else []

        def add(s, key, time, engines, needs):
            head = max((tasks[s][need][0] + tasks[s][need][3] for need in needs), default=0)
            tasks[s][key] = time, engines if time else [], needs, head

        def copy(s, v, home, to, block, size, part):
            before = source(v, home, s)
            for hop, (a, b) in enumerate(p.route(home, to)):
                key = (1, v, part, block, to, hop)
                if part >= 0 or (v, block, a, b) not in crossed:
                    add(s, key, p.scale(p.transfer(size, a, b), block), self.engines(a, b), before)
                    before = [key]
                before = before if part >= 0 else crossed.setdefault((v, block, a, b), before)
            if part < 0:
                arrived[v, to, s] = before

        for v, home, to, block, size, part in p.copies(device, uses):
            s = self.parts[part] if part >= 0 else self.values[v] if block == p.values[v][2] else block
            if self.is_made_in(v, s):
                waiting[p.values[v][0], home].append((s, v, home, to, block, size, part))
            else:
                copy(s, v, home, to, block, size, part)
        for n, where in placed:
            s, time = self.nodes[n], p.row[n][where]
            needs = [need for v, _ in p.reads[n] for need in source(v, where, s)]
            if self.is_host(where) and time:  # A host keeps its order.
                needs += of_host.get((s, where), [])
                of_host[s, where] = [(0, n, where)]
            add(s, (0, n, where), time, [(where, 0)], needs)
            for each in waiting[n, where]:
                copy(*each)
        return tasks

    def engines(self, a, b):
        """Engine 0 of a device computes, 1 copies in, 2 copies out, 3 + N sends to device N of another node. Copies
        take none of a host, and that which computes of a device that does not overlap."""
        overlaps = self.problem.overlaps
        ends = [(end, role * overlaps[end]) for end, role in ((a, 2), (b, 1)) if not overlaps[end] or not self.is_host(end)]
        return ends + ([(a, 3 + b)] if self.node(a) != self.node(b) else [])

    def node(self, device):
        return self.problem.names[device].partition("@")[2]

    def is_host(self, device):
        return self.problem.names[device].partition("@")[0] == "cpu:0"

    def check(self, starts):
        """Of the file's placement: that all of it starts when it can, by start from the start of its segment in the
        order of keys. When the last ends."""
        tasks, last, busy = self.tasks(self.problem.device), defaultdict(int), defaultdict(list)
        keys = sorted((key, s) for s in tasks for key in tasks[s])
        begin = {key: start for (key, _), start in zip(keys, starts, strict=True)}
        for key, s in keys:
            time, engines, needs, _ = tasks[s][key]
            if begin[key] < max((begin[need] + tasks[s][need][0] for need in needs), default=0):
                raise ValueError(f"task {key} waits for what it needs")
            last[s] = max(last[s], begin[key] + time)
            for engine in engines:
                busy[s, engine].append((begin[key], begin[key] + time))
        for work in busy.values():
            if any(a[1] > b[0] for a, b in itertools.pairwise(sorted(work))):
                raise ValueError("an engine does one thing at a time")
        return sum(last.values())

    def bound(self, device):
        """What no schedule of a placement ends before: the longest way, and what each engine by itself needs."""
        if self.problem.price(device)[0] == NEVER:
            return NEVER
        return sum(map(bound_tasks, self.tasks(device).values()))

    def bound_path(self):
        """The longest way of each segment, all of it where it ends the earliest, with the copies that it needs."""
        p, ends, longest, devices = self.problem, {}, defaultdict(int), range(self.problem.count)

        def arrival(v, d, block, s):
            n, home, root, size = p.values[v]
            if self.values[v] != s or root != block:
                return 0
            there = [0 if (p.may[n][a] if n >= 0 else home == a) else NEVER for a in devices]
            if self.is_made_in(v, s):
                there = ends[n]
            if p.again(v):
                return there[d]
            return min(there[a] + (p.scale(p.transfer(size, a, d), block) if a != d else 0) for a in devices)

        for n, s in zip(p.nodes, self.nodes):
            if not p.timed[n]:
                continue
            ready = [max((arrival(v, d, block, s) for v, block in p.reads[n]), default=0) for d in devices]
            ends[n] = [ready[d] + p.row[n][d] if p.may[n][d] else NEVER for d in devices]
            if not p.replicated[n]:
                longest[s] = max(longest[s], min(ends[n]))
        for v, where, block in p.fixed:
            s = self.values[v]
            longest[s] = max(longest[s], arrival(v, where, block, s))
        return sum(longest.values())


def bound_tasks(tasks):
    tails, jobs, best = defaultdict(int), defaultdict(list), 0
    for key, (time, engines, needs, head) in reversed(tasks.items()):
        best = max(best, head + time + tails[key])
        for need in needs:
            tails[need] = max(tails[need], tails[key] + time)
        for engine in engines:
            jobs[engine].append((head, time, tails[key]))
    for work in jobs.values():
        # Some of them come after the first head, one after the other, and before the least tail.
        for least in {tail for *_, tail in work}:
            some = sorted((job for job in work if job[2] >= least), reverse=True)
            totals = itertools.accumulate(time for _, time, _ in some)
            best = max(best, *(head + total + least for (head, *_), total in zip(some, totals)))
    return best
