//===- Stream.cpp - Streams of an emulated device -------------------------===//
//
// Part of the hetero project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulator/Device/Stream.h"

#include "Emulator/Execute/Schedule.h"

#include <atomic>
#include <thread>

using namespace hetero::emulator;

static std::atomic<uint64_t> nextNumber{0};

Stream::Stream(Context &context, bool blocking)
    : context(context), blocking(blocking), number(nextNumber++) {}

std::shared_ptr<Stream> Stream::create(Context &context, bool blocking) {
  auto stream = std::make_shared<Stream>(context, blocking);
  std::thread([stream] { stream->run(); }).detach();
  return stream;
}

void Stream::run() {
  std::unique_lock<std::mutex> lock(mutex);
  for (;;) {
    changed.wait(lock, [this] { return stopped || !tasks.empty(); });
    if (tasks.empty())
      return;
    std::shared_ptr<Marker> marker = std::move(tasks.front().second);
    {
      Task task = std::move(tasks.front().first);
      tasks.pop_front();
      uint64_t position = completed;
      lock.unlock();
      pauseBeforeTask(number, position);
      task();
    }
    lock.lock();
    ++completed;
    if (marker)
      marker->signal();
    changed.notify_all();
  }
}

uint64_t Stream::enqueue(Task task, std::shared_ptr<Marker> marker) {
  std::lock_guard<std::mutex> lock(mutex);
  tasks.emplace_back(std::move(task), std::move(marker));
  changed.notify_all();
  return ++submitted;
}

uint64_t Stream::last() {
  std::lock_guard<std::mutex> lock(mutex);
  return submitted;
}

void Stream::waitFor(uint64_t number) {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [&] { return completed >= number; });
}

bool Stream::isIdle() {
  std::lock_guard<std::mutex> lock(mutex);
  return completed == submitted;
}

void Stream::stop() {
  std::lock_guard<std::mutex> lock(mutex);
  stopped = true;
  changed.notify_all();
}

void Marker::signal() {
  std::lock_guard<std::mutex> lock(mutex);
  reached = true;
  when = Clock::now();
  changed.notify_all();
}

void Marker::wait() {
  std::unique_lock<std::mutex> lock(mutex);
  changed.wait(lock, [this] { return reached; });
}

bool Marker::isReached() {
  std::lock_guard<std::mutex> lock(mutex);
  return reached;
}

Marker::Clock::time_point Marker::time() {
  std::lock_guard<std::mutex> lock(mutex);
  return when;
}
