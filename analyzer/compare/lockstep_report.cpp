// Two classes of ranks that do not agree, as a mismatch: who waits, who does something else or has left, on which
// ways, and how certain that is.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "analyzer/compare/asked_models.h"
#include "analyzer/compare/doubts.h"
#include "analyzer/compare/flags.h"
#include "analyzer/compare/listed_ranks.h"
#include "analyzer/compare/lockstep.h"
#include "analyzer/compare/made_meanwhile.h"
#include "analyzer/compare/numbers.h"
#include "analyzer/compare/witness_doubts.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/variance/terms.h"

namespace ranklint {

std::string Lockstep::describe_ranks(const Parting& parting, bool of_a) const {
  ValueStore& values = in_.values();
  const AxisSet& axes = values.variance(parting.condition);
  const uint32_t rank = scenario(of_a).rank();
  if (parting.local) return of_a == parting.a_first ? "a rank where the condition holds" : "a rank where the condition does not hold";
  const std::string name = describe(axes, in_.index().names());
  // Of two that are both not the first, each is called by its number.
  const bool numbered = scenario_a_.coordinate(axes) != 0 && scenario_b_.coordinate(axes) != 0;
  const std::string number = std::to_string(scenario(of_a).coordinate(axes));
  const bool first = rank == 0;
  if (axes.world || axes.empty()) return numbered ? "rank " + number : first ? "rank 0" : "the other ranks";
  if (name.find('?') != name.npos) return first ? "rank 0 of the group" : "the other ranks of the group";
  if (numbered) return name + " rank " + number;
  if (name == "local") return first ? "local rank 0" : "the other local ranks";
  return first ? name + " rank 0" : "the other " + name + " ranks";
}

std::string Lockstep::group_name(FrameId frame, const Step& step) {
  return describe(frames_.event_group(frame, *step.event), in_.index().names());
}

Arrival Lockstep::arrival(const State& state, bool of_a, bool at_event) {
  Arrival out;
  out.rank = of_a ? scenario_a_.rank() : scenario_b_.rank();
  out.ranks = describe_ranks(*state.parting, of_a);
  const int base = frames_[state.parting->at.frame].depth;
  auto add = [&](const Note& note) {
    PathStep step;
    step.kind = note.kind;
    step.function = frames_[note.frame].summary->function;
    step.range = note.range;
    step.nesting = frames_[note.frame].depth - base;
    step.what = note.what;
    step.group = note.group;
    out.steps.push_back(std::move(step));
  };
  std::vector<const Trail*> trail;
  for (TrailId t = state.trail; t.valid(); t = trails_[t].before)
    if (trails_[t].of_a == of_a) trail.push_back(&trails_[t]);
  for (auto it = trail.rbegin(); it != trail.rend(); ++it) add((*it)->note);
  const Position& p = of_a ? state.a : state.b;
  const SourceRange exit = of_a ? state.a_exit : state.b_exit;
  if (at_event) {
    const Step& step = step_at(p);
    out.at_collective = true;
    out.op = step.event->model->op;
    out.about = step.event->model->about;
    out.called = last_part(step.event->model->name);
    out.creates_group = step.event->model->kind == ModelKind::GroupCreate || step.event->model->kind == ModelKind::Setup;
    for (FrameId f = p.frame; f.valid() && f != state.parting->at.frame; f = frames_[f].caller) {
      const FunctionKey function = frames_[f].summary->function;
      out.in_generator |= in_.index().function(function).is_generator && !in_.is_context_manager(function);
    }
    add({PathStep::Kind::Collective, p.frame, step.range, out.op, group_name(p.frame, step)});
  } else if (exit.known()) {
    add({PathStep::Kind::Exit, state.parting->at.frame, exit, (of_a ? state.a_left : state.b_left) ? "raise" : "return", {}});
  }
  return out;
}

// `if rank == i` in a loop over all ranks: each enters once. Also where more is asked for: `rank == i or not in_turns`.
bool Lockstep::takes_turns(ValueId condition) const {
  const ValueStore& values = in_.values();
  const Value& v = values[condition];
  if (v.kind == ValueKind::And || v.kind == ValueKind::Or)
    return std::ranges::any_of(values.children(condition), [&](ValueId part) { return takes_turns(part); });
  if (v.kind != ValueKind::Binary || (v.op != ir::Operator::Equal && v.op != ir::Operator::NotEqual)) return false;
  return values[values.child(condition, 0)].kind == ValueKind::Element || values[values.child(condition, 1)].kind == ValueKind::Element;
}

// `if (lower > upper + 1) { error_in_arg(2); return error_flag; }`: what raises in C.
bool Lockstep::refuses_arguments(const Parting& parting, bool of_a) const {
  const FunctionKey key = frames_[parting.at.frame].summary->function;
  const ir::Module& module = in_.index().modules()[in_.index().functions()[key].module];
  const ir::Function& f = in_.index().function(key);
  const ir::BlockId side = of_a ? parting.side_a : parting.side_b;
  const ir::ExprId guard = f.blocks[parting.at.block].terminator.value;
  if (module.language != "cpp" || !side.valid() || !guard.valid() || f.exprs[guard].kind != ir::ExprKind::Binary) return false;
  using enum ir::Operator;
  const ir::Operator op = f.exprs[guard].op;
  if (op != Less && op != LessEqual && op != Greater && op != GreaterEqual) return false;
  if (f.blocks[side].terminator.kind != ir::TerminatorKind::Return) return false;
  return std::ranges::any_of(f.blocks[side].instructions, [&](const ir::Instruction& i) {
    if (i.kind != ir::InstructionKind::Call || f.exprs[i.value].kind != ir::ExprKind::Name) return false;
    const std::string_view callee = module.text(f.exprs[i.value].symbol);
    return callee.find("error") != callee.npos || callee.find("Error") != callee.npos || callee.find("ERROR") != callee.npos;
  });
}

// The root of a step's collective, in terms of a frame's root where one is given; none: it has none, or it is not known. 0 where
// nobody says.
std::optional<int64_t> Lockstep::root_of(const Step& step, FrameId frame) const {
  if (!step.event || !step.event->model->root.present()) return std::nullopt;
  if (!step.event->root.valid()) return 0;
  int64_t root = 0;
  return in_.values().integer_of(frame.valid() ? frames_.in_root(frame, step.event->root) : step.event->root, root) ? std::optional(root) : std::nullopt;
}

// Another rank's broadcast tells the class something.
bool Lockstep::is_told(const Step& step, bool of_a, FrameId frame) const {
  const std::optional<int64_t> root = root_of(step, frame);
  return root && scenario(of_a).rank() != static_cast<uint64_t>(*root);
}

// `while True:`, as against a loop through something that all ranks may have.
bool Lockstep::goes_round_until_told(const Summary& s, ir::BlockId header) const {
  return s.graph.is_loop_header(header) && in_.index().function(s.function).blocks[header].terminator.kind != ir::TerminatorKind::Iterate;
}

// Whether the class is told something in the loop, by another rank's broadcast, that decides when it ends.
bool Lockstep::is_told_in_loop(const Summary& s, ir::BlockId header, bool of_a) const {
  return goes_round_until_told(s, header) && std::ranges::any_of(s.graph.loop_blocks(header), [&](ir::BlockId b) {
    return std::ranges::any_of(s.blocks[b.index].steps, [&](const Step& step) { return is_told(step, of_a); });
  });
}

// The ranks that serve wait in a loop for the root's command, and for what goes with it. Where the root leaves without one, it
// gives them in a server's callback, where this walk does not look.
bool Lockstep::waits_for_command(Position at, const Position& parting, bool of_a) const {
  const bool is_command = is_told(step_at(at), of_a, at.frame);
  for (;; at = frames_[at.frame].back) {
    const Summary& s = *frames_[at.frame].summary;
    for (ir::BlockId header : s.graph.order()) {
      if (!s.graph.lies_in_loop(at.block, header) || (at.frame == parting.frame && s.graph.lies_in_loop(parting.block, header))) continue;
      if ((is_command && goes_round_until_told(s, header)) || is_told_in_loop(s, header, of_a)) return true;
    }
    if (at.frame == parting.frame || !frames_[at.frame].caller.valid()) return false;
  }
}

// The same from the root's end: it waits with a command, and the others have left their loop. When they leave is what it told
// them, which the walk does not know.
bool Lockstep::commands(const Position& waiting, const Parting& parting, bool of_a) const {
  const std::optional<int64_t> root = root_of(step_at(waiting), waiting.frame);
  if (!root || scenario(of_a).rank() != static_cast<uint64_t>(*root)) return false;
  const Summary& s = *frames_[parting.at.frame].summary;
  const ir::BlockId served = of_a ? parting.side_b : parting.side_a;
  if (!served.valid()) return false;
  const ProjectIndex& index = in_.index();
  const ModuleKey module = index.functions()[s.function].module;
  const auto obeys = [&](FunctionKey f) {
    const Summary* callee = in_.summary(f);
    return callee && callee->communicates && std::ranges::any_of(callee->graph.order(), [&](ir::BlockId header) { return is_told_in_loop(*callee, header, !of_a); });
  };
  // By its name: whose method it is need not be known.
  const auto calls_servant = [&](const ir::Instruction& i) {
    const ir::Expr* called = i.kind == ir::InstructionKind::Call ? &index.function(s.function).exprs[i.value] : nullptr;
    const bool named = called && (called->kind == ir::ExprKind::Name || called->kind == ir::ExprKind::Attribute);
    return named && std::ranges::any_of(index.methods_named(index.name(module, called->symbol)), obeys);
  };
  return std::ranges::any_of(s.graph.order(), [&](ir::BlockId b) {
    return s.graph.dominates(served, b) &&
           (is_told_in_loop(s, b, !of_a) || std::ranges::any_of(index.function(s.function).blocks[b].instructions, calls_servant));
  });
}

bool Lockstep::on_every_path(const Position& p) const {
  if (frames_[p.frame].caller.valid() && !on_every_path(frames_[p.frame].back)) return false;
  const FlowGraph& graph = frames_[p.frame].summary->graph;
  for (ir::BlockId above = graph.dominator(p.block); above.valid(); above = graph.dominator(above)) {
    if (code(p.frame).blocks[above].terminator.kind != ir::TerminatorKind::Branch) continue;
    const ir::BlockId join = graph.join(above);
    if (!join.valid() || !graph.dominates(join, p.block)) return false;
  }
  return true;
}

// Whether it was decided on the way that another strategy of sharding is in use than one that communicates.
bool Lockstep::asks_strategy(const State& state) const {
  const auto text_of = [&](ValueId condition) { return in_.values().describe(condition); };
  const auto asks = [](const std::string& text) {
    return text.find("distributed_type") != text.npos || text.find("deepspeed") != text.npos || text.find("fsdp") != text.npos;
  };
  const auto denies = [&](ValueId condition) {
    const std::string text = in_.spell(condition);
    return text.empty() || text.find("not") != text.npos || text.find("!=") != text.npos;
  };
  return asks(text_of(state.parting->condition)) || std::ranges::any_of(state.shared.all(), [&](const auto& chosen) {
    return asks(text_of(chosen.first)) && (!chosen.second || denies(chosen.first));
  });
}

bool Lockstep::without_gradients(FrameId f) const {
  for (; f.valid(); f = frames_[f].caller)
    if (runs_without_gradients(in_.index(), frames_[f].summary->function)) return true;
  return false;
}

// DistributedDataParallel sends the buffers of its model, if it has any, in the first forward pass behind one with gradients.
// Where rank 0 evaluates alone, what it sends then is what the others send before their next step.
bool Lockstep::sends_buffers_once(const Position& p) const {
  const Step& step = step_at(p);
  if (!step.event || step.event->model->about != "forward" || step.event->model->op != "broadcast") return false;
  if (runs_without_gradients(in_.index(), *frames_[p.frame].summary, step.range)) return true;
  for (FrameId f = p.frame; frames_[f].caller.valid(); f = frames_[f].caller)
    if (runs_without_gradients(in_.index(), *frames_[frames_[f].caller].summary, frames_[f].call_range)) return true;
  return false;
}

// And so it may be that what they send is out of step behind one rank's evaluation, and in step again.
bool Lockstep::sent_buffers_alone(const Arrival& arrival) const {
  return std::ranges::any_of(arrival.steps, [&](const PathStep& step) {
    const Summary* s = step.kind == PathStep::Kind::Collective && step.what == "broadcast" ? in_.summary(step.function) : nullptr;
    return s && runs_without_gradients(in_.index(), *s, step.range);
  });
}

// In rounds of which ranks make different numbers: but for the first, nothing is sent in them.
bool Lockstep::sends_buffers_in_loop_around(const Position& p, const Position& parting) const {
  if (p.frame != parting.frame || !sends_buffers_once(p)) return false;
  const FlowGraph& graph = frames_[p.frame].summary->graph;
  for (ir::BlockId header = p.block; header.valid(); header = graph.dominator(header))
    if (graph.is_loop_header(header) && graph.lies_in_loop(p.block, header)) return graph.lies_in_loop(parting.block, header);
  return false;
}

// Whether it was decided on the way what something is.
bool Lockstep::asks_kind(const State& state) const {
  return std::ranges::any_of(state.shared.all(), [&](const auto& chosen) {
    const std::string text = in_.values().describe(chosen.first);
    return text.find("hasattr") != text.npos || text.find("isinstance") != text.npos;
  });
}

// Where the function raises, if all ways from here end so: they do not return to the caller.
std::optional<SourceRange> Lockstep::only_raises(const Position& p) const {
  const ir::Function& f = code(p.frame);
  std::set<uint32_t> seen{p.block.index};
  std::vector<ir::BlockId> work{p.block};
  std::optional<SourceRange> raise;
  while (!work.empty()) {
    const ir::Terminator& end = f.blocks[work.back()].terminator;
    if (end.kind == ir::TerminatorKind::Raise && !f.blocks[work.back()].handler.valid()) raise = end.range;
    if (end.kind == ir::TerminatorKind::Return || f.blocks[work.back()].handler.valid()) return std::nullopt;
    const auto& next = FlowGraph::successors(f.blocks[work.back()]);
    work.pop_back();
    for (ir::BlockId block : next)
      if (seen.insert(block.index).second) work.push_back(block);
  }
  return raise;
}

// A rank that raises is a rank that failed: only where the parting itself is what a rank sees alone (its own loss,
// its own clock) and the raise stands in its arm is that a decision of the program.
bool Lockstep::left_by_failure(const State& state, bool of_a) const {
  if (!(of_a ? state.a_left : state.b_left)) return false;
  if (of_a ? state.a_raised_deep : state.b_raised_deep) return true;
  // Who waited too long gives up, and so does who has no number for its loss.
  const std::string_view reason = state.parting->local ? local_reason(in_.values(), in_.index(), state.parting->condition) : std::string_view();
  if ((reason == "clock" || reason == ValueStore::kBatch) && (of_a ? state.a_raised : state.b_raised)) return true;
  // Straight out of its arm, with nothing else to decide on the way.
  return state.shared.all().size() != state.parting->taken.all().size();
}

// The outermost call on the way to a frame: who hands over what differs.
void Lockstep::hand_over(Mismatch& m, FrameId frame) const {
  while (frames_[frames_[frame].caller].caller.valid()) frame = frames_[frame].caller;
  m.handed_over_by = frames_[frames_[frame].caller].summary->function;
  m.handed_over_at = frames_[frame].call_range;
}

// A guard around a call of what a caller passed or a decorator wraps is as good as what is handed to it: the finding
// belongs to who does that. A wrapped function is named where it is defined, whoever calls it.
bool Lockstep::hand_over_callee(Mismatch& m, FrameId guarded, FrameId waiting) const {
  FrameId entered = waiting;
  while (entered.valid() && entered != guarded && frames_[entered].caller != guarded) entered = frames_[entered].caller;
  if (!entered.valid() || entered == guarded) return false;
  const Position& back = frames_[entered].back;
  const Step& call = frames_[guarded].summary->blocks[back.block.index].steps[back.step - 1];
  const ValueKind callee = in_.values()[call.call.callee].kind;
  if (callee != ValueKind::Free && callee != ValueKind::Parameter) return false;
  const FunctionKey inner = frames_[entered].summary->function;
  if (callee == ValueKind::Free && !in_.index().function(inner).decorators.empty()) {
    m.handed_over_by = inner;
    m.handed_over_at = in_.index().function(inner).name_range;
  } else if (frames_[guarded].caller.valid()) {
    hand_over(m, guarded);
  } else {
    return false;
  }
  return true;
}

// `rank < n` where `n` is no number that is written down: the first `n` ranks are a group.
static bool is_among_first(const ValueStore& values, const Value& v) {
  constexpr std::array kOrders{ir::Operator::Less, ir::Operator::LessEqual, ir::Operator::Greater, ir::Operator::GreaterEqual};
  if (v.kind != ValueKind::Binary || v.child_count != 2 || std::ranges::find(kOrders, v.op) == kOrders.end()) return false;
  return !v.local && !values[v.first_child[0]].constant && !values[v.first_child[1]].constant;
}

// In `x in ranks and y == z` the first operand tests; under a comparison nothing is a test of its own.
bool Lockstep::tests_membership(ValueId condition) const {
  const ValueStore& values = in_.values();
  std::vector<ValueId> work{condition};
  std::set<ValueId> seen;
  while (!work.empty()) {
    const ValueId v = work.back();
    work.pop_back();
    if (!seen.insert(v).second) continue;
    const Value& value = values[v];
    if (value.op == ir::Operator::In || value.op == ir::Operator::NotIn || is_among_first(values, value)) return true;
    if (value.kind == ValueKind::Binary) continue;
    work.insert(work.end(), values.children(v).begin(), values.children(v).end());
  }
  return false;
}

// Whether the group is of the ranks `range(n)`: only those are compared.
bool Lockstep::knows_members() const {
  const ValueId members = frames_.members();
  return members.valid() && in_.values()[members].kind == ValueKind::Pure && listed_ranks(in_, scenario(true).residual(members)).has_value();
}

// Whether of an element something was taken to hold in one loop and not to hold in another over the same.
bool Lockstep::contradicts_itself(const State& state) const {
  const ValueStore& values = in_.values();
  std::map<std::string, bool> taken;
  return std::ranges::any_of(state.shared.all(), [&](const auto& choice) {
    if (!values.find_part(choice.first, [&](ValueId part) { return values[part].kind == ValueKind::Element; }).valid()) return false;
    const std::string text = in_.spell(choice.first);
    return !text.empty() && taken.emplace(text, choice.second).first->second != choice.second;
  });
}

// `for i in range(n): if i == 0:` holds in one round; since they parted it was taken to hold in all of them, or in none.
bool Lockstep::takes_one_round_for_all(const State& state) const {
  const ValueStore& values = in_.values();
  return std::ranges::any_of(state.shared.all(), [&](const auto& choice) {
    const Value& v = values[choice.first];
    if (v.kind != ValueKind::Binary || (v.op != ir::Operator::Equal && v.op != ir::Operator::NotEqual)) return false;
    if (std::ranges::binary_search(state.parting->taken.all(), choice)) return false;
    const ValueId left = values.child(choice.first, 0), right = values.child(choice.first, 1);
    const ValueId element = values[left].kind == ValueKind::Element ? left : right;
    if (values[element].kind != ValueKind::Element || !values.is_constant(element == left ? right : left)) return false;
    return function_of(values, in_.index(), values.child(element, 0)) == "range";
  });
}

// Whether the group is known by an expression only, and the condition does not ask for the rank in it: then the
// ranks that the condition tells apart need not both be members.
bool Lockstep::unknown_group(ValueId condition) const {
  const AxisSet& group = frames_.group();
  const SymbolTable& names = in_.index().names();
  const bool unknown = std::any_of(group.axes.begin(), group.axes.end(),
                                   [&](Symbol axis) { return names.text(axis).find(kHidden) != std::string_view::npos; });
  const AxisSet& asked = in_.values().variance(condition);
  const bool asks_it = std::any_of(asked.axes.begin(), asked.axes.end(), [&](Symbol axis) { return names.text(axis) == "?"; });
  return unknown && !asks_it && !in_.values()[condition].local && (asked.world || !overlap(asked, group));
}

// Whether something was decided since they met that a caller does not simply hand over.
bool Lockstep::chose_more_than_flags(const State& state) const {
  const auto &before = state.chosen_when_met.all(), &now = state.shared.all();
  return std::any_of(now.begin(), now.end(), [&](const auto& choice) {
    return !is_flag(in_.values(), choice.first) && !std::binary_search(before.begin(), before.end(), choice);
  });
}

void Lockstep::report(const State& state, bool a_at_event, bool endless) {
  conclude(state);
  if (!state.parting || frames_.of_two_groups() || (!endless && left_by_failure(state, !a_at_event))) return;
  const Parting& parting = *state.parting;
  ValueStore& values = in_.values();
  const bool first_is_a = a_at_event;
  const Position& waiting = first_is_a ? state.a : state.b;
  const Position other = endless ? Position{} : first_is_a ? state.b : state.a;
  const bool other_left = first_is_a ? state.b_left : state.a_left;
  const bool other_raised = first_is_a ? state.b_raised : state.a_raised;
  Mismatch m;
  const Step& event = step_at(waiting);
  const Frame& frame = frames_[parting.at.frame];
  m.function = frame.summary->function;
  m.guard = parting.range;
  m.guard_axes = values.variance(parting.condition);
  m.group = describe(frames_.group(), in_.index().names());
  if (parting.local) {
    m.cause = parting.loop ? Mismatch::Cause::LocalLoop : Mismatch::Cause::LocalBranch;
    m.local_reason = local_reason(values, in_.index(), parting.condition);
  } else {
    m.cause = parting.loop ? Mismatch::Cause::RankLoop : Mismatch::Cause::RankBranch;
  }
  const bool other_at_event = !other.at_end();
  // The call of the root that leads to where they part, where it is the call that hands over what differs.
  if (frame.caller.valid() && !in_.values().diverges(frame.summary->blocks[parting.at.block.index].condition)) {
    hand_over(m, parting.at.frame);
    if (parting.local) m.certainty = Certainty::Possible;  // what a caller happens to pass
  }
  const bool callee_handed_over = hand_over_callee(m, parting.at.frame, waiting.frame);
  m.first = arrival(state, first_is_a, true);
  m.second = arrival(state, !first_is_a, other_at_event);
  // A collective that both make, but not as first, says less than one that only one of them makes.
  m.certainty = std::min({m.certainty, frames_[waiting.frame].certainty, model_certainty(*event.event->model),
                          in_.group_certainty(frames_.in_root(waiting.frame, event.event->group))});
  if (values[parting.condition].believed) m.certainty = std::min(m.certainty, Certainty::Likely);
  if (parting.shaky) m.certainty = std::min(m.certainty, Certainty::Likely);
  SourceRange own = m.first.steps.back().range;
  for (const PathStep& step : m.first.steps)
    if (step.nesting <= 0 && step.kind != PathStep::Kind::Branch) own = step.range;
  if (parting.local) {
    // Alike on most ranks of a job, but for a file that comes into being between two of them.
    const bool shared = m.local_reason == "memory" || m.local_reason == "host" ||
                        (m.local_reason == "file system" && !is_made_meanwhile(in_, *frame.summary, parting.at.block, own));
    // Only along data-parallel ranks does each have a batch and a seed of its own.
    const bool of_data = m.local_reason == ValueStore::kBatch || m.local_reason == "random";
    const bool one_batch = of_data && !frames_.group().world && m.group.find("dp") == std::string::npos;
    m.certainty = std::min(m.certainty, shared || one_batch ? Certainty::Possible : Certainty::Likely);
  }
  if (!state.shared.all().empty()) m.certainty = std::min(m.certainty, Certainty::High);
  // Behind so many open decisions something was decided that the program would not: a long parsing of arguments.
  constexpr size_t kManyDecisions = 16;
  if (state.shared.all().size() > kManyDecisions) m.certainty = Certainty::Possible;
  // It may have been made before, unless the others stand in another collective meanwhile. A model is wrapped where it is
  // trained first, and that is before one rank does something with it.
  if ((!other_at_event || event.event->model->about == "wrapper") && makes_what_is_kept(first_is_a ? state.a_fills : state.b_fills, waiting))
    m.certainty = Certainty::Possible;
  // Who ends its process first is no part of the world that the others set up, and what sets it up somewhere below asks whether
  // it is there.
  if (event.event->model->kind == ModelKind::Setup && ((other_left && !other_raised) || waiting.frame != parting.at.frame))
    m.certainty = Certainty::Possible;
  // At a program's end rank 0 looks at results by itself: what its helpers do for others they hardly do for it.
  if ((first_is_a ? state.b_gone : state.a_gone) && waiting.frame != parting.at.frame) m.certainty = Certainty::Possible;
  if (takes_for_training(in_, state.shared) && (without_gradients(waiting.frame) || without_gradients(other.frame))) m.certainty = Certainty::Possible;
  if (((!other_at_event || met(state)) && sends_buffers_once(waiting)) || (met(state) && (sent_buffers_alone(m.first) || sent_buffers_alone(m.second))) ||
      sends_buffers_in_loop_around(waiting, parting.at) || (other_at_event && sends_buffers_in_loop_around(other, parting.at)))
    m.certainty = Certainty::Possible;
  if (takes_turns(parting.condition) || contradicts_itself(state) || takes_one_round_for_all(state) || no_number_fits(in_.values(), state.shared))
    m.certainty = Certainty::Possible;
  const bool waits = waits_for_command(waiting, parting.at, first_is_a);
  const bool served = other_at_event ? !met(state) && (waits || waits_for_command(other, parting.at, !first_is_a)) : waits || commands(waiting, parting, first_is_a);
  if (served && !endless) m.certainty = Certainty::Possible;
  // What communicates in some set-ups only, on a way that is taken in the others only.
  if (event.event->model->conditional && asks_strategy(state)) m.certainty = Certainty::Possible;
  if (event.event->model->about == "tensor-read" && waiting.frame != parting.at.frame && asks_kind(state) &&
      !asks_a_model(in_, frames_[waiting.frame].summary->function))
    m.certainty = Certainty::Possible;
  // A helper that asks whether the model is sharded before it communicates is called by one rank alone where it is not. What
  // it reads of sharded tensors is another matter.
  if (event.event->model->about.empty() && waiting.frame != parting.at.frame && takes_for_sharded(in_, state.shared)) m.certainty = Certainty::Possible;
  // One rank that raises on its own number checks its input, most of the time.
  if (other_left) m.certainty = std::min(m.certainty, parting.local || !other_raised ? Certainty::Likely : Certainty::Possible);
  if (refuses_arguments(parting, !first_is_a)) m.certainty = Certainty::Possible;
  // "Is this rank among the members" around a group that is not known otherwise: most likely its own members.
  const bool rank_zero_alone = values.variance(parting.condition).world && parting.decided;
  const ValueId as_written = frame.summary->blocks[parting.at.block.index].condition;
  const bool of_members = tests_membership(parting.condition) || (as_written.valid() && tests_membership(as_written));
  if (!frames_.group().world && !knows_members() && (of_members || (!rank_zero_alone && unknown_group(parting.condition))))
    m.certainty = Certainty::Possible;
  // Where the other class left before the collective, in the text too.
  // Sides that have met in a collective since they parted were written to go together; where it takes further
  // decisions to tell them apart, those are hardly free.
  if (met(state) && chose_more_than_flags(state)) m.certainty = Certainty::Possible;
  if (is_meant_otherwise(in_.index(), m) || is_settled_by_context(in_, m, state.shared)) m.certainty = Certainty::Possible;
  const SourceRange exit = first_is_a ? state.b_exit : state.a_exit;
  const ir::Function& f = in_.index().function(m.function);
  const ir::BlockId other_side = first_is_a ? parting.side_b : parting.side_a;
  if (callee_handed_over) {
    // The guard leaves early for whatever it guards; here one thing too many was handed to it.
  } else if (exit.known() && exit.line < own.line && exit.line >= parting.range.line && exit != parting.range) {
    m.left_early = true;
    m.exit = exit;
  } else if (other_side.valid() && !parting.loop) {
    // continue or break: the side jumps to a loop's head or end while the collective stands further down.
    const ir::Block& side = f.blocks[other_side];
    const bool written = side.terminator.kind == ir::TerminatorKind::Jump && side.terminator.range.known() &&
                         side.terminator.range.line < own.line && side.terminator.range.line >= parting.range.line;
    if (written) {
      m.left_early = true;
      m.exit = side.terminator.range;
    }
  }
  if (other_at_event) {
    const ir::BlockId join = frame.summary->graph.join(parting.at.block);
    // Both inside their arms: the other's collective stands before the sides meet.
    Position p = other;
    while (p.frame.valid() && p.frame != parting.at.frame) {
      const Frame& inner = frames_[p.frame];
      p = inner.caller.valid() ? inner.back : Position{};
    }
    m.inside_other_arm = p.frame == parting.at.frame && other_side.valid() && frame.summary->graph.dominates(other_side, p.block) &&
                         join.valid() && !frame.summary->graph.dominates(join, p.block) && other_side != join;
  }
  for (const auto& [term, value] : state.shared.all())
    if (const std::string text = in_.spell(term); !text.empty())
      m.assumptions.push_back("`" + text + "`" + (value ? " holds" : " does not hold"));
  ++found_at_[parting.at];
  LockstepResult::Found found;
  found.mismatch = std::move(m);
  found.way = way_of(state, first_is_a);
  found.at_end = other.at_end() && !(first_is_a ? state.b_left : state.a_left);
  found.guard = {frame.summary->function.index, parting.at.block.index, parting.at.step};
  result_.found.push_back(std::move(found));
}

}  // namespace ranklint
