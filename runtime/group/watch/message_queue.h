// Messages of one receiver whose other end has not come yet: sends that no receive fits and receives that no send fits,
// matched by (source, tag) in the order of their coming, non-overtaking. One rule for ranks that are threads and for
// ranks that are processes, which keep different things per end; `facts_of(end)` gives the Transfer of either.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>

#include "runtime/group/watch/transfer.h"

namespace ranklint::runtime {

inline const Transfer& facts_of(const std::shared_ptr<Transfer>& end) { return *end; }

template <typename Send, typename Receive>
class MessageQueue {
 public:
  // The first receive that fits, taken out; else nothing, and the send is moved in.
  std::optional<Receive> meet(Send& send) {
    std::optional<Receive> receive =
        take(receives_, [&](const Receive& each) { return may_meet(facts_of(send), facts_of(each)); });
    if (!receive) sends_.push_back(std::move(send));
    return receive;
  }
  // The first send that fits, taken out; else nothing, and the receive is moved in.
  std::optional<Send> answer(Receive& receive) {
    std::optional<Send> send =
        take(sends_, [&](const Send& each) { return may_meet(facts_of(each), facts_of(receive)); });
    if (!send) receives_.push_back(std::move(receive));
    return send;
  }

  const std::deque<Send>& sends() const { return sends_; }
  const std::deque<Receive>& receives() const { return receives_; }
  bool holds_sends() const { return !sends_.empty(); }
  bool holds_receives() const { return !receives_.empty(); }
  bool empty() const { return sends_.empty() && receives_.empty(); }

  // Takes an end back. False when it has been matched.
  bool withdraw(const Transfer& transfer) {
    const auto same = [&](const auto& each) { return &facts_of(each) == &transfer; };
    return std::erase_if(sends_, same) + std::erase_if(receives_, same) > 0;
  }

 private:
  template <typename End, typename Fits>
  static std::optional<End> take(std::deque<End>& ends, const Fits& fits) {
    const auto found = std::find_if(ends.begin(), ends.end(), fits);
    if (found == ends.end()) return std::nullopt;
    std::optional<End> end = std::move(*found);
    ends.erase(found);
    return end;
  }

  std::deque<Send> sends_;
  std::deque<Receive> receives_;
};

}  // namespace ranklint::runtime
