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
                                 StringRef kind, int64_t ordinal,
                                 StringRef unit, StringRef codegen) {
  if (kind.empty())
    return emitError() << "expected a device kind; write gpu:0, for example";
  if (ordinal < kAnyOrdinal)
    return emitError() << "expected a non-negative device ordinal, got "
                       << ordinal;
  if (ordinal > kLargestOrdinal)
    return emitError() << "expected a device ordinal of at most "
                       << kLargestOrdinal << ", got " << ordinal;
  return success();
}

/// Parses `, unit = "..."` and `, codegen = "..."` in any order.
static ParseResult parseDeviceFields(AsmParser &parser, std::string &unit,
                                     std::string &codegen) {
  while (succeeded(parser.parseOptionalComma())) {
    StringRef key;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&key) || parser.parseEqual())
      return failure();
    if (key != "unit" && key != "codegen")
      return parser.emitError(loc, "unknown field '")
             << key << "'; the fields are 'unit' and 'codegen'";
    std::string &field = key == "unit" ? unit : codegen;
    if (!field.empty())
      return parser.emitError(loc, "field '") << key << "' given twice";
    if (parser.parseString(&field))
      return failure();
  }
  return success();
}

/// Parses a number of any length, so that one that is too large is refused and
/// not cut off.
static ParseResult parseOrdinal(AsmParser &parser, int64_t &ordinal) {
  SMLoc loc = parser.getCurrentLocation();
  APInt number;
  OptionalParseResult parsed = parser.parseOptionalInteger(number);
  if (!parsed.has_value() || failed(*parsed))
    return parser.emitError(loc, "expected a device ordinal");
  if (number.isNegative())
    return parser.emitError(loc, "expected a non-negative device ordinal");
  if (number.getActiveBits() > 32 || number.getSExtValue() > kLargestOrdinal)
    return parser.emitError(loc, "expected a device ordinal of at most ")
           << kLargestOrdinal << ", got "
           << llvm::toString(number, 10, /*Signed=*/false)
           << "; devices of a kind are counted from 0";
  ordinal = number.getSExtValue();
  return success();
}

Attribute DeviceAttr::parse(AsmParser &parser, Type) {
  StringRef kindKeyword;
  int64_t ordinal = kAnyOrdinal;
  std::string unit, codegen;
  if (parser.parseLess() || parser.parseKeyword(&kindKeyword))
    return {};
  std::string kind = kindKeyword.str();
  if (succeeded(parser.parseOptionalColon())) {
    if (parseOrdinal(parser, ordinal))
      return {};
  }
  if (parseDeviceFields(parser, unit, codegen) || parser.parseGreater())
    return {};
  return DeviceAttr::get(parser.getContext(), kind, ordinal, unit, codegen);
}

void DeviceAttr::print(AsmPrinter &printer) const {
  printer << '<' << str();
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

DeviceAttr DeviceAttr::getBare() const {
  if (getUnit().empty() && getCodegen().empty())
    return *this;
  return DeviceAttr::get(getContext(), getKind(), getOrdinal());
}

std::string DeviceAttr::str() const {
  std::string text = getKind().str();
  if (hasOrdinal())
    text += ":" + std::to_string(getOrdinal());
  return text;
}

DeviceAttr DeviceAttr::meet(DeviceAttr other) const {
  if (getKind() != other.getKind())
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
  return DeviceAttr::get(getContext(), getKind(), ordinal, *unit, *codegen);
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

LogicalResult TopologyAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   ArrayRef<DeviceSpecAttr> devices,
                                   ArrayRef<LinkAttr> links) {
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
  }
  return success();
}
