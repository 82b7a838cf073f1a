// The compiler of peer-tool.py does what the name of the function says.
func.func @right() { return }
// -----
func.func @right_after_a_warning() { return }
// -----
func.func @clean() { return }
// -----
func.func @clean_schedule() { return }
// -----
func.func @crash() { return }
// -----
func.func @crash_with_an_error() { return }
// -----
func.func @crash_of_a_sanitizer() { return }
// -----
func.func @hang() { return }
// -----
func.func @silent_failure() { return }
// -----
func.func @silent_success() { return }
// -----
func.func @internal_dominance() { return }
// -----
func.func @internal_contract() { return }
// -----
func.func @internal_after_a_clean_one() { return }
// -----
// This one mlir-opt does not parse.
func.func @right() { return %nothing }
// -----
// And this one holds nothing.
// -----
// This one comes twice.
func.func @again() { return }
// -----
// This one comes twice.
func.func @again() { return }
