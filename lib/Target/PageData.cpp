//===- PageData.cpp - What the page of a placement shows ------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The problem and its solution as numbers, and beside them what people need of
// each node: names, types, places in the source and on the page.
//
//===----------------------------------------------------------------------===//

#include "PageData.h"

#include "OperationTexts.h"
#include "PageBoxes.h"
#include "PageNodes.h"
#include "SourcePaths.h"
#include "hetero/Analysis/Placement/Export/PrintPriced.h"
#include "hetero/Dialect/Hetero/IR/Repeatable.h"
#include "hetero/Support/JSONColumns.h"

#include <map>

using namespace mlir;
using namespace mlir::hetero;

namespace {
/// Markup in a text does not end the element around it.
class ScriptStream : public llvm::raw_ostream {
public:
  explicit ScriptStream(llvm::raw_ostream &os) : os(os) {}
  ~ScriptStream() override { flush(); }

private:
  void write_impl(const char *data, size_t size) override {
    position += size;
    for (StringRef rest(data, size); !rest.empty();) {
      auto [before, after] = rest.split('<');
      os << before;
      if (before.size() != rest.size())
        os << "\\u003c";
      rest = after;
    }
  }
  uint64_t current_pos() const override { return position; }

  llvm::raw_ostream &os;
  uint64_t position = 0;
};

/// What people need of one node.
struct NodeTexts {
  unsigned op = 0, prefix = 0, name = 0, type = 0, file = 0, text = 0;
  unsigned line = 0, column = 0;
  /// What rules call the operation, if they call it differently.
  unsigned rulesOp = 0;
};

/// Prints one placement.
class DataPrinter {
public:
  DataPrinter(ModuleOp module, const ExportedPlacement &placement,
              const PageContents &contents, llvm::raw_ostream &os)
      : contents(contents), placement(placement), page(module, placement),
        texts(module.getContext()), json(os) {}

  void run();

private:
  void collectTexts(unsigned node);
  void addNames(unsigned node, Operation *op);
  void readAnnotated();
  StringRef getTypes(Operation *op);
  void printSolution();
  void printOrigins();
  void printView();
  void printNodes();
  void printPorts();
  void printBoxes();
  void printOtherNames();
  void printMessages();
  void printTimeline(const PageTimeline &timeline);
  void printEvents(const PageTimeline &timeline);
  void printLevels(const PageTimeline &timeline);
  template <typename Rows, typename Getter>
  void column(StringRef key, const Rows &rows, Getter get) {
    printColumn(json, key, rows.size(),
                [&](size_t row) { return int64_t(get(rows[row])); });
  }

  const PageContents &contents;
  const ExportedPlacement &placement;
  PageBoxes page;
  OperationTexts texts;
  llvm::json::OStream json;
  StringTable strings;
  SmallVector<NodeTexts, 0> nodes;
  llvm::DenseMap<Type, std::string> types;
  std::vector<std::pair<unsigned, SmallVector<StringRef>>> otherNames;
  /// By location: the operation that rules see there, "" for several.
  llvm::DenseMap<Attribute, StringRef> annotated;
  /// Only where something is to be found.
  std::optional<PageNodes> finder;
  /// Boxes as they are printed, and the number that each has there.
  SmallVector<unsigned, 0> order, numbers;
};
} // namespace

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

/// Types of the first result, else of the first operand that is a tensor.
StringRef DataPrinter::getTypes(Operation *op) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  auto results = op->getResultTypes();
  auto operands = op->getOperandTypes();
  Type type;
  if (auto it = llvm::find_if(results, isTensor); it != results.end())
    type = *it;
  else if (auto it = llvm::find_if(operands, isTensor); it != operands.end())
    type = *it;
  if (!type)
    return "";
  std::string &text = types[type];
  if (text.empty())
    llvm::raw_string_ostream(text) << type;
  return text;
}

