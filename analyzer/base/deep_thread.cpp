#include "analyzer/base/deep_thread.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>
#include <vector>

#include "analyzer/base/contain.h"
#include "analyzer/base/current_work.h"

namespace ranklint {

DeepThread::DeepThread(size_t stack, std::function<void()> body) : body_(std::move(body)) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, stack);
  const auto run = [](void* self) -> void* {
    static_cast<DeepThread*>(self)->go();
    return nullptr;
  };
  started_ = pthread_create(&thread_, &attributes, run, this) == 0;
  pthread_attr_destroy(&attributes);
}

DeepThread::~DeepThread() {
  if (started_ && !joined_) pthread_join(thread_, nullptr);
}

void DeepThread::go() noexcept {
  const SignalStack signals;
  const ContainmentScope scope;
  try {
    body_();
  } catch (...) {
    thrown_ = std::current_exception();
  }
}

void DeepThread::join() {
  if (!started_ || joined_) return;
  pthread_join(thread_, nullptr);
  joined_ = true;
  if (thrown_) std::rethrow_exception(thrown_);
}

void share_tasks(unsigned threads, size_t stack, size_t count, const std::function<void(size_t)>& task) {
  std::atomic<size_t> next = 0;
  const auto take = [&] {
    try {
      for (size_t i = next++; i < count; i = next++) task(i);
    } catch (...) {
      next = count;
      throw;
    }
  };
  std::vector<std::unique_ptr<DeepThread>> others;
  for (size_t t = 1; t < std::min<size_t>(threads, count); ++t)
    others.push_back(std::make_unique<DeepThread>(stack, take));
  take();
  for (const auto& other : others) other->join();
}

}  // namespace ranklint
