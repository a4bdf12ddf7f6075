#include "analyzer/execution/frames.h"

#include <algorithm>
#include <set>

#include "analyzer/summary/is_call.h"
#include "analyzer/summary/raises.h"

namespace ranklint {

constexpr size_t kFewOfMany = 3;  // candidates for a call, of which less than half communicate

Frames::Frames(const Query& query, const Summary& root, const AxisSet& group, ValueId members,
               std::optional<AxisSet> other, std::vector<ValueId> captures)
    : in_(query), group_(group), other_(std::move(other)), members_(members) {
  Frame frame;
  frame.summary = &root;
  frame.binding.function = root.function;
  frame.binding.captures = std::move(captures);
  frame.relevant.assign(root.blocks.size(), 0);
  frames_.push_back(std::move(frame));
  root_ = FrameId{0};
}

const std::vector<Target>& Frames::relevant_targets(FrameId frame, const Step& step) {
  const StepKey key = key_of(frame, step);
  if (auto known = targets_.find(key); known != targets_.end()) return known->second;
  std::vector<Target> found = find_targets(frame, step);
  return targets_[key] = std::move(found);
}

// Whether a function up the calls catches what the step throws.
bool Frames::is_handled(FrameId frame, const Step& step) const {
  const Site* site = in_.find_site(step.site);
  if (!site) return false;
  ir::BlockId block = site->block;
  while (frame.valid()) {
    const Frame& at = frames_[frame.index];
    const ir::Function& f = in_.index().function(at.summary->function);
    if (block.index < f.blocks.size() && f.blocks[block].handler.valid()) return true;
    block = at.back.block;
    frame = at.caller;
  }
  return false;
}

std::vector<Target> Frames::find_targets(FrameId frame, const Step& step) {
  std::vector<Target> found;
  if (step.event && step.guard.valid())
    found.push_back({.function = {}, .receiver = {}, .captures = {}, .guard = in_root(frame, step.guard)});
  if (!is_call(step)) return found;
  const std::vector<Target> candidates = in_.targets(in_root(frame, step.call.callee));
  candidates_[key_of(frame, step)] = static_cast<uint32_t>(candidates.size());
  for (const Target& target : candidates)
    if (const Summary* s = in_.summary(target.function); s && counts_in(frame, step, target, *s))
      found.push_back(target);
  // Of many classes that the object may be of, most do nothing here. A list may have elements of all of them.
  const bool is_element = !found.empty() && found.front().receiver.valid() &&
                          in_.values()[found.front().receiver].kind == ValueKind::Element;
  if (candidates.size() >= kFewOfMany && found.size() * 2 < candidates.size() && !is_element)
    for (Target& target : found) target.certainty = Confidence::Possible;
  return found;
}

// Whether something counts in the function that a call enters, or whether it raises to one of its callers.
bool Frames::counts_in(FrameId frame, const Step& step, const Target& target, const Summary& s) {
  if (with_messages_) return s.communicates || s.transfers;
  if (!s.communicates && !s.calls_unknown()) return is_handled(frame, step) && raises_by_rank(in_, target.function);
  const auto counts_as = [&](ValueId group) { return counts(*in_.resolve_group(group, Unknown::FreshAxis)); };
  const auto is_settled = [&](ValueId group) { return !group.valid() || in_.values()[group].closed; };
  const auto may_call = [&](ValueId callee) { return callee.valid() && in_.may_communicate(callee); };
  if (s.calls_captures && std::ranges::any_of(target.captures, may_call)) return true;
  if (std::ranges::any_of(s.groups, [&](ValueId group) { return is_settled(group) && counts_as(group); })) return true;
  if (s.calls_parameters == 0 && std::ranges::all_of(s.groups, is_settled)) return false;
  const Call call = in_.instantiate(step.call, frames_[frame.index].binding);
  const Binding binding = in_.bind(target, call, in_.extend_path(frames_[frame.index].binding.path, step.site));
  for (uint32_t p = 0; p < binding.parameters.size() && p < 32; ++p)
    if ((s.calls_parameters >> p & 1) &&
        (in_.values()[binding.parameters[p]].kind == ValueKind::Text || in_.may_communicate(binding.parameters[p])))
      return true;
  return std::ranges::any_of(
      s.groups, [&](ValueId group) { return !is_settled(group) && counts_as(in_.instantiate(group, binding)); });
}

const Step* Frames::step_at(const Position& at) {
  const Summary& s = *frames_[at.frame.index].summary;
  if (with_messages_) {
    const std::vector<const Step*>& steps = in_order(s, at.block);
    return at.step < steps.size() ? steps[at.step] : nullptr;
  }
  const auto& steps = s.blocks[at.block.index].steps;
  return at.step < steps.size() ? &steps[at.step] : nullptr;
}

// All steps of a block, those among them that send or receive.
const std::vector<const Step*>& Frames::in_order(const Summary& s, ir::BlockId block) {
  const auto [place, added] = in_order_.try_emplace({s.function.index, block.index});
  std::vector<const Step*>& all = place->second;
  if (!added) return all;
  for (const Step& step : s.blocks[block.index].steps) all.push_back(&step);
  for (const Step& step : s.blocks[block.index].point_to_point) all.push_back(&step);
  std::ranges::stable_sort(all, {}, [&](const Step* step) {
    return std::pair(in_.site(step->site).instruction, in_.site(step->site).part);
  });
  return all;
}

Assurance Frames::assurance(FrameId f) const {
  Assurance sure = certainty_of_calls(f);
  for (FrameId called = f; frames_[called.index].caller.valid(); called = frames_[called.index].caller) {
    const Frame& frame = frames_[called.index];
    if (frame.among < 2) continue;
    const FunctionKey caller = frames_[frame.caller.index].summary->function;
    sure.assume({.kind = AssumptionKind::CalleeAmongOverrides,
                 .subject = std::string(in_.index().qualified_name(frame.summary->function)),
                 .count = frame.among,
                 .place = {caller, frame.call_range}});
  }
  assume_receiver(f, sure);
  return sure;
}

// Of the calls that are no surer than the chain, the outermost. One of several that it may mean says so by itself.
void Frames::assume_receiver(FrameId f, Assurance& sure) const {
  const Confidence degree = frames_[f.index].certainty;
  if (degree == Confidence::Certain || degree == Confidence::Possible) return;
  FrameId entered = f;
  for (FrameId caller = frames_[f.index].caller; caller.valid() && frames_[caller.index].certainty == degree;
       caller = frames_[caller.index].caller)
    entered = caller;
  const Frame& frame = frames_[entered.index];
  if (frame.among > 1 || !frame.caller.valid()) return;
  sure.assume({.kind = AssumptionKind::CalleeByType,
               .subject = std::string(in_.index().qualified_name(frame.summary->function)),
               .place = {frames_[frame.caller.index].summary->function, frame.call_range}});
}

Assurance Frames::certainty_of_calls(FrameId f) const {
  if (frames_[f.index].certainty != Confidence::Possible) return frames_[f.index].certainty;
  // Of the calls that may enter many classes, the outermost.
  FrameId entered = f;
  for (FrameId caller = f; frames_[caller.index].certainty == Confidence::Possible;) {
    entered = caller;
    caller = frames_[caller.index].caller;
    if (!caller.valid()) break;
  }
  const FrameId caller = frames_[entered.index].caller;
  const FunctionKey in = caller.valid() ? frames_[caller.index].summary->function : FunctionKey{};
  return Doubt{Reason::OneOfManyClasses, {in, frames_[entered.index].call_range}};
}

ir::BlockId Frames::block_in(FrameId frame, Position p) const {
  while (p.frame.valid() && p.frame != frame) p = after_call(p.frame);
  return p.frame == frame ? p.block : ir::BlockId{};
}

bool Frames::relevant(FrameId frame, const Step& step) {
  if (step.event) return counts(event_group(frame, *step.event));
  if (step.transfer || step.waits) return with_messages_;
  if (step.ending != Ending::None || step.yields) return false;
  return !relevant_targets(frame, step).empty();
}

bool Frames::relevant_block(FrameId frame, ir::BlockId block) {
  uint8_t& known = frames_[frame.index].relevant[block.index];
  if (known) return known == 2;
  const Summary& s = *frames_[frame.index].summary;
  bool yes = false;
  if (s.blocks[block.index].may_communicate || s.calls_unknown())
    for (const Step& step : s.blocks[block.index].steps) yes = yes || relevant(frame, step);
  for (const Step& step : s.blocks[block.index].steps)
    yes |= step.yields && frames_[frame.index].part != Call::Part::Whole;
  frames_[frame.index].relevant[block.index] = yes ? 2 : 1;
  return yes;
}

bool Frames::decides(FrameId frame, ir::BlockId branch, bool exits_count) {
  const std::tuple key{frame.index, branch.index, exits_count};
  if (auto found = decides_.find(key); found != decides_.end()) return found->second;
  const Summary& s = *frames_[frame.index].summary;
  const ir::Function& f = in_.index().function(s.function);
  const ir::BlockId join = s.graph().join(branch);
  std::set<uint32_t> seen;  // not the branch itself: on the way round a loop what stands before it comes again
  std::vector<ir::BlockId> work;
  for (ir::BlockId next : FlowGraph::successors(f.blocks[branch])) work.push_back(next);
  bool result = false;
  while (!work.empty() && !result) {
    const ir::BlockId block = work.back();
    work.pop_back();
    if (block == join || !seen.insert(block.index).second) continue;
    if (relevant_block(frame, block)) result = true;
    const ir::Terminator& end = f.blocks[block].terminator;
    if (exits_count && end.kind == ir::TerminatorKind::Raise && !f.blocks[block].handler.valid()) result = true;
    for (const Step& step : s.blocks[block.index].steps) {
      const bool is_caught = step.ending == Ending::Function && f.blocks[block].handler.valid();
      if (is_caught) work.push_back(f.blocks[block].handler);
      result |= step.ending == Ending::Communication || step.ending == Ending::ProcessDone ||
                (step.ending == Ending::Function && !is_caught) || (exits_count && step.ending == Ending::Process);
    }
    for (ir::BlockId next : FlowGraph::successors(f.blocks[block])) work.push_back(next);
  }
  return decides_[key] = result;
}

bool Frames::is_earlier(const Position& at, const Position& other) const {
  // Out to the function that both are in, and of each what it has left for that, at last.
  Position a = at, b = other;
  FrameId from_a, from_b;
  const auto leave = [&](Position& p, FrameId& from) {
    from = p.frame;
    p = after_call(from);
    if (!p.at_end()) --p.step;
  };
  const auto depth = [&](const Position& p) { return p.at_end() ? -1 : frames_[p.frame.index].depth; };
  while (depth(a) > depth(b)) leave(a, from_a);
  while (depth(b) > depth(a)) leave(b, from_b);
  for (; a.frame != b.frame; leave(b, from_b)) leave(a, from_a);
  if (a.at_end()) return false;
  const auto place = [&](const Position& p, FrameId from) {
    const uint32_t block = frames_[p.frame.index].summary->graph().position(p.block);
    return std::tuple(block, p.step, p.admitted, from.valid() ? from.index + 1 : 0);
  };
  return place(a, from_a) < place(b, from_b);
}

size_t Frames::count_around(FrameId inner, FunctionKey function) const {
  size_t count = 0;
  for (; inner.valid(); inner = frames_[inner.index].caller)
    count += frames_[inner.index].summary->function == function;
  return count;
}

bool Frames::lies_around(FrameId outer, FrameId inner) const {
  while (inner.valid() && inner != outer) inner = frames_[inner.index].caller;
  return inner.valid();
}

Position Frames::enter(const Position& at, const Step& step, const Target& target) {
  if (step.event) {
    Position admitted = at;
    admitted.admitted = true;
    return admitted;
  }
  const Frame& from = frames_[at.frame.index];
  if (from.depth >= kDeepest) return {};
  const Summary* s = in_.summary(target.function);
  if (!s || s->blocks.empty()) return {};
  const std::tuple asked{key_of(at.frame, step), target.function, target.receiver, target.captures};
  const bool silent = step.call.part == Call::Part::AfterYield;
  if (auto known = entered_.find(asked); known != entered_.end()) return {known->second, ir::BlockId{0}, 0, silent};
  const Call call = in_.instantiate(step.call, from.binding);
  const uint32_t path = in_.extend_path(from.binding.path, step.site);
  Binding binding = in_.bind(target, call, path);
  const std::tuple key{at.frame.index,     step.site.index,  target.function.index,
                       binding.parameters, binding.captures, static_cast<int>(step.call.part)};
  auto [place, added] = known_.emplace(key, FrameId{static_cast<uint32_t>(frames_.size())});
  if (added) {
    Frame frame;
    frame.summary = s;
    frame.binding = std::move(binding);
    frame.caller = at.frame;
    frame.back = at;
    ++frame.back.step;
    frame.call_range = step.range;
    frame.part = step.call.part;
    frame.depth = from.depth + 1;
    frame.certainty = std::min(from.certainty, target.certainty);
    if (const auto among = candidates_.find(key_of(at.frame, step)); among != candidates_.end())
      frame.among = among->second;
    frame.relevant.assign(s->blocks.size(), 0);
    frames_.push_back(std::move(frame));
  }
  entered_.emplace(asked, place->second);
  return {place->second, ir::BlockId{0}, 0, silent};
}

}  // namespace ranklint
