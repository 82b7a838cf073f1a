// RUN: hetero-opt %s --hetero-plan-memory --verify-diagnostics

// Ownership is followed through structured control flow, so a loop of branches
// that cannot become one is an error, not a buffer that is never freed.
// expected-error @below {{'func.func' op has branches that cannot be structured; write them with the scf dialect}}
func.func @loop(%p: i1) {
  llvm.br ^bb1
^bb1:
  // expected-error @below {{Cannot convert unknown control flow op}}
  llvm.cond_br %p, ^bb1, ^bb2
^bb2:
  return
}
