//===- BLAS.cpp - Products as calls of a BLAS -----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %0 = linalg.fill ins(%zero) outs(%e)
//   %1 = linalg.matmul ins(%a, %b) outs(%0)
//
// becomes
//
//   %has = hetero.has_library "openblas"
//   %1 = scf.if %has {
//     %2 = hetero.library_call "openblas" "gemm" ins(%a, %b) outs(%e)
//     scf.yield %2
//   } else {
//     fill and matmul, for which code is generated as for any cpu region
//   }
//
//===----------------------------------------------------------------------===//

#include "hetero/Codegen/Libraries.h"

#include "hetero/Codegen/CPU/CPUCodegen.h"
#include "hetero/Codegen/CleanUp.h"
#include "hetero/Codegen/Decompose.h"
#include "hetero/Codegen/TargetRegistry.h"
#include "hetero/Dialect/Hetero/IR/DeviceKind.h"
#include "hetero/Dialect/Hetero/IR/HeteroLibraryOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// A contraction as gemm sees it.
struct Product {
  linalg::GenericOp op;
  /// The fill with zeros that it starts from, if there is one.
  linalg::GenericOp zeros;
  /// For both inputs and the result: the dimensions as the batch's, rows,
  /// columns; -1 for one that it does not have.
  SmallVector<int64_t> orders[3];
};
} // namespace

/// The dimension of the operand that follows a loop, -1 for none.
static int64_t findDimension(AffineMap map, int64_t loop) {
  for (auto [dim, result] : llvm::enumerate(map.getResults()))
    if (loop >= 0 && result == getAffineDimExpr(loop, map.getContext()))
      return dim;
  return -1;
}

/// A generic without loops over inputs that writes zero everywhere.
static linalg::GenericOp findZeros(Value value) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || op.getNumDpsInputs() > 1 || op.getNumResults() != 1 ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return {};
  Value yielded = op.getBody()->getTerminator()->getOperand(0);
  if (auto argument = dyn_cast<BlockArgument>(yielded);
      argument && argument.getOwner() == op.getBody()) {
    if (argument.getArgNumber() != 0 || op.getNumDpsInputs() != 1)
      return {};
    yielded = op.getDpsInputs()[0];
  }
  return matchPattern(yielded, m_AnyZeroFloat()) ? op : linalg::GenericOp();
}

/// A BLAS needs one dimension of each matrix to be contiguous: the last one of
/// the tensor has to be one of the matrix, not of the batch.
static bool endsInMatrix(ArrayRef<int64_t> order, int64_t rank) {
  return rank == 0 || llvm::is_contained(order.take_back(2), rank - 1);
}

static bool hasBLASTypes(linalg::GenericOp op) {
  Type type = getElementTypeOrSelf(op.getResult(0));
  return (type.isF32() || type.isF64()) &&
         llvm::all_of(op->getOperandTypes(), [&](Type operand) {
           return getElementTypeOrSelf(operand) == type;
         });
}

namespace {
/// What the loops are to a product; -1 for none.
struct Roles {
  SmallVector<int64_t> batch;
  int64_t row, column, k;
};
} // namespace

static bool setOrders(Product &product, const Roles &roles) {
  int64_t rows[] = {roles.row, roles.k, roles.row};
  int64_t columns[] = {roles.k, roles.column, roles.column};
  SmallVector<AffineMap> maps = product.op.getIndexingMapsArray();
  for (unsigned i = 0; i < 3; ++i) {
    SmallVector<int64_t> &order = product.orders[i];
    order.clear();
    for (int64_t loop : roles.batch)
      order.push_back(findDimension(maps[i], loop));
    order.push_back(findDimension(maps[i], rows[i]));
    order.push_back(findDimension(maps[i], columns[i]));
    if (!endsInMatrix(order, maps[i].getNumResults()))
      return false;
  }
  return true;
}

/// What may be the rows: the innermost loop first, none if there is no loop.
static SmallVector<int64_t> getChoices(ArrayRef<unsigned> loops) {
  SmallVector<int64_t> choices(llvm::reverse(loops));
  if (choices.empty())
    choices.push_back(-1);
  return choices;
}