void DataPrinter::addNames(unsigned node, Operation *op) {
  SmallVector<StringRef> names = getSourceNames(op->getLoc());
  if (names.empty())
    return;
  StringRef name = names.front(), last = SourcePath(name).last;
  nodes[node].prefix = strings.add(name.drop_back(last.size()));
  nodes[node].name = strings.add(last);
  names.erase(names.begin());
  if (!names.empty())
    otherNames.push_back({node, std::move(names)});
}

/// Where several operations have one location, nobody knows which became what.
void DataPrinter::readAnnotated() {
  for (const PageOperation &operation : contents.annotated) {
    auto [it, isNew] =
        annotated.try_emplace(LocationAttr(operation.loc), operation.op);
    if (!isNew && it->second != operation.op)
      it->second = "";
  }
}

void DataPrinter::collectTexts(unsigned node) {
  Operation *op = placement.operations[node];
  if (!op)
    return;
  addNames(node, op);
  NodeTexts &result = nodes[node];
  result.op = strings.add(op->getName().getStringRef());
  result.type = strings.add(getTypes(op));
  result.text = strings.add(texts.get(op));
  // Constants and the like that passes add to it are not what it became.
  auto seen = isNoWork(op) ? annotated.end()
                           : annotated.find(LocationAttr(op->getLoc()));
  if (seen != annotated.end() && seen->second != op->getName().getStringRef())
    result.rulesOp = strings.add(seen->second);
  if (FileLineColLoc position = getFilePosition(op->getLoc())) {
    result.file = strings.add(position.getFilename());
    result.line = position.getLine();
    result.column = position.getColumn();
  }
}

//===----------------------------------------------------------------------===//
// Solution
//===----------------------------------------------------------------------===//

/// In a word, for marks and filters.
static StringRef classify(StringRef origin) {
  if (origin == kMadeOnceOrigin)
    return "once";
  if (origin == kRepeatedOrigin)
    return "repeated";
  constexpr llvm::StringLiteral words[] = {"pinned",  "rule", "cost",
                                           "default", "host", "fallback"};
  for (StringRef word : words)
    if (origin.starts_with(word))
      return word;
  return "other";
}

void DataPrinter::printOrigins() {
  llvm::MapVector<Attribute, int64_t> origins;
  SmallVector<int64_t, 0> numbers;
  for (Operation *op : placement.operations) {
    auto origin = op ? op->getAttrOfType<StringAttr>(kOriginAttrName) : nullptr;
    numbers.push_back(
        origin ? origins.try_emplace(origin, origins.size()).first->second
               : -1);
  }
  column("origin", numbers, [](int64_t number) { return number; });
  json.attributeArray("origins", [&] {
    for (auto [origin, number] : origins)
      json.array([&, origin = origin] {
        StringRef text = cast<StringAttr>(origin).getValue();
        json.value(classify(text));
        json.value(llvm::json::fixUTF8(text));
      });
  });
}

void DataPrinter::printSolution() {
  json.attributeObject("solution", [&] {
    printOrigins();
    hetero::printSolution(json, placement.solution);
  });
}

//===----------------------------------------------------------------------===//
// View
//===----------------------------------------------------------------------===//

void DataPrinter::printNodes() {
  json.attributeObject("nodes", [&] {
    column("op", nodes, [](const NodeTexts &node) { return node.op; });
    column("prefix", nodes, [](const NodeTexts &node) { return node.prefix; });
    column("name", nodes, [](const NodeTexts &node) { return node.name; });
    column("type", nodes, [](const NodeTexts &node) { return node.type; });
    column("file", nodes, [](const NodeTexts &node) { return node.file; });
    column("line", nodes, [](const NodeTexts &node) { return node.line; });
    column("column", nodes, [](const NodeTexts &node) { return node.column; });
    column("text", nodes, [](const NodeTexts &node) { return node.text; });
    if (!annotated.empty())
      column("rulesOp", nodes,
             [](const NodeTexts &node) { return node.rulesOp; });
    auto print = [&](StringRef key, llvm::function_ref<int64_t(size_t)> get) {
      printColumn(json, key, nodes.size(), get);
    };
    print("box", [&](size_t node) { return numbers[page.getBox(node)]; });
    print("x", [&](size_t node) { return page.getPoint(node).x; });
    print("y", [&](size_t node) { return page.getPoint(node).y; });
  });
}

