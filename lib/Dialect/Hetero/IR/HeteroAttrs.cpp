//===- HeteroAttrs.cpp - Attributes of the hetero dialect -----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Dialect/Hetero/IR/HeteroDialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::hetero;

/// Parses `[a, b]` of one kind of attribute, each with or without its name.
template <typename AttrTy>
static ParseResult parseList(AsmParser &parser, SmallVector<AttrTy> &values) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square, [&]() -> ParseResult {
        AttrTy value;
        if (parser.parseCustomAttributeWithFallback(value))
          return failure();
        values.push_back(value);
        return success();
      });
}

template <typename AttrTy>
static void printList(AsmPrinter &printer, ArrayRef<AttrTy> values) {
  printer << '[';
  llvm::interleaveComma(values, printer, [&](AttrTy value) {
    printer.printStrippedAttrOrType(value);
  });
  printer << ']';
}

/// Parses the list of devices, and `, links = [...]` and `, network = ...` as
/// far as they are there.
static ParseResult parseMachine(AsmParser &parser,
                                SmallVector<DeviceSpecAttr> &devices,
                                SmallVector<LinkAttr> &links,
                                NetworkAttr &network) {
  if (parseList(parser, devices))
    return failure();
  bool hasLinks = false;
  while (succeeded(parser.parseOptionalComma())) {
    StringRef key;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&key) || parser.parseEqual())
      return failure();
    bool isLinks = key == "links";
    if (!isLinks && key != "network")
      return parser.emitError(loc, "unknown field '")
             << key << "'; the fields are 'devices', 'links' and 'network'";
    if (isLinks ? hasLinks : bool(network))
      return parser.emitError(loc, "field '") << key << "' given twice";
    hasLinks |= isLinks;
    if (isLinks ? parseList(parser, links)
                : parser.parseCustomAttributeWithFallback(network))
      return failure();
  }
  return success();
}

static void printMachine(AsmPrinter &printer, ArrayRef<DeviceSpecAttr> devices,
                         ArrayRef<LinkAttr> links, NetworkAttr network) {
  printList(printer, devices);
  if (!links.empty()) {
    printer << ", links = ";
    printList(printer, links);
  }
  if (network) {
    printer << ", network = ";
    printer.printStrippedAttrOrType(network);
  }
}

static ParseResult parsePhase(AsmParser &parser, Phase &phase) {
  llvm::SMLoc loc = parser.getCurrentLocation();
  std::string name;
  if (parser.parseKeywordOrString(&name))
    return failure();
  std::optional<Phase> found = symbolizePhase(name);
  if (!found) {
    InFlightDiagnostic error = parser.emitError(loc)
                               << "expected a phase, got '" << name
                               << "'; the phases are ";
    auto phases = llvm::seq_inclusive(0u, getMaxEnumValForPhase());
    llvm::interleaveComma(phases, error, [&](unsigned number) {
      error << stringifyPhase(static_cast<Phase>(number));
    });
    return error;
  }
  phase = *found;
  return success();
}

static void printPhase(AsmPrinter &printer, Phase phase) {
  printer.getStream() << phase;
}

#include "hetero/Dialect/Hetero/IR/HeteroEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "hetero/Dialect/Hetero/IR/HeteroAttrs.cpp.inc"

void HeteroDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "hetero/Dialect/Hetero/IR/HeteroAttrs.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// DeviceAttr
//===----------------------------------------------------------------------===//

LogicalResult DeviceAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 StringRef kind, int64_t ordinal, StringRef,
                                 StringRef, int64_t node) {
  if (kind.empty())
    return emitError() << "expected a device kind; write gpu:0, for example";
  if (ordinal < kAnyOrdinal)
    return emitError() << "expected a non-negative device ordinal, got "
                       << ordinal;
  if (ordinal > kLargestOrdinal)
    return emitError() << "expected a device ordinal of at most "
                       << kLargestOrdinal << ", got " << ordinal;
  if (node < 0 || node > kLargestNode)
    return emitError() << "expected a node from 0 to " << kLargestNode
                       << ", got " << node;
  return success();
}

/// Parses a number of any length, so that one that is too large is refused and
/// not cut off.
static ParseResult parseNumber(AsmParser &parser, StringRef what,
                               StringRef plural, int64_t largest,
                               int64_t &result) {
  SMLoc loc = parser.getCurrentLocation();
  APInt number;
  OptionalParseResult parsed = parser.parseOptionalInteger(number);
  if (!parsed.has_value() || failed(*parsed))
    return parser.emitError(loc, "expected a ") << what;
  if (number.isNegative())
    return parser.emitError(loc, "expected a non-negative ") << what;
  if (number.getActiveBits() > 32 || number.getSExtValue() > largest)
    return parser.emitError(loc, "expected a ")
           << what << " of at most " << largest << ", got "
           << llvm::toString(number, 10, /*Signed=*/false) << "; " << plural
           << " are counted from 0";
  result = number.getSExtValue();
  return success();
}

