// What waits to be handled, in the order in which it came: messages of the client and results of the checker.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <variant>

#include "app/lsp/json.h"

namespace ranklint::app::lsp {

struct Outcome;  // app/lsp/checker.h
struct Loaded;

struct NoJson {};  // bytes that are none
struct EndOfInput {};
struct FramingTrouble {  // a message did not lie on the wire as it should (framing.h)
  std::string what;
};
struct Progress {  // of reading and checking a folder
  std::string root;
  unsigned percent = 0;
  std::string message;
};
struct KnownBefore {       // what an earlier check found in a folder that is still being read
  int64_t generation = 0;  // of the request to read it
  std::shared_ptr<Outcome> outcome;
};
struct FirstLook {         // what is found in an open file, with what it imports, before the folder has been checked
  int64_t generation = 0;  // of the last request to read the folder
  std::shared_ptr<Outcome> outcome;
};
using Incoming = std::variant<Json, NoJson, EndOfInput, FramingTrouble, Progress, KnownBefore, FirstLook,
                              std::shared_ptr<Loaded>, std::shared_ptr<Outcome>>;

class Inbox {
 public:
  void push(Incoming item) {
    const std::lock_guard lock(mutex_);
    if (const Json* message = std::get_if<Json>(&item);
        message && text_of(child(*message, "method")) == "$/cancelRequest")
      cancelled_.insert(child(*message, "params", "id"));
    items_.push_back(std::move(item));
    filled_.notify_one();
  }

  // Nothing when none came in that time.
  std::optional<Incoming> pop(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    if (!filled_.wait_for(lock, patience, [this] { return !items_.empty(); })) return std::nullopt;
    Incoming item = std::move(items_.front());
    items_.pop_front();
    return item;
  }

  bool empty() const {
    const std::lock_guard lock(mutex_);
    return items_.empty();
  }

  // Whether the client has taken the request back, also where that message is still waiting. Answers yes once.
  bool take_cancelled(const Json& id) {
    const std::lock_guard lock(mutex_);
    return cancelled_.erase(id) != 0;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable filled_;
  std::deque<Incoming> items_;
  std::set<Json> cancelled_;
};

}  // namespace ranklint::app::lsp