void DataPrinter::printPorts() {
  ArrayRef<PagePort> ports = page.getPorts();
  json.attributeObject("ports", [&] {
    json.attribute("count", int64_t(ports.size()));
    column("kind", ports, [](const PagePort &port) { return port.isOutput; });
    column("value", ports, [](const PagePort &port) { return port.value; });
    column("name", ports,
           [&](const PagePort &port) { return strings.add(port.name); });
    auto print = [&](StringRef key, llvm::function_ref<int64_t(size_t)> get) {
      printColumn(json, key, ports.size(), get);
    };
    print("box", [&](size_t port) { return numbers[page.getPortBox(port)]; });
    print("x", [&](size_t port) { return page.getPortPoint(port).x; });
    print("y", [&](size_t port) { return page.getPortPoint(port).y; });
  });
  column("fixedAt", page.getReaders(), [](int64_t reader) { return reader; });
  column("partialAt", placement.problem.parts,
         [](const ProblemPart &part) { return part.at; });
}

/// Boxes that the layout adds have no name.
void DataPrinter::printBoxes() {
  const NestedLayout &layout = page.getLayout();
  auto find = [&](unsigned box) -> PageBox {
    return box < page.getBoxes().size() ? page.getBoxes()[box]
                                        : PageBox{PageBox::Chunk, ""};
  };
  json.attributeObject("boxes", [&] {
    json.attribute("count", int64_t(order.size()));
    column("parent", order, [&](unsigned box) {
      unsigned parent = layout.getParent(box);
      return parent == NestedLayout::kNone ? -1 : int64_t(numbers[parent]);
    });
    column("kind", order, [&](unsigned box) { return find(box).kind; });
    column("name", order,
           [&](unsigned box) { return strings.add(find(box).name); });
    column("node", order, [&](unsigned box) { return find(box).node; });
    column("trips", order, [&](unsigned box) { return find(box).trips; });
    auto print = [&](StringRef key, int64_t LayoutRectangle::*member) {
      column(key, order,
             [&](unsigned box) { return layout.getRectangle(box).*member; });
    };
    print("x", &LayoutRectangle::x);
    print("y", &LayoutRectangle::y);
    print("w", &LayoutRectangle::width);
    print("h", &LayoutRectangle::height);
  });
}

/// Few operations have more than one.
void DataPrinter::printOtherNames() {
  json.attributeArray("otherNames", [&] {
    for (auto &[node, names] : otherNames)
      json.array([&, node = node, &names = names] {
        json.value(node);
        for (StringRef name : names)
          json.value(strings.add(name));
      });
  });
}

static StringRef describe(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Error:
    return "error";
  case DiagnosticSeverity::Warning:
    return "warning";
  case DiagnosticSeverity::Remark:
    return "remark";
  case DiagnosticSeverity::Note:
    return "note";
  }
  llvm_unreachable("all severities are handled");
}

void DataPrinter::printMessages() {
  json.attributeArray("diagnostics", [&] {
    for (const PageMessage &message : contents.messages)
      json.object([&] {
        json.attribute("node", finder->find(message.loc));
        json.attribute("severity", describe(message.severity));
        json.attribute("text", llvm::json::fixUTF8(message.text));
      });
  });
}

