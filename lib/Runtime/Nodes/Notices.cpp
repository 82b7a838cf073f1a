//===- Notices.cpp - Short texts between ranks ----------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runtime/Nodes/Notices.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

using namespace hetero::runtime;

/// As it crosses; of the text as much as there is room for.
struct Notices::Message {
  int32_t kind;
  int32_t nodes;
  uint64_t hash;
  char text[1008];
};

void Notices::tell(int32_t rank, Kind kind, const ProgramNotice &program,
                   const std::string &text) {
  Message message{kind, program.nodes, program.hash, {}};
  size_t length = std::min(text.size(), sizeof message.text);
  std::memcpy(message.text, text.data(), length);
  transport.notify(transport.context, rank, &message,
                   static_cast<int64_t>(offsetof(Message, text) + length));
}

void Notices::tellProgram(const ProgramNotice &program) {
  tell(0, Program, program, "");
}

void Notices::tellVerdict(int32_t rank, const std::string &text) {
  tell(rank, Verdict, {}, text);
}

void Notices::tellFailure(const std::string &text) {
  for (int32_t rank = 0; rank < transport.size; ++rank)
    if (rank != transport.rank)
      tell(rank, Failure, {}, text);
}

void Notices::tellLeft(int32_t rank) {
  tell(rank, Left, {/*nodes=*/failedRank, 0}, failure);
}

void Notices::askWait(int32_t rank) {
  waits[rank].reset();
  tell(rank, Question, {}, "");
}

void Notices::answerWaits(const WaitNotice &wait) {
  for (int32_t rank : questions)
    tell(rank, Answer, {/*nodes=*/wait.rank, 0}, wait.what);
  questions.clear();
}

void Notices::read() {
  Message message;
  int32_t rank;
  for (;;) {
    int64_t bytes = transport.takeNotice(transport.context, &rank, &message,
                                         sizeof message);
    if (bytes < 0)
      return;
    if (bytes >= static_cast<int64_t>(offsetof(Message, text)))
      take(rank, message, bytes);
  }
}

void Notices::take(int32_t rank, const Message &message, int64_t bytes) {
  std::string text(message.text, bytes - offsetof(Message, text));
  switch (message.kind) {
  case Program:
    programs[rank] = {message.nodes, message.hash};
    return;
  case Verdict:
    verdict = text;
    return;
  case Failure:
    return noteFailure(rank, text);
  case Left:
    hasLeft[rank] = true;
    if (message.nodes >= 0 && message.nodes != transport.rank)
      noteFailure(message.nodes, text);
    return;
  case Question:
    questions.push_back(rank);
    return;
  case Answer:
    if (message.nodes >= 0 && message.nodes < transport.size)
      waits[rank] = {message.nodes, text};
    return;
  }
}

void Notices::noteFailure(int32_t rank, const std::string &text) {
  if (failedRank >= 0)
    return;
  failedRank = rank;
  failure = text;
}

void Notices::forgetPrograms() {
  std::fill(programs.begin(), programs.end(), std::nullopt);
}

std::optional<std::string> Notices::takeVerdict() {
  std::optional<std::string> taken = std::move(verdict);
  verdict.reset();
  return taken;
}