/// The product that the operation is, if it is one. Of several loops over rows
/// all but one are as good as a batch that one input does not have.
static std::optional<Product> matchProduct(linalg::GenericOp op) {
  if (op.getNumDpsInits() != 1 || !linalg::isaContractionOpInterface(op) ||
      !hasBLASTypes(op))
    return std::nullopt;
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(dims) || dims->k.size() != 1)
    return std::nullopt;
  Product product{op, findZeros(op.getDpsInits()[0]), {}};
  for (int64_t row : getChoices(dims->m))
    for (int64_t column : getChoices(dims->n)) {
      Roles roles{{}, row, column, dims->k[0]};
      for (ArrayRef<unsigned> loops :
           {ArrayRef<unsigned>(dims->batch), ArrayRef<unsigned>(dims->m),
            ArrayRef<unsigned>(dims->n)})
        for (int64_t loop : loops)
          if (loop != row && loop != column)
            roles.batch.push_back(loop);
      if (setOrders(product, roles))
        return product;
    }
  return std::nullopt;
}

/// Puts the call in front of the operation, which stays for where there is no
/// library.
static void callLibrary(RewriterBase &rewriter, const Product &product) {
  linalg::GenericOp op = product.op, zeros = product.zeros;
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  Value has =
      HasLibraryOp::create(rewriter, loc, rewriter.getI1Type(), kOpenBLAS);
  auto choice = scf::IfOp::create(rewriter, loc, op->getResultTypes(), has,
                                  /*withElseRegion=*/true);
  rewriter.setInsertionPointToStart(choice.thenBlock());
  Value init = zeros ? zeros.getDpsInits()[0] : op.getDpsInits()[0];
  SmallVector<Attribute> orders;
  for (ArrayRef<int64_t> order : product.orders)
    orders.push_back(rewriter.getDenseI64ArrayAttr(order));
  auto call = LibraryCallOp::create(rewriter, loc, op->getResultTypes(),
                                    kOpenBLAS, "gemm", op.getDpsInputs(), init,
                                    rewriter.getArrayAttr(orders), !zeros);
  scf::YieldOp::create(rewriter, loc, call->getResults());
  rewriter.setInsertionPointToStart(choice.elseBlock());
  IRMapping mapping;
  if (zeros)
    rewriter.clone(*zeros, mapping);
  Operation *same = rewriter.clone(*op, mapping);
  scf::YieldOp::create(rewriter, loc, same->getResults());
  rewriter.replaceOp(op, choice.getResults());
  if (zeros && zeros.use_empty())
    rewriter.eraseOp(zeros);
}

static remark::RemarkOpts remarkNamed(StringRef name) {
  return remark::RemarkOpts::name(name).category("hetero-codegen");
}

LogicalResult mlir::hetero::generateBLASRegion(ExecuteOp op) {
  if (op.getDevice().getKind() != kHostKind)
    return op.emitOpError("region \"")
           << op.getName() << "\" is on " << op.getDevice().str()
           << ", but openblas computes on the host only; place it on cpu:0 or "
              "leave codegen out";
  if (failed(decomposeRegion(op)) || failed(collapseLoops(op)))
    return failure();
  SmallVector<Product> products;
  op->walk([&](linalg::GenericOp generic) {
    if (std::optional<Product> product = matchProduct(generic))
      products.push_back(std::move(*product));
  });
  IRRewriter rewriter(op.getContext());
  for (Product &product : products) {
    remark::passed(product.op.getLoc(), remarkNamed("library"))
        << remark::add("a product is a call of {0}", kOpenBLAS.str());
    callLibrary(rewriter, product);
  }
  if (products.empty())
    remark::missed(op.getLoc(), remarkNamed("library"))
        << remark::add("{0} has nothing for region {1}", kOpenBLAS.str(),
                       op.getName().str())
        << remark::suggest("leave codegen out of its device");
  return generateCPURegion(op);
}

void mlir::hetero::registerLibraryGenerators(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, HeteroDialect *dialect) {
    TargetRegistry::get(dialect).add(kOpenBLAS, generateBLASRegion);
  });
}
