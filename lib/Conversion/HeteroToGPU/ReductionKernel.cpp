#include "hetero/Conversion/HeteroToGPU/Kernels.h"
using namespace mlir; using namespace mlir::hetero;
bool mlir::hetero::isBlockReduction(linalg::LinalgOp op) { return false; }
LogicalResult mlir::hetero::buildReductionKernel(KernelBuilder &kernel) { return failure(); }
