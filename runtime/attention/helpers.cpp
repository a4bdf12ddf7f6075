#include "runtime/attention/helpers.h"

#include <atomic>
#include <system_error>
#include <thread>
#include <utility>

namespace ranklint::runtime {

class Helpers::Helper {
 public:
  Helper() : thread_([this] { serve(); }) {}
  ~Helper() {
    end();
    tell(State::Leaving);
  }

  void begin(const std::function<void(int)>& work, int worker) {
    work_ = &work;
    worker_ = worker;
    tell(State::Asked);
  }

  // Takes the work back where it has not begun, else waits until it is done.
  void end() {
    State asked = State::Asked;
    if (state_.compare_exchange_strong(asked, State::Idle, std::memory_order_acq_rel)) return;
    while (state_.load(std::memory_order_acquire) == State::Working) std::this_thread::yield();
  }

 private:
  enum class State : int { Idle, Asked, Working, Leaving };

  void tell(State state) {
    state_.store(state, std::memory_order_release);
    state_.notify_one();
  }

  void serve() {
    for (;;) {
      state_.wait(State::Idle, std::memory_order_acquire);
      State now = State::Asked;
      if (state_.compare_exchange_strong(now, State::Working, std::memory_order_acq_rel)) {
        (*work_)(worker_);
        state_.store(State::Idle, std::memory_order_release);
      } else if (now == State::Leaving) {
        return;
      }
    }
  }

  std::atomic<State> state_{State::Idle};
  const std::function<void(int)>* work_ = nullptr;
  int worker_ = 0;
  std::jthread thread_;  // last: it uses the rest
};

Helpers::Helpers() = default;
Helpers::~Helpers() = default;

std::unique_ptr<Helpers::Helper> Helpers::take() {
  const std::lock_guard guard(mutex_);
  if (idle_.empty()) return std::make_unique<Helper>();
  std::unique_ptr<Helper> helper = std::move(idle_.back());
  idle_.pop_back();
  return helper;
}

void Helpers::run(int count, const std::function<void(int)>& work) {
  std::vector<std::unique_ptr<Helper>> taken;
  taken.reserve(static_cast<size_t>(count));
  try {
    while (taken.size() < static_cast<size_t>(count)) taken.push_back(take());
  } catch (const std::system_error&) {  // no thread to be had: fewer do it
  }
  for (size_t i = 0; i < taken.size(); ++i) taken[i]->begin(work, static_cast<int>(i) + 1);
  work(0);
  for (const std::unique_ptr<Helper>& helper : taken) helper->end();
  const std::lock_guard guard(mutex_);
  for (std::unique_ptr<Helper>& helper : taken) idle_.push_back(std::move(helper));
}

}  // namespace ranklint::runtime
