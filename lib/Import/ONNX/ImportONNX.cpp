//===- ImportONNX.cpp - Reads ONNX models ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "hetero/Import/ONNX/ImportONNX.h"

#include "GraphImporter.h"
#include "hetero/Dialect/Hetero/IR/AttributeNames.h"
#include "hetero/Dialect/TMTensor/IR/TMTensorDialect.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::hetero;

void hetero::registerONNXImportDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, arith::ArithDialect,
                  cf::ControlFlowDialect, complex::ComplexDialect,
                  func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
                  ml_program::MLProgramDialect, scf::SCFDialect,
                  tensor::TensorDialect, tm_tensor::TMTensorDialect>();
}

ArrayRef<ONNXImportOptions::Flag> ONNXImportOptions::getFlags() {
  static constexpr Flag flags[] = {
      {"dim", "NAME=SIZE", "Size of a dynamic dimension of an ONNX model"},
      {"value", "NAME=NUMBERS", "Input of an ONNX model that is a constant"},
      {"shape", "NAME=JSON",
       "Sizes of an input of an ONNX model, a list of them for each item of a "
       "sequence, or null for an absent optional"}};
  return flags;
}

std::string ONNXImportOptions::add(StringRef flag, StringRef word) {
  auto [name, text] = word.rsplit('=');
  bool isGood = !name.empty() && !text.empty();
  int64_t size;
  if (flag == "dim") {
    isGood &= !text.getAsInteger(10, size) && size >= 0;
    if (isGood)
      dims[name] = size;
  } else if (flag == "value") {
    if (isGood)
      values[name] = text.str();
  } else {
    auto shape = llvm::json::parse(text);
    isGood &= bool(shape);
    if (isGood)
      shapes.insert_or_assign(name, std::move(*shape));
    llvm::consumeError(shape.takeError());
  }
  const Flag *it = llvm::find_if(
      getFlags(), [&](const Flag &row) { return row.name == flag; });
  return isGood
             ? ""
             : ("expected --" + flag + "=" + it->form + ", got '" + word + "'")
                   .str();
}

bool hetero::isONNXFile(StringRef path) { return path.ends_with(".onnx"); }

/// Names that callers see are UTF-8, as the standard wants; empty if they are.
static std::string findBadName(const onnx::GraphProto &graph) {
  bool isGood = llvm::json::isUTF8(graph.name);
  for (const auto *values : {&graph.inputs, &graph.outputs})
    for (const onnx::ValueInfoProto &value : *values)
      isGood &= llvm::json::isUTF8(value.name);
  return isGood ? ""
                : "the name of the graph, of an input or of a result is not "
                  "UTF-8; rename it";
}

OwningOpRef<ModuleOp>
hetero::importONNX(std::shared_ptr<llvm::MemoryBuffer> bytes, StringRef folder,
                   const ONNXImportOptions &options, MLIRContext *context,
                   std::string &error, ONNXSignature *signature) {
  Location loc = UnknownLoc::get(context);
  std::string name = bytes->getBufferIdentifier().str();
  auto refuse = [&](const Twine &why) {
    error = ("cannot import '" + name + "': " + why).str();
    return OwningOpRef<ModuleOp>();
  };
  onnx::ModelProto model;
  std::string damage = onnx::readModel(bytes->getBuffer(), model);
  if (!damage.empty())
    return refuse(damage);
  if (std::string wrong = findBadName(*model.graph); !wrong.empty())
    return refuse(wrong);
  DialectRegistry registry;
  registerONNXImportDialects(registry);
  context->appendDialectRegistry(registry);
  for (StringRef dialect : registry.getDialectNames())
    context->getOrLoadDialect(dialect);
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  onnx::TensorReader tensors(context, std::move(bytes), folder.str());
  onnx::GraphImporter importer(model, tensors, options, *module);
  std::string invalid;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (invalid.empty() &&
        diagnostic.getSeverity() == DiagnosticSeverity::Error)
      invalid = importer.describeNode(diagnostic.getLocation()) +
                "the importer has made an operation that is invalid for its "
                "sizes and types: " +
                diagnostic.str();
    return success();
  });
  LogicalResult done = importer.run();
  if (signature)
    *signature = importer.getSignature();
  if (failed(done))
    return refuse(importer.getError().empty() ? invalid : importer.getError());
  if (failed(verify(*module)))
    return refuse(invalid);
  return module;
}

void hetero::nameDimensions(ModuleOp module, const ONNXSignature &signature) {
  auto function = *module.getOps<func::FuncOp>().begin();
  Builder b(module.getContext());
  for (auto [number, input] : llvm::enumerate(signature.inputs)) {
    SmallVector<StringRef> names;
    for (auto [size, name] : llvm::zip_equal(input.sizes, input.dims))
      if (size < 0)
        names.push_back(name);
    if (llvm::any_of(names, [](StringRef name) { return !name.empty(); }))
      function.setArgAttr(number, kDimensionNamesAttrName,
                          b.getStrArrayAttr(names));
  }
}

void hetero::registerONNXTranslation() {
  static llvm::cl::opt<bool> text(
      "text", llvm::cl::desc("--import-onnx: write text, not bytecode"));
  static ONNXImportOptions options;
  static std::string error;
  static std::vector<std::unique_ptr<llvm::cl::list<std::string>>> flags;
  for (const ONNXImportOptions::Flag &flag : ONNXImportOptions::getFlags())
    flags.push_back(std::make_unique<llvm::cl::list<std::string>>(
        flag.name, llvm::cl::desc(flag.help), llvm::cl::value_desc(flag.form),
        llvm::cl::callback([&flag](const std::string &word) {
          error += options.add(flag.name, word);
        })));
  TranslateRegistration(
      "import-onnx", "import an ONNX model as functions on tensors",
      [](const std::shared_ptr<llvm::SourceMgr> &source, llvm::raw_ostream &os,
         MLIRContext *context) -> LogicalResult {
        if (!error.empty())
          return emitError(UnknownLoc::get(context)) << error;
        const llvm::MemoryBuffer *main =
            source->getMemoryBuffer(source->getMainFileID());
        StringRef path = main->getBufferIdentifier();
        // The source manager outlives the module.
        std::shared_ptr<llvm::MemoryBuffer> bytes =
            llvm::MemoryBuffer::getMemBuffer(main->getMemBufferRef(), false);
        OwningOpRef<ModuleOp> module = importONNX(
            bytes, llvm::sys::path::parent_path(path), options, context, error);
        if (!module)
          return emitError(UnknownLoc::get(context)) << error;
        if (!text)
          return writeBytecodeToFile(*module, os);
        module->print(os);
        return success();
      });
}
