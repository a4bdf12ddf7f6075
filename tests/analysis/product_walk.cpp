// Walks two ranks through one function and enters every call: where they diverge, what each issues, where they
// converge, and which of them is left waiting for the other. How sure a mismatch is does not count here.
#include <catch2/catch.hpp>

#include <algorithm>

#include "analyzer/execution/compared_worlds.h"
#include "analyzer/product/lockstep.h"
#include "tests/analysis/produced.h"

namespace ranklint::test {

namespace {

std::string_view word_of(PathStep::Outcome exit) {
  switch (exit) {
    case PathStep::Outcome::Raise: return "raise";
    case PathStep::Outcome::Break: return "break";
    case PathStep::Outcome::Continue: return "continue";
    case PathStep::Outcome::ExitProcess: return "exit";
    case PathStep::Outcome::End: return "end";
    default: return "return";
  }
}

constexpr size_t kMostStates = 3000;

class ProductWalk {
 public:
  ProductWalk(const Subject& subject, const Walk& walk, std::vector<Fact>& facts)
      : in_(subject.in), subject_(subject), walk_(walk), facts_(facts) {}

  void add() {
    const Summary& root = *summary_of(walk_.function);
    ComparedWorlds worlds(in_);
    AxisSet axes;
    worlds.collect_axes(root, axes);
    const std::vector<UsedGroup> groups = worlds.groups_of(root);
    const auto group = std::ranges::find_if(groups, [&](const UsedGroup& g) { return name(g.axes) == walk_.group; });
    INFO(subject_.file.path << ":" << walk_.line << ": no group `" << walk_.group << "` in `" << walk_.function << "`");
    REQUIRE(group != groups.end());
    if (!group->axes.world) axes.add(group->axes);
    const auto world = worlds.world_of(axes, groups, {});
    const std::vector<uint32_t> members = world->members(0, group->axes);
    REQUIRE(std::max(walk_.a, walk_.b) < members.size());
    Frames frames(in_, root, group->axes, group->members);
    Scenario a(in_, *world, members[walk_.a]), b(in_, *world, members[walk_.b]);
    const std::function<bool(FunctionKey)> enter_every_call = [](FunctionKey) { return true; };
    Lockstep lockstep(in_, frames, a, b, walk_.a == walk_.b, enter_every_call);
    std::vector<WalkEvent> events;
    lockstep.trace(events);
    const LockstepResult result = lockstep.run(kMostStates);
    CHECK_FALSE(result.exhausted);
    root_ = subject_.lines(root.function);
    for (const WalkEvent& event : events) add_event(frames, event);
    for (const LockstepResult::Found& found : result.found) add_mismatch(found, found.trace.first.rank == a.rank());
  }

 private:
  const Summary* summary_of(const std::string& function) const {
    for (const FunctionKey f : in_.functions_to_check())
      if (in_.index().qualified_name(f) == function) return in_.summary(f);
    FAIL(subject_.file.path << ":" << walk_.line << ": no function `" << function << "`");
    return nullptr;
  }

  std::string name(const AxisSet& group) const { return describe(group, in_.index().names()); }

  std::string one() const { return walk_.a == walk_.b ? "one" : "rank " + std::to_string(walk_.a); }
  std::string other() const { return walk_.a == walk_.b ? "the other" : "rank " + std::to_string(walk_.b); }

  // A fact on a line of another function than the walk's own names the walk.
  void state(uint32_t line, std::string text) {
    const bool is_own = root_.head <= line && line <= root_.blocks.back().code.back();
    facts_.push_back({line, (is_own ? "" : walk_.function + ": ") + text});
  }

  static const Step& step_at(const Frames& frames, const Position& p) {
    return frames[p.frame].summary->blocks[p.block.index].steps[p.step];
  }

  uint32_t line_of(const Frames& frames, const Position& p) const {
    const Summary& s = *frames[p.frame].summary;
    const BlockLines& block = subject_.lines(s.function).blocks[p.block.index];
    return p.step < s.blocks[p.block.index].steps.size() ? step_at(frames, p).range.line : block.code.back();
  }

  std::string operation(const Frames& frames, const Position& p) const {
    const Step& step = step_at(frames, p);
    if (step.event) return step.event->model->op;
    std::string names;
    for (const Target& target : in_.targets(step.call.callee))
      names += (names.empty() ? "" : " or ") + std::string(in_.index().qualified_name(target.function));
    return names;
  }

  void add_event(const Frames& frames, const WalkEvent& event) {
    switch (event.kind) {
      case WalkEvent::Kind::Diverge: state(line_of(frames, event.a), "diverge"); break;
      case WalkEvent::Kind::Converge: {
        const bool at_head = event.a.step == 0;
        const FunctionLines& function = subject_.lines(frames[event.a.frame].summary->function);
        state(at_head ? function.blocks[event.a.block.index].label : line_of(frames, event.a), "converge");
        break;
      }
      case WalkEvent::Kind::Issue:
      case WalkEvent::Kind::Call: {
        const bool calls = event.kind == WalkEvent::Kind::Call;
        if (event.a == event.b) {
          state(line_of(frames, event.a), (calls ? "both call " : "both issue ") + operation(frames, event.a));
          break;
        }
        state(line_of(frames, event.a), one() + (calls ? " calls " : " issues ") + operation(frames, event.a));
        state(line_of(frames, event.b), other() + (calls ? " calls " : " issues ") + operation(frames, event.b));
        break;
      }
    }
  }

  // What was decided on the way to the mismatch, by both alike or by the one that waits.
  std::string knowing(const DecisionTrace& trace) const {
    std::string list;
    const auto text = [&](ValueId term) { return term_text(in_, term); };
    const auto add = [&](const PathCondition& choices) {
      for (const auto& [term, holds] : choices.all())
        list += (list.empty() ? " knowing " : ", ") + (holds ? text(term) : "not (" + text(term) + ")");
    };
    add(trace.shared);
    add(trace.first.own);
    return list;
  }

  void add_mismatch(const LockstepResult::Found& found, bool first_is_one) {
    const Mismatch& m = found.mismatch;
    if (!m.first_argument.empty() || !m.second_argument.empty()) {
      state(m.guard.line, "they disagree: " + m.first_argument + ", " + m.second_argument);
      return;
    }
    add_arrival(m, m.first, first_is_one ? one() : other(), knowing(found.trace));
    add_arrival(m, m.second, first_is_one ? other() : one(), "");
  }

  void add_arrival(const Mismatch& m, const Arrival& arrival, const std::string& who, const std::string& knowing) {
    if (arrival.steps.empty()) return state(m.guard.line, who + " never comes");
    const PathStep& last = arrival.steps.back();
    if (arrival.at_collective)
      state(last.range.line, who + " waits in " + arrival.op + knowing);
    else if (last.kind == PathStep::Kind::Exit)
      state(last.range.line, who + " ends by " + std::string(word_of(last.outcome)));
    else
      state(m.guard.line, who + " never comes");
  }

  const Query& in_;
  const Subject& subject_;
  const Walk& walk_;
  std::vector<Fact>& facts_;
  FunctionLines root_;
};

}  // namespace

void add_walks(const Subject& subject, std::vector<Fact>& facts) {
  INFO(subject.file.path << ": expected a line `; walk: FUNCTION on GROUP as RANK and RANK`");
  REQUIRE_FALSE(subject.file.walks.empty());
  for (const Walk& walk : subject.file.walks) ProductWalk(subject, walk, facts).add();
}

}  // namespace ranklint::test
