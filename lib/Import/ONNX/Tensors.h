//===- Tensors.h - Constants of the file ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants of the file as attributes. Small ones are dense; large ones are
// resources over the mapped bytes, which the attribute keeps mapped, also of
// elements that are packed.

#ifndef HETERO_LIB_IMPORT_ONNX_TENSORS_H
#define HETERO_LIB_IMPORT_ONNX_TENSORS_H

#include "Values.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

namespace mlir::hetero::onnx {

/// Bytes that stay where they are while anyone refers to them.
using SharedBytes = std::shared_ptr<llvm::MemoryBuffer>;

class TensorReader {
public:
  /// Reads tensors of the model in `file`, which lies in `folder`.
  TensorReader(MLIRContext *context, SharedBytes file, std::string folder)
      : context(context), file(std::move(file)), folder(std::move(folder)) {}

  /// Makes a constant. Returns failure, with the text of getError().
  FailureOr<Tensor> read(const TensorProto &proto);
  FailureOr<Tensor> read(const SparseTensorProto &proto);
  const std::string &getError() const { return error; }

private:
  /// The elements of a tensor, and what keeps them.
  struct Raw {
    int64_t count;
    StringRef bytes;
    std::shared_ptr<void> keeper;

    void keep(std::string own) {
      auto kept = std::make_shared<std::string>(std::move(own));
      bytes = *kept;
      keeper = std::move(kept);
    }
  };
  FailureOr<Raw> readRaw(const TensorProto &proto);
  /// Makes whole bytes of elements that are less.
  static void unpackBytes(Raw &raw, ElementType type);
  LogicalResult fail(const TensorProto &proto, const Twine &message);
  /// The sizes of a tensor, whose product is checked.
  FailureOr<int64_t> count(const TensorProto &proto);
  /// Finds the bytes in another file, `size` if the tensor does not say how
  /// many.
  LogicalResult readExternal(const TensorProto &proto, Raw &raw, uint64_t size);
  FailureOr<SharedBytes> openExternal(const TensorProto &proto,
                                      StringRef location);
  /// Makes the bytes that raw data would have of the typed fields.
  LogicalResult readNumbers(const TensorProto &proto, Raw &raw);

  MLIRContext *context;
  SharedBytes file;
  std::string folder, error;
  /// Files of external data, by their names in the model.
  llvm::StringMap<SharedBytes> externalFiles;
};

} // namespace mlir::hetero::onnx

#endif // HETERO_LIB_IMPORT_ONNX_TENSORS_H
