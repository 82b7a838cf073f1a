#include "hetero/Conversion/HeteroToGPU/Kernels.h"
using namespace mlir; using namespace mlir::hetero;
bool mlir::hetero::isTiledContraction(linalg::LinalgOp op) { return false; }
LogicalResult mlir::hetero::buildContractionKernel(KernelBuilder &kernel) { return failure(); }
