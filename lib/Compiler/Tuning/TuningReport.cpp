//===- TuningReport.cpp - Prints how a placement was tuned ----------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hetero/Compiler/Tuning/TuningReport.h"

#include "Compiler/Table.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir::hetero;
namespace json = llvm::json;

static std::string printTime(double seconds) {
  return llvm::formatv("{0:f1} us", seconds * 1e6);
}

/// By how much the prediction is above what was measured.
static std::string printError(double predicted, double measured) {
  if (measured <= 0)
    return "";
  double percent = (predicted / measured - 1) * 100;
  return llvm::formatv("{0}{1:f1} %", percent < 0 ? "" : "+", percent);
}

static void printParts(llvm::StringRef title, llvm::ArrayRef<TunedPart> parts,
                       bool hasPlace, llvm::raw_ostream &os) {
  if (parts.empty())
    return;
  Table table;
  std::vector<std::string> titles = {title.str()};
  if (hasPlace)
    titles.push_back("where");
  titles.insert(titles.end(), {"predicted", "measured", "error"});
  table.addRow(titles);
  for (const TunedPart &part : parts) {
    std::vector<std::string> row = {part.name};
    if (hasPlace)
      row.push_back(part.where);
    row.insert(row.end(), {printTime(part.predicted), printTime(part.measured),
                           printError(part.predicted, part.measured)});
    table.addRow(row);
  }
  table.print(os);
}

static void printDetails(const TunedPlacement &placement,
                         llvm::raw_ostream &os) {
  os << placement.name << ":\n";
  printParts("operation", placement.operations, /*hasPlace=*/true, os);
  printParts("copy", placement.copies, /*hasPlace=*/true, os);
  printParts("link", placement.links, /*hasPlace=*/false, os);
  printParts("device", placement.devices, /*hasPlace=*/false, os);
}

void mlir::hetero::printTuning(const Tuning &tuning, bool hasDetails,
                               llvm::raw_ostream &os) {
  os << "tuning: " << tuning.placements.size() << " placements, "
     << (tuning.isSettled ? "nothing changes any more" : "not settled")
     << ", kept " << tuning.getKept().name << "\n";
  Table table;
  table.addRow(
      {"placement", "predicted", "measured", "error", "a call", "operations"});
  for (const TunedPlacement &placement : tuning.placements) {
    if (placement.failure.empty())
      table.addRow({placement.name, printTime(placement.predicted),
                    printTime(placement.measured),
                    printError(placement.predicted, placement.measured),
                    printTime(placement.call), placement.counts});
    else
      table.addRow({placement.name, "", "", "", "", placement.failure});
  }
  table.print(os);
  if (!hasDetails)
    return;
  const TunedPlacement *first = nullptr, *last = nullptr;
  for (const TunedPlacement &placement : tuning.placements)
    if (placement.isRound) {
      first = first ? first : &placement;
      last = &placement;
    }
  printDetails(*first, os);
  if (last != first)
    printDetails(*last, os);
}

static void printJsonParts(json::OStream &os, llvm::StringRef key,
                           llvm::ArrayRef<TunedPart> parts) {
  os.attributeArray(key, [&] {
    for (const TunedPart &part : parts)
      os.object([&] {
        os.attribute("name", part.name);
        os.attribute("where", part.where);
        os.attribute("predicted_seconds", part.predicted);
        os.attribute("measured_seconds", part.measured);
      });
  });
}

void mlir::hetero::printTuningAsJson(const Tuning &tuning,
                                     llvm::raw_ostream &stream) {
  json::OStream os(stream);
  os.object([&] {
    os.attribute("kept", tuning.getKept().name);
    os.attribute("settled", tuning.isSettled);
    os.attribute("profile", tuning.profile);
    os.attributeArray("placements", [&] {
      for (const TunedPlacement &placement : tuning.placements)
        os.object([&] {
          os.attribute("name", placement.name);
          os.attribute("round", placement.isRound);
          if (!placement.failure.empty()) {
            os.attribute("failure", placement.failure);
            return;
          }
          os.attribute("predicted_seconds", placement.predicted);
          os.attribute("measured_seconds", placement.measured);
          os.attribute("call_seconds", placement.call);
          os.attribute("counts", placement.counts);
          printJsonParts(os, "operations", placement.operations);
          printJsonParts(os, "copies", placement.copies);
          printJsonParts(os, "links", placement.links);
          printJsonParts(os, "devices", placement.devices);
        });
    });
  });
}