void DataPrinter::printEvents(const PageTimeline &timeline) {
  auto findNode = [&](const PageEvent &event) -> int64_t {
    if (event.bytes >= 0)
      return finder->findValue(event.name);
    return event.operation ? finder->find(*event.operation) : -1;
  };
  json.attributeObject("events", [&] {
    ArrayRef<PageEvent> events = timeline.events;
    column("lane", events, [](const PageEvent &event) { return event.lane; });
    column("start", events, [](const PageEvent &event) { return event.start; });
    column("length", events,
           [](const PageEvent &event) { return event.length; });
    column("name", events,
           [&](const PageEvent &event) { return strings.add(event.name); });
    column("node", events, findNode);
    column("bytes", events, [](const PageEvent &event) { return event.bytes; });
  });
}

void DataPrinter::printLevels(const PageTimeline &timeline) {
  json.attributeArray("memory", [&] {
    for (auto [index, device] : llvm::enumerate(placement.problem.devices)) {
      auto it = timeline.memory.find(device);
      if (it == timeline.memory.end())
        continue;
      json.object([&, index = index] {
        json.attribute("device", int64_t(index));
        column("time", it->second,
               [](const PageLevel &level) { return level.time; });
        column("bytes", it->second,
               [](const PageLevel &level) { return level.bytes; });
      });
    }
  });
}

void DataPrinter::printTimeline(const PageTimeline &timeline) {
  json.attributeObject("timeline", [&] {
    json.attributeArray("lanes", [&] {
      for (const std::string &lane : timeline.lanes)
        json.value(lane);
    });
    printEvents(timeline);
    printLevels(timeline);
    // Several operations may have become one that was measured.
    std::map<int64_t, int64_t> measured;
    for (const auto &[operation, time] : timeline.measured)
      if (int64_t node = finder->find(operation); node >= 0)
        measured[node] += time;
    std::vector<std::pair<int64_t, int64_t>> rows(measured.begin(),
                                                  measured.end());
    json.attributeObject("measured", [&] {
      column("node", rows, [](auto row) { return row.first; });
      column("ps", rows, [](auto row) { return row.second; });
    });
  });
}

void DataPrinter::printView() {
  const LayoutMetrics &metrics = page.getLayout().getMetrics();
  json.attributeObject("view", [&] {
    json.attributeObject("size", [&] {
      json.attribute("w", metrics.nodeWidth);
      json.attribute("h", metrics.nodeHeight);
    });
    printNodes();
    printPorts();
    printBoxes();
    printOtherNames();
    printMessages();
    strings.print(json, "strings");
  });
}

void DataPrinter::run() {
  order = page.getPreOrder();
  numbers.resize(order.size());
  for (auto [number, box] : llvm::enumerate(order))
    numbers[box] = number;
  if (contents.timeline || !contents.messages.empty())
    finder.emplace(placement.operations);
  readAnnotated();
  nodes.resize(placement.operations.size());
  for (unsigned node = 0; node < nodes.size(); ++node)
    collectTexts(node);
  json.object([&] {
    json.attribute("format", "hetero-placement");
    json.attribute("version", 1);
    json.attributeObject("problem",
                         [&] { printProblem(json, placement.problem); });
    printSolution();
    json.attributeObject("memory",
                         [&] { printMemory(json, placement.problem); });
    json.attribute("title", llvm::json::fixUTF8(contents.title));
    if (contents.timeline)
      printTimeline(*contents.timeline);
    printView();
  });
}

LogicalResult mlir::hetero::printPageData(ModuleOp module,
                                          const PageContents &contents,
                                          llvm::raw_ostream &os) {
  if (Phase phase = getPhase(module); phase != Phase::Placed)
    return emitError(module.getLoc())
           << "expected a module in phase 'placed', got phase '"
           << stringifyPhase(phase) << "'; run hetero-opt --hetero-place first";
  FailureOr<ExportedPlacement> placement =
      exportPlacement(module, contents.profile);
  if (failed(placement))
    return failure();
  ScriptStream stream(os);
  DataPrinter(module, *placement, contents, stream).run();
  return success();
}
