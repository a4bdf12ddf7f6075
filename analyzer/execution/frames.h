// Positions in a program as the comparison walks it: a stack of calls, entered only when it must be.
//
// A frame is a function being run with its arguments, written in the terms of the root function of the walk, so
// that conditions of a callee five calls down are conditions of the root. Two ranks that make the same call with
// the same arguments are in the same frame; positions are equal exactly when their numbers are.
#pragma once

#include <deque>
#include <map>

#include "analyzer/execution/path_condition.h"
#include "analyzer/execution/residual.h"

namespace ranklint {

using FrameId = Id<struct FrameTag>;

struct Position {
  FrameId frame;
  ir::BlockId block;
  uint32_t step = 0;
  bool silent = false;    // it leaves after a context manager's yield; before it nothing counts
  bool entering = false;  // at the head of a loop, on the way in
  bool admitted = false;  // before a step with a guard, which holds for this rank

  bool at_end() const { return !frame.valid(); }
  void pass_step() {
    ++step;
    admitted = false;
  }
  friend auto operator<=>(const Position&, const Position&) = default;
};

struct Frame {
  const Summary* summary = nullptr;
  Binding binding;
  FrameId caller;
  Position back;           // where the caller goes on
  SourceRange call_range;  // in the caller
  Call::Part part = Call::Part::Whole;
  int depth = 0;
  Confidence certainty = Confidence::Certain;  // of the whole chain of resolutions
  uint32_t among = 1;                          // how many functions its call may mean
  std::vector<uint8_t> relevant;               // per block: 0 unknown, 1 no, 2 yes
};

class Frames {
 public:
  static constexpr int kDeepest = 24;

  // Walks on behalf of one group: only what may communicate on it counts.
  // `members`: the list its members were taken from, if known. `other`: a second group that counts as well.
  // `captures`: what the closure variables of the root hold, where it is the wrapper that a decorator made.
  Frames(const Query& query, const Summary& root, const AxisSet& group, ValueId members,
         std::optional<AxisSet> other = {}, std::vector<ValueId> captures = {});

  // Walks on behalf of every group there is.
  Frames(const Query& query, const Summary& root, std::vector<ValueId> captures)
      : Frames(query, root, {}, {}, {}, std::move(captures)) {
    every_ = true;
  }

  // The same, with the messages that are sent and received. All branches have to be asked: what lies between them is
  // not searched for messages.
  struct WithMessages {};
  Frames(const Query& query, const Summary& root, WithMessages) : Frames(query, root, std::vector<ValueId>()) {
    with_messages_ = true;
  }

  const AxisSet& group() const { return group_; }
  bool of_two_groups() const { return other_.has_value(); }
  ValueId members() const { return members_; }
  Position start() const { return {root_, ir::BlockId{0}, 0, false}; }
  const Frame& operator[](FrameId f) const { return frames_[f.index]; }
  // Where the caller of a frame goes on. At the end: it is the root's.
  Position after_call(FrameId f) const {
    const Frame& frame = frames_[f.index];
    return frame.caller.valid() ? frame.back : Position{};
  }
  // How sure the calls are that lead to the frame, and which of them may mean other functions.
  Assurance assurance(FrameId f) const;
  // The step that comes next at the position. Null: it is after the last step of its block.
  const Step* step_at(const Position& at);
  // Where in a frame a position lies, or the call that leads there. Invalid: not below it.
  ir::BlockId block_in(FrameId frame, Position p) const;

  ValueId in_root(FrameId frame, ValueId v) { return v.valid() ? in_.instantiate(v, frames_[frame.index].binding) : v; }
  AxisSet event_group(FrameId frame, const Event& event) {
    return *in_.resolve_group(in_root(frame, event.group), Unknown::FreshAxis);
  }

  // The functions a call step may enter in which something counts. Of an event that has a guard: one target with that
  // guard and no function.
  const std::vector<Target>& relevant_targets(FrameId frame, const Step& step);
  bool relevant(FrameId frame, const Step& step);
  bool relevant_block(FrameId frame, ir::BlockId block);
  // Whether anything that counts, or anything that leaves the function unusually, lies between a branch and its join.
  bool decides(FrameId frame, ir::BlockId branch, bool exits_count);

  // Whether the code at the one comes before the code at the other: what a call leads to lies between the call and what
  // follows it.
  bool is_earlier(const Position& at, const Position& other) const;
  // How many of the frame and those that called it are of the function.
  size_t count_around(FrameId inner, FunctionKey function) const;
  // Whether the outer frame is the inner one or one of those that called it.
  bool lies_around(FrameId outer, FrameId inner) const;

  // Enters a target of the call at `at`, or comes to the event that its guard lets in. At the end when calls nest too
  // deeply.
  Position enter(const Position& at, const Step& step, const Target& target);

 private:
  bool counts(const AxisSet& group) const { return every_ || group == group_ || (other_ && group == *other_); }

  const Query& in_;
  AxisSet group_;
  std::optional<AxisSet> other_;
  ValueId members_;
  bool every_ = false;
  bool with_messages_ = false;
  FrameId root_;
  std::deque<Frame> frames_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t, std::vector<ValueId>, std::vector<ValueId>, int>, FrameId> known_;
  // Steps are met again and again, each time with the same answers: by frame, site and part of the call.
  using StepKey = std::tuple<uint32_t, uint32_t, uint32_t>;
  static StepKey key_of(FrameId frame, const Step& step) {
    return {frame.index, step.site.index, static_cast<uint32_t>(step.call.part)};
  }
  std::vector<Target> find_targets(FrameId frame, const Step& step);
  bool counts_in(FrameId frame, const Step& step, const Target& target, const Summary& summary);
  const std::vector<const Step*>& in_order(const Summary& s, ir::BlockId block);
  std::map<std::pair<uint32_t, uint32_t>, std::vector<const Step*>> in_order_;  // by function and block
  bool is_handled(FrameId frame, const Step& step) const;
  Assurance certainty_of_calls(FrameId f) const;
  void assume_receiver(FrameId f, Assurance& sure) const;
  std::map<StepKey, std::vector<Target>> targets_;
  std::map<StepKey, uint32_t> candidates_;  // how many functions the call may mean
  std::map<std::tuple<StepKey, FunctionKey, ValueId, std::vector<ValueId>>, FrameId> entered_;
  std::map<std::tuple<uint32_t, uint32_t, bool>, bool> decides_;
};

}  // namespace ranklint
