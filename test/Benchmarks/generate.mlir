// Every shape of generated module holds as many operations as asked for, all of
// which are needed, and passes the verifier of each phase.

// RUN: hetero-opt-test-passes %s --test-hetero-generate="shape=chain ops=50" --canonicalize | FileCheck %s --check-prefix=COUNT
// RUN: hetero-opt-test-passes %s --test-hetero-generate="shape=dag ops=50" --canonicalize | FileCheck %s --check-prefix=COUNT
// RUN: hetero-opt-test-passes %s --test-hetero-generate="shape=dag ops=50 pins=half devices=cpu:0,gpu:0,gpu:1" \
// RUN:   --hetero-annotate --hetero-place --hetero-materialize-copies --hetero-verify \
// RUN:   --hetero-optimize-copies --hetero-verify | FileCheck %s --check-prefix=COPIES
// RUN: hetero-opt-test-passes %s --test-hetero-generate="shape=nested ops=63" --canonicalize | FileCheck %s --check-prefix=LOOPS
// RUN: hetero-opt-test-passes %s --test-hetero-generate="shape=nested ops=63 pins=half costs=clear" \
// RUN:   --hetero-annotate --hetero-place --hetero-materialize-copies --hetero-verify \
// RUN:   --hetero-optimize-copies --hetero-verify | FileCheck %s --check-prefix=COPIES

// COUNT-COUNT-50: linalg.generic
// COUNT-NOT: linalg.generic
// LOOPS-COUNT-63: linalg.generic
// LOOPS-NOT: linalg.generic
// COPIES: hetero.copy

// The pins are alternately on the devices, and the work with them.
// RUN: hetero-opt-test-passes %s --test-hetero-generate="shape=chain ops=4 pins=alternating costs=alternating" | FileCheck %s --check-prefix=TURN
// TURN: linalg.generic {{.*}} ins({{.*}}tensor<1xf32>) {{.*}}#hetero.device<cpu:0>
// TURN: linalg.generic {{.*}} ins({{.*}}tensor<64xf32>) {{.*}}#hetero.device<gpu:0>
// TURN: linalg.generic {{.*}} ins({{.*}}tensor<1xf32>) {{.*}}#hetero.device<cpu:0>
// TURN: linalg.generic {{.*}} ins({{.*}}tensor<64xf32>) {{.*}}#hetero.device<gpu:0>

// A module that was dropped prints nothing.
// RUN: hetero-opt-test-passes %s --test-hetero-generate="ops=10" --test-hetero-drop | FileCheck %s --check-prefix=DROP
// DROP-NOT: func

// RUN: not hetero-opt-test-passes %s --test-hetero-generate="devices=nowhere:x" 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: error: no device: 'nowhere:x'
module {}
