// Threads with a stack as deep as their work asks for, and work that several of them share.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <exception>
#include <functional>

namespace ranklint {

// Runs its body at once. A bug of ours in it is contained as on any thread (analyzer/base/contain.h).
class DeepThread {
 public:
  DeepThread(size_t stack, std::function<void()> body);
  ~DeepThread();
  DeepThread(const DeepThread&) = delete;
  DeepThread& operator=(const DeepThread&) = delete;

  // False: the system has no room for such a thread, and the body is not run.
  bool started() const { return started_; }
  // Waits for the end of the body, and throws what it threw.
  void join();

 private:
  void go() noexcept;

  std::function<void()> body_;
  std::exception_ptr thrown_ = nullptr;
  pthread_t thread_{};
  bool started_ = false, joined_ = false;
};

// Calls task(i) for each i below `count`, in no order, on this thread and on up to `threads` - 1 others with such a
// stack. If a task throws, no further task is started, and the exception is thrown again here.
void share_tasks(unsigned threads, size_t stack, size_t count, const std::function<void(size_t)>& task);

}  // namespace ranklint
