// RUN: hetero-opt-test-passes %s '--test-hetero-generate=shape=dag costs=near-tied pins=none devices=cpu:0,gpu:0 ops=3000' --hetero-place="work-limit=1 report=%t.json" --remarks-filter=hetero-place --test-hetero-drop -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --check-prefix=STOPPED < %t.json
// RUN: hetero-opt-test-passes %s '--test-hetero-generate=shape=dag costs=near-tied pins=none devices=cpu:0,gpu:0 ops=3000' --hetero-place="work-limit=0 report=%t.json" --test-hetero-drop -o /dev/null
// RUN: FileCheck %s --check-prefix=PROVEN < %t.json
// RUN: hetero-opt-test-passes %s '--test-hetero-generate=shape=dag costs=near-tied pins=none devices=cpu:0,gpu:0 ops=3000' --hetero-place="report=%t.json" --test-hetero-drop -o /dev/null
// RUN: FileCheck %s --check-prefix=PROVEN < %t.json
// RUN: not hetero-opt-test-passes %s --hetero-place="work-limit=-1" 2>&1 | FileCheck %s --check-prefix=BAD

// A solver that stops at its work limit places everything, tells how far from
// the optimum it may be, and does not claim the optimum.

module {}

// REMARK: [Missed] not-proven | Category:hetero-place | Reason="the work limit was reached", Remark="the cost is at most 0.{{[0-9]+}} % above the least", Suggestion="raise work-limit"

// STOPPED: "lower_bound_seconds": 0.0{{[0-9]+}},
// STOPPED-NOT: "gap": 0,
// STOPPED: "optimal": false,

// PROVEN: "gap": 0,
// PROVEN-NEXT: "optimal": true,

// BAD: for the --work-limit option: '-1' value invalid for uint argument!