namespace {
/// What may follow a device's kind and ordinal.
struct DeviceFields {
  std::string unit, codegen;
  std::optional<int64_t> node;
};
} // namespace

/// Parses `, node = 1`, `, unit = "..."` and `, codegen = "..."` in any order.
static ParseResult parseDeviceFields(AsmParser &parser, DeviceFields &fields) {
  while (succeeded(parser.parseOptionalComma())) {
    StringRef key;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&key) || parser.parseEqual())
      return failure();
    bool isNode = key == "node";
    if (!isNode && key != "unit" && key != "codegen")
      return parser.emitError(loc, "unknown field '")
             << key << "'; the fields are 'node', 'unit' and 'codegen'";
    std::string &text = key == "unit" ? fields.unit : fields.codegen;
    if (isNode ? fields.node.has_value() : !text.empty())
      return parser.emitError(loc, "field '") << key << "' given twice";
    if (isNode ? parseNumber(parser, "node", "nodes", kLargestNode,
                             fields.node.emplace())
               : parser.parseString(&text))
      return failure();
  }
  return success();
}

Attribute DeviceAttr::parse(AsmParser &parser, Type) {
  StringRef kindKeyword;
  int64_t ordinal = kAnyOrdinal;
  DeviceFields fields;
  if (parser.parseLess() || parser.parseKeyword(&kindKeyword))
    return {};
  std::string kind = kindKeyword.str();
  if (succeeded(parser.parseOptionalColon()) &&
      parseNumber(parser, "device ordinal", "devices of a kind",
                  kLargestOrdinal, ordinal))
    return {};
  if (parseDeviceFields(parser, fields) || parser.parseGreater())
    return {};
  return DeviceAttr::get(parser.getContext(), kind, ordinal, fields.unit,
                         fields.codegen, fields.node.value_or(0));
}

/// "gpu:0".
static std::string getNameInNode(DeviceAttr device) {
  std::string text = device.getKind().str();
  if (device.hasOrdinal())
    text += ":" + std::to_string(device.getOrdinal());
  return text;
}

void DeviceAttr::print(AsmPrinter &printer) const {
  printer << '<' << getNameInNode(*this);
  if (getNode() != 0)
    printer << ", node = " << getNode();
  auto field = [&](StringRef name, StringRef value) {
    if (value.empty())
      return;
    printer << ", " << name << " = ";
    printer.printString(value);
  };
  field("unit", getUnit());
  field("codegen", getCodegen());
  printer << '>';
}

DeviceAttr DeviceAttr::getHost(MLIRContext *context) {
  return DeviceAttr::get(context, kHostKind, 0);
}

DeviceAttr DeviceAttr::with(StringRef unit, StringRef codegen) const {
  if (getUnit() == unit && getCodegen() == codegen)
    return *this;
  return DeviceAttr::get(getContext(), getKind(), getOrdinal(), unit, codegen,
                         getNode());
}

DeviceAttr DeviceAttr::onNode(int64_t node) const {
  return DeviceAttr::get(getContext(), getKind(), getOrdinal(), getUnit(),
                         getCodegen(), node);
}

bool DeviceAttr::comesBefore(DeviceAttr a, DeviceAttr b) {
  auto key = [](DeviceAttr device) {
    return std::tuple(device.getNode(), device.getKind(), device.getOrdinal(),
                      device.getUnit());
  };
  return key(a) < key(b);
}

std::string DeviceAttr::str() const {
  std::string text = getNameInNode(*this);
  if (getNode() != 0)
    text += "@" + std::to_string(getNode());
  return text;
}

DeviceAttr DeviceAttr::meet(DeviceAttr other) const {
  if (getKind() != other.getKind() || getNode() != other.getNode())
    return {};
  if (hasOrdinal() && other.hasOrdinal() && getOrdinal() != other.getOrdinal())
    return {};
  auto meetText = [](StringRef a, StringRef b) -> std::optional<StringRef> {
    if (!a.empty() && !b.empty() && a != b)
      return std::nullopt;
    return a.empty() ? b : a;
  };
  std::optional<StringRef> unit = meetText(getUnit(), other.getUnit());
  std::optional<StringRef> codegen = meetText(getCodegen(), other.getCodegen());
  if (!unit || !codegen)
    return {};
  int64_t ordinal = hasOrdinal() ? getOrdinal() : other.getOrdinal();
  return DeviceAttr::get(getContext(), getKind(), ordinal, *unit, *codegen,
                         getNode());
}

LogicalResult
DeviceAttr::verifyEncoding(ArrayRef<int64_t>, Type,
                           function_ref<InFlightDiagnostic()> emitError) const {
  if (!hasOrdinal()) // C1
    return emitError() << "expected a device with an ordinal as a tensor's "
                          "encoding, got "
                       << *this << "; write #hetero.device<" << getKind()
                       << ":0>";
  if (!getUnit().empty() || !getCodegen().empty()) // C2
    return emitError() << "expected a device without unit and codegen as a "
                          "tensor's encoding, got "
                       << *this << "; put them on the operation";
  if (isHost()) // C3
    return emitError() << "expected no encoding for a tensor on the host, got "
                       << *this << "; remove the encoding";
  return success();
}

//===----------------------------------------------------------------------===//
// Topology
//===----------------------------------------------------------------------===//

LogicalResult
DeviceSpecAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                       DeviceAttr device, std::optional<int64_t> memory,
                       int64_t compute, int64_t bandwidth, int64_t launch,
                       ArrayAttr types, Attribute, bool) {
  if (!device.hasOrdinal())
    return emitError() << "expected a device with an ordinal, got " << device
                       << "; write one device_spec per device";
  if (memory.value_or(1) <= 0 || compute <= 0 || bandwidth <= 0 || launch < 0)
    return emitError() << "expected positive memory, compute and bandwidth and "
                          "a non-negative launch time for "
                       << device.str() << "; correct its device_spec";
  if (types)
    for (Attribute type : types)
      if (!isa<TypeAttr>(type))
        return emitError() << "expected element types of " << device
                           << " to be types, got " << type;
  return success();
}

LogicalResult LinkAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               DeviceAttr from, DeviceAttr to,
                               int64_t bandwidth, int64_t latency, bool) {
  if (!from.hasOrdinal() || !to.hasOrdinal())
    return emitError() << "expected devices with ordinals at both ends of a "
                          "link, got "
                       << from << " and " << to;
  if (bandwidth <= 0 || latency < 0)
    return emitError() << "expected a positive bandwidth and a non-negative "
                          "latency for the link from "
                       << from.str() << " to " << to.str();
  return success();
}

LogicalResult NetworkAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                  int64_t bandwidth, int64_t latency) {
  if (bandwidth <= 0 || latency < 0)
    return emitError() << "expected a positive bandwidth and a non-negative "
                          "latency for the network between nodes";
  return success();
}

/// C5 for a link between two nodes.
static LogicalResult verifyNetwork(function_ref<InFlightDiagnostic()> emitError,
                                   LinkAttr link) {
  std::string ends = link.getFrom().str() + " to " + link.getTo().str();
  if (!link.getFrom().isHostOfNode() || !link.getTo().isHostOfNode())
    return emitError() << "expected a link between two nodes to join their "
                          "hosts, got "
                       << ends
                       << "; messages go from host to host, and copies between "
                          "other devices go through them";
  if (link.getUnified())
    return emitError() << "expected no unified link between two nodes, got "
                       << ends << "; nodes share no memory";
  return success();
}

LogicalResult TopologyAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   ArrayRef<DeviceSpecAttr> devices,
                                   ArrayRef<LinkAttr> links, NetworkAttr) {
  llvm::DenseSet<Attribute> known;
  bool hasHost = false;
  for (DeviceSpecAttr spec : devices) {
    hasHost |= spec.getDevice().isHost();
    if (!known.insert(spec.getDevice().getBare()).second) // C1
      return emitError() << "device " << spec.getDevice().str()
                         << " is listed twice in the topology; remove one";
  }
  if (!hasHost) // C2
    return emitError() << "expected the host cpu:0 among the topology's "
                          "devices; add a device_spec for it";
  for (DeviceSpecAttr spec : devices) {
    int64_t node = spec.getDevice().getNode();
    DeviceAttr host = DeviceAttr::getHost(spec.getContext()).onNode(node);
    if (!known.contains(host)) // C2
      return emitError() << "expected the host " << host.str() << " of "
                         << spec.getDevice().str()
                         << "'s node among the topology's devices; add a "
                            "device_spec for it";
  }
  llvm::DenseSet<std::pair<Attribute, Attribute>> pairs;
  for (LinkAttr link : links) {
    DeviceAttr from = link.getFrom().getBare(), to = link.getTo().getBare();
    if (from == to || !known.contains(from) || !known.contains(to)) // C3
      return emitError() << "expected a link between two different devices of "
                            "the topology, got "
                         << from.str() << " to " << to.str()
                         << "; correct the link or add a device_spec";
    if (!pairs.insert({from, to}).second) // C4
      return emitError() << "the link from " << from.str() << " to " << to.str()
                         << " is listed twice";
    if (from.getNode() != to.getNode() &&
        failed(verifyNetwork(emitError, link)))
      return failure();
  }
  return success();
}
