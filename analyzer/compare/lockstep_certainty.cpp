// How certain it is that two classes of ranks that do not agree in the text do not agree in a run.
//
// A mismatch is doubted where the program is likely to know more than the walk: it chose ways that exclude each other,
// or ranks that are not in the group, or a class that is told what to do by the other.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "analyzer/base/among.h"
#include "analyzer/compare/asked_models.h"
#include "analyzer/compare/code.h"
#include "analyzer/compare/doubts.h"
#include "analyzer/compare/flags.h"
#include "analyzer/compare/listed_ranks.h"
#include "analyzer/compare/lockstep.h"
#include "analyzer/compare/made_meanwhile.h"
#include "analyzer/compare/numbers.h"
#include "analyzer/compare/unused_options.h"
#include "analyzer/compare/witness_doubts.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/variance/terms.h"

namespace ranklint {

// `if rank == i` in a loop over all ranks: each enters once. Also where more is asked for: `rank == i or not in_turns`.
bool Lockstep::takes_turns(ValueId condition) const {
  const ValueStore& values = in_.values();
  const Value& v = values[condition];
  if (v.kind == ValueKind::And || v.kind == ValueKind::Or)
    return std::ranges::any_of(values.children(condition), [&](ValueId part) { return takes_turns(part); });
  if (v.kind != ValueKind::Binary || (v.op != ir::Operator::Equal && v.op != ir::Operator::NotEqual)) return false;
  return values[values.child(condition, 0)].kind == ValueKind::Element ||
         values[values.child(condition, 1)].kind == ValueKind::Element;
}

// `if (lower > upper + 1) { error_in_arg(2); return error_flag; }`: what raises in C.
bool Lockstep::refuses_arguments(const Parting& parting, bool of_a) const {
  const FunctionKey key = frames_[parting.at.frame].summary->function;
  const ir::Module& module = in_.index().modules()[in_.index().functions()[key].module];
  const ir::Function& f = in_.index().function(key);
  const ir::BlockId side = of_a ? parting.side_a : parting.side_b;
  const ir::ExprId guard = f.blocks[parting.at.block].terminator.value;
  if (module.language != "cpp" || !side.valid() || !guard.valid() || f.exprs[guard].kind != ir::ExprKind::Binary)
    return false;
  using enum ir::Operator;
  const ir::Operator op = f.exprs[guard].op;
  if (op != Less && op != LessEqual && op != Greater && op != GreaterEqual) return false;
  if (f.blocks[side].terminator.kind != ir::TerminatorKind::Return) return false;
  return std::ranges::any_of(f.blocks[side].instructions, [&](const ir::Instruction& i) {
    if (i.kind != ir::InstructionKind::Call || f.exprs[i.value].kind != ir::ExprKind::Name) return false;
    const std::string_view callee = module.text(f.exprs[i.value].symbol);
    return callee.find("error") != callee.npos || callee.find("Error") != callee.npos ||
           callee.find("ERROR") != callee.npos;
  });
}

// The root of a step's collective, in terms of a frame's root where one is given; none: it has none, or it is not
// known. 0 where nobody says.
std::optional<int64_t> Lockstep::root_of(const Step& step, FrameId frame) const {
  if (!step.event || !step.event->model->root.present()) return std::nullopt;
  if (!step.event->root.valid()) return 0;
  int64_t root = 0;
  return in_.values().integer_of(frame.valid() ? frames_.in_root(frame, step.event->root) : step.event->root, root)
             ? std::optional(root)
             : std::nullopt;
}

// Another rank's broadcast tells the class something.
bool Lockstep::is_told(const Step& step, bool of_a, FrameId frame) const {
  const std::optional<int64_t> root = root_of(step, frame);
  return root && scenario(of_a).rank() != static_cast<uint64_t>(*root);
}

// `while True:`, as against a loop through something that all ranks may have.
bool Lockstep::goes_round_until_told(const Summary& s, ir::BlockId header) const {
  return s.graph.is_loop_header(header) &&
         in_.index().function(s.function).blocks[header].terminator.kind != ir::TerminatorKind::Iterate;
}

// `while True:`
bool Lockstep::goes_round_for_ever(const Summary& s, ir::BlockId header) const {
  const ir::Function& f = in_.index().function(s.function);
  const ir::Terminator& end = f.blocks[header].terminator;
  if (!s.graph.is_loop_header(header) || end.kind == ir::TerminatorKind::Iterate) return false;
  return end.kind != ir::TerminatorKind::Branch || !end.is_loop || f.exprs[end.value].kind == ir::ExprKind::True;
}

// Whether the class is told something in the loop, by another rank's broadcast, that decides when it ends.
bool Lockstep::is_told_in_loop(const Summary& s, ir::BlockId header, bool of_a) const {
  return goes_round_until_told(s, header) && std::ranges::any_of(s.graph.loop_blocks(header), [&](ir::BlockId b) {
           return std::ranges::any_of(s.blocks[b.index].steps, [&](const Step& step) { return is_told(step, of_a); });
         });
}

// The ranks that serve wait in a loop for the root's command, and for what goes with it. Where the root leaves without
// one, it gives them in a server's callback, where this walk does not look.
bool Lockstep::waits_for_command(Position at, const Position& parting, bool of_a) const {
  const bool is_command = is_told(step_at(at), of_a, at.frame);
  for (;; at = frames_[at.frame].back) {
    const Summary& s = *frames_[at.frame].summary;
    for (ir::BlockId header : s.graph.order()) {
      if (!s.graph.lies_in_loop(at.block, header) ||
          (at.frame == parting.frame && s.graph.lies_in_loop(parting.block, header)))
        continue;
      if ((is_command && goes_round_until_told(s, header)) || is_told_in_loop(s, header, of_a)) return true;
    }
    if (at.frame == parting.frame || !frames_[at.frame].caller.valid()) return false;
  }
}

bool Lockstep::waits_as_root(const Position& waiting, bool of_a) const {
  const std::optional<int64_t> root = root_of(step_at(waiting), waiting.frame);
  return root && scenario(of_a).rank() == static_cast<uint64_t>(*root);
}

// The same from the root's end: it waits with a command, and the others have left their loop. When they leave is what
// it told them, which the walk does not know.
bool Lockstep::commands(const Parting& parting, bool of_a) const {
  const Summary& s = *frames_[parting.at.frame].summary;
  const ir::BlockId served = of_a ? parting.side_b : parting.side_a;
  if (!served.valid()) return false;
  const ProjectIndex& index = in_.index();
  const ModuleKey module = index.functions()[s.function].module;
  const auto obeys = [&](FunctionKey f) {
    const Summary* callee = in_.summary(f);
    return callee && callee->communicates && std::ranges::any_of(callee->graph.order(), [&](ir::BlockId header) {
             return is_told_in_loop(*callee, header, !of_a);
           });
  };
  // By its name: whose method it is need not be known.
  const auto calls_servant = [&](const ir::Instruction& i) {
    const ir::Expr* called = i.kind == ir::InstructionKind::Call ? &index.function(s.function).exprs[i.value] : nullptr;
    const bool named = called && (called->kind == ir::ExprKind::Name || called->kind == ir::ExprKind::Attribute);
    return named && std::ranges::any_of(index.methods_named(index.name(module, called->symbol)), obeys);
  };
  return std::ranges::any_of(s.graph.order(), [&](ir::BlockId b) {
    return s.graph.dominates(served, b) &&
           (is_told_in_loop(s, b, !of_a) ||
            std::ranges::any_of(index.function(s.function).blocks[b].instructions, calls_servant));
  });
}

// Another method of the object is where the other ranks wait for such commands, for as long as the process lives:
//
//     def step(self, batch):
//         if self.rank == 0: self.tell(batch)
//     def serve(self):
//         while True: command = self.tell()
bool Lockstep::commands_servants_of_object(const Parting& parting, bool of_a) const {
  const ProjectIndex& index = in_.index();
  const ClassKey owner = index.functions()[frames_[parting.at.frame].summary->function].owner;
  const auto is_told_at = [&](const Step& step) {
    if (is_told(step, !of_a)) return true;
    return std::ranges::any_of(
        step.call.callee.valid() ? in_.targets(step.call.callee) : std::vector<Target>(), [&](const Target& target) {
          const Summary* callee = in_.summary(target.function);
          return callee && std::ranges::any_of(callee->blocks, [&](const BlockSteps& block) {
                   return std::ranges::any_of(block.steps, [&](const Step& inner) { return is_told(inner, !of_a); });
                 });
        });
  };
  return owner.valid() && std::ranges::any_of(index.classes()[owner].methods, [&](const auto& method) {
           const Summary* s = in_.summary(method.second);
           return s && s->communicates && std::ranges::any_of(s->graph.order(), [&](ir::BlockId header) {
                    return goes_round_for_ever(*s, header) &&
                           std::ranges::any_of(s->graph.loop_blocks(header), [&](ir::BlockId b) {
                             return std::ranges::any_of(s->blocks[b.index].steps, is_told_at);
                           });
                  });
         });
}

// Whether it was decided on the way that another strategy of sharding is in use than one that communicates.
bool Lockstep::asks_strategy(const State& state) const {
  const auto text_of = [&](ValueId condition) { return in_.values().describe(condition); };
  const auto asks = [](const std::string& text) {
    return text.find("distributed_type") != text.npos || text.find("deepspeed") != text.npos ||
           text.find("fsdp") != text.npos;
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

static bool sends_buffers(const Step& step) {
  return step.event && step.event->model->about == "forward" && step.event->model->op == "broadcast";
}

// `DistributedDataParallel(model, broadcast_buffers=False)` in one of the files on the way: its forward pass sends
// nothing.
bool Lockstep::may_send_no_buffers(const Position& p) const {
  if (p.at_end() || !sends_buffers(step_at(p))) return false;
  const ProjectIndex& index = in_.index();
  for (FrameId f = p.frame; f.valid(); f = frames_[f].caller) {
    const ir::Module& module = index.modules()[index.functions()[frames_[f].summary->function].module];
    const auto keeps_buffers = [&](const ir::Function& code, const ir::Instruction& i) {
      return std::ranges::any_of(ir::arguments(code, i), [&](const ir::Argument& a) {
        return a.kind == ir::ArgumentKind::Keyword && module.text(a.keyword) == "broadcast_buffers" &&
               code.exprs[a.value].kind != ir::ExprKind::True;
      });
    };
    const bool keeps = std::ranges::any_of(module.functions, [&](const ir::Function& code) {
      return std::ranges::any_of(code.blocks, [&](const ir::Block& b) {
        return std::ranges::any_of(b.instructions, [&](const ir::Instruction& i) {
          return i.kind == ir::InstructionKind::Call && keeps_buffers(code, i);
        });
      });
    });
    if (keeps) return true;
  }
  return false;
}

// DistributedDataParallel sends the buffers of its model, if it has any, in the first forward pass behind one with
// gradients. Where rank 0 evaluates alone, what it sends then is what the others send before their next step.
bool Lockstep::sends_buffers_once(const Position& p) const {
  const Step& step = step_at(p);
  if (!sends_buffers(step)) return false;
  if (runs_without_gradients(in_.index(), *frames_[p.frame].summary, step.range)) return true;
  for (FrameId f = p.frame; frames_[f].caller.valid(); f = frames_[f].caller)
    if (runs_without_gradients(in_.index(), *frames_[frames_[f].caller].summary, frames_[f].call_range)) return true;
  return false;
}

// And so it may be that what they send is out of step behind one rank's evaluation, and in step again.
bool Lockstep::sent_buffers_alone(const Arrival& arrival) const {
  return std::ranges::any_of(arrival.steps, [&](const PathStep& step) {
    const Summary* s =
        step.kind == PathStep::Kind::Collective && step.what == "broadcast" ? in_.summary(step.function) : nullptr;
    return s && runs_without_gradients(in_.index(), *s, step.range);
  });
}

// In rounds of which ranks make different numbers: but for the first, nothing is sent in them.
bool Lockstep::sends_buffers_in_loop_around(const Position& p, const Position& parting) const {
  if (p.frame != parting.frame || !sends_buffers_once(p)) return false;
  const FlowGraph& graph = frames_[p.frame].summary->graph;
  for (ir::BlockId header = p.block; header.valid(); header = graph.dominator(header))
    if (graph.is_loop_header(header) && graph.lies_in_loop(p.block, header))
      return graph.lies_in_loop(parting.block, header);
  return false;
}

// Whether it was decided on the way what something is.
bool Lockstep::asks_kind(const State& state) const {
  const ValueStore& values = in_.values();
  const auto asks = [&](ValueId part) {
    return among(function_of(values, in_.index(), part), {"hasattr", "isinstance"});
  };
  return std::ranges::any_of(state.shared.all(),
                             [&](const auto& chosen) { return values.find_part(chosen.first, asks).valid(); });
}

// `rank < n` where `n` is no number that is written down: the first `n` ranks are a group.
static bool is_among_first(const ValueStore& values, const Value& v) {
  constexpr std::array kOrders{ir::Operator::Less, ir::Operator::LessEqual, ir::Operator::Greater,
                               ir::Operator::GreaterEqual};
  if (v.kind != ValueKind::Binary || v.child_count != 2 || std::ranges::find(kOrders, v.op) == kOrders.end())
    return false;
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
  return members.valid() && in_.values()[members].kind == ValueKind::Pure &&
         listed_ranks(in_, scenario(true).residual(members)).has_value();
}

// Whether of an element something was taken to hold in one loop and not to hold in another over the same.
bool Lockstep::contradicts_itself(const State& state) const {
  const ValueStore& values = in_.values();
  std::map<std::string, bool> taken;
  return std::ranges::any_of(state.shared.all(), [&](const auto& choice) {
    if (!values.find_part(choice.first, [&](ValueId part) { return values[part].kind == ValueKind::Element; }).valid())
      return false;
    const std::string text = in_.spell(choice.first);
    return !text.empty() && taken.emplace(text, choice.second).first->second != choice.second;
  });
}

// `for i in range(n): if i == 0:` holds in one round; since they parted it was taken to hold in all of them, or in
// none.
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
  const bool unknown = std::ranges::any_of(group.axes, &Axis::is_one_group);
  const AxisSet& asked = in_.values().variance(condition);
  const bool asks_it = asked.has(AxisKind::UnknownGroup);
  return unknown && !asks_it && !in_.values()[condition].local && (asked.world || !overlap(asked, group));
}

// Whether something was decided since they met that a caller does not simply hand over.
bool Lockstep::chose_more_than_flags(const State& state) const {
  const auto &before = state.chosen_when_met.all(), &now = state.shared.all();
  return std::any_of(now.begin(), now.end(), [&](const auto& choice) {
    return !is_flag(in_.values(), choice.first) && !std::binary_search(before.begin(), before.end(), choice);
  });
}

// Of what only this rank sees. `own`: where the collective stands.
Certainty Lockstep::certainty_of_local_cause(const Parting& parting, const Mismatch& m, const SourceRange& own) const {
  // Alike on most ranks of a job, but for a file that comes into being between two of them.
  const bool shared = m.local_reason == "memory" || m.local_reason == "host" ||
                      (m.local_reason == "file system" &&
                       !is_made_meanwhile(in_, *frames_[parting.at.frame].summary, parting.at.block, own));
  // Only along data-parallel ranks does each have a batch and a seed of its own.
  const bool of_data = m.local_reason == ValueStore::kBatch || m.local_reason == "random";
  const bool one_batch = of_data && !frames_.group().world && m.group.find("dp") == std::string::npos;
  // Who looks at the time before it lets a library train is one process, which trains one model after the other.
  const bool trains_in_time = m.local_reason == "clock" && m.first.op.starts_with("trainer_");
  return shared || one_batch || trains_in_time ? Certainty::Possible : Certainty::Likely;
}

// `if ranks not in self.groups`: one of many, each kept under a key.
bool Lockstep::fills_by_key(const Position& filling) const {
  const Summary& s = *frames_[filling.frame].summary;
  const ir::BlockId asked = s.graph.dominator(filling.block);
  const ValueId condition = asked.valid() ? s.blocks[asked.index].condition : ValueId{};
  return condition.valid() &&
         (in_.values()[condition].op == ir::Operator::NotIn || in_.values()[condition].op == ir::Operator::In);
}

// It may have been made before, unless the others stand in another collective meanwhile. A model is wrapped where it is
// trained first, and that is before one rank does something with it; groups that are kept by their ranks are made by
// all in a loop first.
bool Lockstep::may_be_made_before(const Encounter& e) const {
  const auto makes = [&](const Position& p, const Position& filling, bool anyway) {
    const Event* event = p.at_end() || filling.at_end() || !step_at(p).event ? nullptr : &*step_at(p).event;
    const bool may_be = event && (anyway || event->model->about == "wrapper" ||
                                  (event->model->kind == ModelKind::GroupCreate && fills_by_key(filling)));
    return may_be && makes_what_is_kept(filling, p);
  };
  return makes(e.waiting, e.first_is_a ? e.state.a_fills : e.state.b_fills, e.other.at_end()) ||
         makes(e.other, e.first_is_a ? e.state.b_fills : e.state.a_fills, false);
}

// Who ends its process first is no part of the world that the others set up, and what sets it up somewhere below asks
// whether it is there.
bool Lockstep::sets_up_world_below(const Encounter& e) const {
  return step_at(e.waiting).event->model->kind == ModelKind::Setup &&
         ((e.other_left() && !e.other_raised()) || is_below_parting(e));
}

// At a program's end rank 0 looks at results by itself: what its helpers do with sharded tensors and within groups they
// hardly do for it. What meets all ranks they do for anyone.
bool Lockstep::looks_at_results(const Encounter& e) const {
  const Model& model = *step_at(e.waiting).event->model;
  const bool meets_all = frames_.group().world && model.about.empty() && !model.conditional && e.state.parting->decided;
  return (e.first_is_a ? e.state.b_gone : e.state.a_gone) && is_below_parting(e) && !meets_all;
}

bool Lockstep::trains_without_gradients(const Encounter& e) const {
  return takes_for_training(in_, e.state.shared) &&
         (without_gradients(e.waiting.frame) || without_gradients(e.other.frame));
}

bool Lockstep::may_send_buffers_once(const Encounter& e, const Mismatch& m) const {
  const Position& parting = e.state.parting->at;
  const bool other_at_event = !e.other.at_end();
  return may_send_no_buffers(e.waiting) || may_send_no_buffers(e.other) ||
         ((!other_at_event || met(e.state)) && sends_buffers_once(e.waiting)) ||
         (met(e.state) && (sent_buffers_alone(m.first) || sent_buffers_alone(m.second))) ||
         sends_buffers_in_loop_around(e.waiting, parting) ||
         (other_at_event && sends_buffers_in_loop_around(e.other, parting));
}

// `if torch.cuda.device_count() > 1:` around what makes them agree: a job of several ranks has more than one device, as
// a rule.
bool Lockstep::agrees_on_many_devices(const Parting& parting) const {
  const ValueStore& values = in_.values();
  const auto asks_for_devices = [&](ValueId part) {
    return function_of(values, in_.index(), part) == "torch.cuda.device_count";
  };
  return values
      .find_part(parting.condition,
                 [&](ValueId part) {
                   if (values[part].kind != ValueKind::Conditional ||
                       !values.find_part(values.child(part, 0), asks_for_devices).valid())
                     return false;
                   return !values.diverges(values.child(part, 1)) || !values.diverges(values.child(part, 2));
                 })
      .valid();
}

// `config.numbered` where there is no configuration.
static bool asks_nothing(const ValueStore& values, const Choices& choices) {
  return std::ranges::any_of(choices.all(), [&](const auto& choice) {
    return values
        .find_part(choice.first,
                   [&](ValueId part) {
                     return values[part].kind == ValueKind::Attribute &&
                            values[values.child(part, 0)].kind == ValueKind::None;
                   })
        .valid();
  });
}

// `self.world_size > 1` on the way of a job of one rank: two of the world are compared.
bool Lockstep::leaves_one_rank(const State& state) const {
  ValueStore& values = in_.values();
  return frames_.group().world && std::ranges::any_of(state.shared.all(), [&](const auto& choice) {
           const Value asked = values[choice.first];
           if (asked.kind != ValueKind::Binary) return false;
           const ValueId size = values.child(choice.first, 0), limit = values.child(choice.first, 1);
           const std::string spelled = in_.spell(size);
           std::string_view name = last_part(spelled);
           name.remove_prefix(std::min(name.find_first_not_of('_'), name.size()));
           if (int64_t number = 0; !among(name, {"world_size", "num_processes"}) || !values.integer_of(limit, number))
             return false;
           const auto holds = [&](int64_t ranks) {
             return values.truth(values.binary(asked.op, values.integer(ranks), limit)) ==
                    (choice.second ? ValueStore::Truth::Yes : ValueStore::Truth::No);
           };
           return holds(1) && !holds(2) && !holds(8);
         });
}

// Whether what was chosen on the way holds in no run.
bool Lockstep::chose_no_real_way(const State& state) const {
  return takes_turns(state.parting->condition) || contradicts_itself(state) ||
         asks_nothing(in_.values(), state.shared) || leaves_one_rank(state) || takes_one_round_for_all(state) ||
         no_number_fits(in_.values(), state.shared);
}

// Whether one class does what the other tells it to.
bool Lockstep::is_served(const Encounter& e) const {
  if (e.endless) return false;
  const Position& parting = e.state.parting->at;
  const bool waits = waits_for_command(e.waiting, parting, e.first_is_a);
  const bool as_root = waits_as_root(e.waiting, e.first_is_a);
  if (as_root && commands_servants_of_object(*e.state.parting, e.first_is_a)) return true;
  if (e.other.at_end()) return waits || (as_root && commands(*e.state.parting, e.first_is_a));
  return !met(e.state) && (waits || waits_for_command(e.other, parting, !e.first_is_a));
}

// What communicates for some kinds of model, or in some set-ups only, on a way that is taken for the others.
bool Lockstep::asks_what_communicates(const Encounter& e) const {
  const Model& model = *step_at(e.waiting).event->model;
  if (model.conditional && asks_strategy(e.state)) return true;
  if (!is_below_parting(e)) return false;
  // A helper that asks whether the model is sharded before it communicates is called by one rank alone where it is not.
  // What it reads of sharded tensors is another matter.
  if (model.about.empty()) return takes_for_sharded(in_, e.state.shared);
  return model.about == "tensor-read" && asks_kind(e.state) &&
         !asks_a_model(in_, frames_[e.waiting.frame].summary->function);
}

// "Is this rank among the members" around a group that is not known otherwise: most likely its own members.
bool Lockstep::asks_for_members(const Parting& parting) const {
  if (frames_.group().world || knows_members()) return false;
  const bool rank_zero_alone = in_.values().variance(parting.condition).world && parting.decided;
  return tests_membership(parting.condition) || tests_membership(parting.written) ||
         (!rank_zero_alone && unknown_group(parting.condition));
}

// `rank // n` around a group that is not the world: the members of one of its parts, most likely, have one number.
bool Lockstep::asks_for_part(const Parting& parting) const {
  const ValueStore& values = in_.values();
  return !frames_.group().world &&
         values
             .find_part(parting.condition,
                        [&](ValueId part) {
                          if (values[part].kind != ValueKind::Binary || values[part].op != ir::Operator::FloorDivide ||
                              values.is_constant(values.child(part, 1)))
                            return false;
                          const Value& number = values[values.child(part, 0)];
                          return (number.kind == ValueKind::Coordinate || number.kind == ValueKind::Believed) &&
                                 values.axes(AxesId{number.a}).world;
                        })
             .valid();
}

// `rank == firsts[self.stage]` around a group that is not the world: what a rank looks up for itself may be the same
// for all members.
bool Lockstep::asks_for_own_entry(const Parting& parting) const {
  const ValueStore& values = in_.values();
  const auto is_own_entry = [&](ValueId v) {
    bool of_kept_table = false, constant = true;
    for (; values[v].kind == ValueKind::Subscript; v = values.child(v, 0))
      constant &= values.is_constant(values.child(v, 1)), of_kept_table = true;
    return of_kept_table && !constant &&
           (values[v].kind == ValueKind::Global || values[v].kind == ValueKind::Attribute);
  };
  return !frames_.group().world &&
         values
             .find_part(parting.condition,
                        [&](ValueId part) {
                          if (values[part].kind != ValueKind::Binary ||
                              (values[part].op != ir::Operator::Equal && values[part].op != ir::Operator::NotEqual))
                            return false;
                          return is_own_entry(values.child(part, 0)) || is_own_entry(values.child(part, 1));
                        })
             .valid();
}

// `if rank != ranks[place]: raise`: who compares its rank with what it should be checks how it was set up, whoever
// catches that.
bool Lockstep::checks_own_rank(const Parting& parting, bool of_a) const {
  const ir::BlockId side = of_a ? parting.side_a : parting.side_b;
  const ValueStore& values = in_.values();
  const Value& asked = values[parting.condition];
  if (!side.valid() || code(parting.at.frame).blocks[side].terminator.kind != ir::TerminatorKind::Raise) return false;
  if (asked.kind != ValueKind::Binary || (asked.op != ir::Operator::Equal && asked.op != ir::Operator::NotEqual))
    return false;
  return std::ranges::any_of(values.children(parting.condition),
                             [&](ValueId number) { return !values[number].closed; });
}

// `rank != self.shard` where a constructor has made `self.shard` of the rank: it is this rank's own number, whatever it
// is. And where it is known as `rank % shards`: they are one number where there are as many shards as ranks.
bool Lockstep::asks_for_own_number(const Parting& parting) const {
  const ValueStore& values = in_.values();
  const ProjectIndex& index = in_.index();
  const auto is_own_number = [&](ValueId v) {
    const ClassKey c = values[v].kind == ValueKind::Attribute ? values.class_of(values.child(v, 0)) : ClassKey{};
    if (!c.valid()) return false;
    const Symbol name{values[v].a};
    return std::ranges::any_of(index.linearization(c), [&](ClassKey k) {
      const auto sites = index.classes()[k].attributes.find(name);
      return sites != index.classes()[k].attributes.end() &&
             std::ranges::any_of(sites->second, [&](const AttributeSite& site) {
               const Summary* setter = in_.summary(site.function);
               const auto set = setter ? setter->attribute_values.find({site.block.index, site.instruction, name})
                                       : decltype(setter->attribute_values.end()){};
               return setter && set != setter->attribute_values.end() && set->second.valid() &&
                      !values.variance(set->second).empty();
             });
    });
  };
  const auto is_remainder = [&](ValueId v, ValueId of) {
    return values[v].kind == ValueKind::Binary && values[v].op == ir::Operator::Modulo && values.child(v, 0) == of &&
           !values.is_constant(values.child(v, 1));
  };
  return values
      .find_part(parting.condition,
                 [&](ValueId part) {
                   if (values[part].kind != ValueKind::Binary ||
                       (values[part].op != ir::Operator::Equal && values[part].op != ir::Operator::NotEqual))
                     return false;
                   const ValueId left = values.child(part, 0), right = values.child(part, 1);
                   return is_own_number(left) || is_own_number(right) || is_remainder(left, right) ||
                          is_remainder(right, left);
                 })
      .valid();
}

// The blocks behind one, up to where the sides of a branch meet again and back to the branch itself.
static std::set<ir::BlockId> side_of(const ir::Function& f, ir::BlockId first, ir::BlockId branch, ir::BlockId join) {
  std::set<ir::BlockId> side;
  std::vector<ir::BlockId> work{first};
  while (!work.empty()) {
    const ir::BlockId b = work.back();
    work.pop_back();
    if (!b.valid() || b == join || b == branch || !side.insert(b).second) continue;
    work.push_back(f.blocks[b].handler);
    for (const ir::BlockId next : FlowGraph::successors(f.blocks[b])) work.push_back(next);
  }
  return side;
}

// The blocks that only one class comes to before the sides of the branch where they parted meet.
std::set<ir::BlockId> Lockstep::own_side(const Parting& parting, bool of_a) const {
  const FrameId frame = parting.at.frame;
  const ir::BlockId join = frames_[frame].summary->graph.join(parting.at.block);
  std::set<ir::BlockId> own = side_of(code(frame), of_a ? parting.side_a : parting.side_b, parting.at.block, join);
  for (const ir::BlockId b : side_of(code(frame), of_a ? parting.side_b : parting.side_a, parting.at.block, join))
    own.erase(b);
  return own;
}

// Where in a frame a position lies, or the call that leads there. Invalid: not below it.
ir::BlockId Lockstep::block_in(FrameId frame, Position p) const {
  while (p.frame.valid() && p.frame != frame) {
    const Frame& inner = frames_[p.frame];
    p = inner.caller.valid() ? inner.back : Position{};
  }
  return p.frame == frame ? p.block : ir::BlockId{};
}

bool Lockstep::is_on_own_side(const Position& p, const Parting& parting, bool of_a) const {
  return own_side(parting, of_a).contains(block_in(parting.at.frame, p));
}

// What a library does in several collectives, of which the model names none, may be what the other side writes out.
bool Lockstep::may_be_written_out(const Encounter& e) const {
  if (e.other.at_end()) return false;
  const auto is_of_several = [&](const Position& p) {
    return step_at(p).event &&
           among(step_at(p).event->model->op,
                 {"save_checkpoint", "load_checkpoint", "save_state", "load_state", "trainer_fit", "trainer_train",
                  "trainer_test", "trainer_validate", "trainer_predict", "forward_backward", "pipeline_step"});
  };
  const Parting& parting = *e.state.parting;
  return is_of_several(e.waiting) != is_of_several(e.other) && is_on_own_side(e.waiting, parting, e.first_is_a) &&
         is_on_own_side(e.other, parting, !e.first_is_a);
}

// Whether objects of some class keep something of this name, which is not a method then.
static bool is_data_attribute(const ProjectIndex& index, Symbol name) {
  for (ClassKey c{0}; c.index < index.classes().size(); ++c.index)
    if (index.classes()[c].attributes.contains(name)) return true;
  return false;
}

// `study.optimize(objective)`, `agent(sweep, function=trainer.train)` on the side of the class that never comes, or
// that is past it and waits elsewhere: what it hands to somebody unknown communicates, too.
bool Lockstep::hands_communication_on(const Encounter& e) const {
  const Parting& parting = *e.state.parting;
  const FunctionCode text(in_.index(), *frames_[parting.at.frame].summary);
  const auto is_method_that_communicates = [&](ir::ExprId given) {
    const ir::Expr& expr = text.ir.exprs[given];
    if (expr.kind != ir::ExprKind::Attribute) return false;
    const Symbol name = in_.index().name(text.module, expr.symbol);
    return !is_data_attribute(in_.index(), name) &&
           std::ranges::any_of(in_.index().methods_named(name), [&](FunctionKey f) {
             const Summary* method = in_.summary(f);
             return method && method->communicates;
           });
  };
  const auto communicates = [&](ir::ExprId given) {
    if (is_method_that_communicates(given)) return true;
    const bool is_code =
        text.ir.exprs[given].kind == ir::ExprKind::String;  // `cProfile.runctx("train()", None, locals())`
    const FunctionKey f = is_code ? function_called_in(in_.index(), text, text.text.text(text.ir.exprs[given].symbol))
                                  : function_named(in_.index(), text, given);
    const Summary* callee = f.valid() ? in_.summary(f) : nullptr;
    return callee && callee->communicates;
  };
  const auto hands_on = [&](ir::BlockId b) {
    return std::ranges::any_of(text.ir.blocks[b].instructions, [&](const ir::Instruction& i) {
      return i.kind == ir::InstructionKind::Call && !function_named(in_.index(), text, i.value).valid() &&
             std::ranges::any_of(ir::arguments(text.ir, i),
                                 [&](const ir::Argument& a) { return communicates(a.value); });
    });
  };
  return std::ranges::any_of(own_side(parting, !e.first_is_a), hands_on) ||
         (!e.other.at_end() && std::ranges::any_of(own_side(parting, e.first_is_a), hands_on));
}

// `if kind == "a": train(a)` and `elif kind == "b": train(b)` and nothing for others, on the side of the class that
// never comes: it is one of the two.
bool Lockstep::leaves_out_all_kinds(const Encounter& e) const {
  const Parting& parting = *e.state.parting;
  const Summary& s = *frames_[parting.at.frame].summary;
  const ir::Function& f = code(parting.at.frame);
  const ValueStore& values = in_.values();
  const std::set<ir::BlockId> own = own_side(parting, !e.first_is_a);
  // What is compared with a text at the block, where it was taken not to be that.
  const auto denied_at = [&](ir::BlockId b) -> ValueId {
    const ir::Terminator& end = f.blocks[b].terminator;
    if (end.kind != ir::TerminatorKind::Branch || end.is_loop) return {};
    const ValueId asked = e.state.shared.open_part(
        in_.values(), scenario(!e.first_is_a).residual(frames_.in_root(parting.at.frame, s.blocks[b.index].condition)));
    if (values[asked].kind != ValueKind::Binary || values[asked].op != ir::Operator::Equal) return {};
    const ValueId left = values.child(asked, 0), right = values.child(asked, 1);
    return values[right].kind == ValueKind::Text && e.state.shared.decide(values, asked) == ValueStore::Truth::No
               ? left
               : ValueId{};
  };
  return std::ranges::any_of(own, [&](ir::BlockId first) {
    const ir::BlockId next = f.blocks[first].terminator.kind == ir::TerminatorKind::Branch
                                 ? f.blocks[first].terminator.successors[1]
                                 : ir::BlockId{};
    if (!next.valid() || !own.contains(next)) return false;
    const ValueId kind = denied_at(first);
    return kind.valid() && kind == denied_at(next) && f.blocks[next].terminator.successors[1] == s.graph.join(next);
  });
}

bool Lockstep::is_doubtful(const Encounter& e, const Mismatch& m) const {
  // Behind so many open decisions something was decided that the program would not: a long parsing of arguments.
  constexpr size_t kManyDecisions = 16;
  const Parting& parting = *e.state.parting;
  return e.state.shared.all().size() > kManyDecisions || may_be_made_before(e) || sets_up_world_below(e) ||
         looks_at_results(e) || trains_without_gradients(e) || may_send_buffers_once(e, m) ||
         chose_no_real_way(e.state) || is_served(e) || may_be_written_out(e) || hands_communication_on(e) ||
         leaves_out_all_kinds(e) || asks_what_communicates(e) || refuses_arguments(parting, !e.first_is_a) ||
         asks_for_members(parting) || asks_for_part(parting) || asks_for_own_entry(parting) ||
         asks_for_own_number(parting) || checks_own_rank(parting, !e.first_is_a) || agrees_on_many_devices(parting) ||
         // Sides that have met in a collective since they parted were written to go together; where it takes further
         // decisions to tell them apart, those are hardly free.
         (met(e.state) && chose_more_than_flags(e.state)) || is_meant_otherwise(in_.index(), m) ||
         is_of_several_groups(in_, m) || is_settled_by_context(in_, m, e.state.shared) ||
         uses_unused_option(in_, e.state.shared);
}

Certainty Lockstep::certainty_of(const Encounter& e, const Mismatch& m, const SourceRange& own) const {
  if (is_doubtful(e, m)) return Certainty::Possible;
  const Parting& parting = *e.state.parting;
  const Step& event = step_at(e.waiting);
  // A collective that both make, but not as first, says less than one that only one of them makes.
  Certainty c = std::min({frames_[e.waiting.frame].certainty, model_certainty(*event.event->model),
                          in_.group_certainty(frames_.in_root(e.waiting.frame, event.event->group))});
  if (in_.values()[parting.condition].believed || parting.shaky) c = std::min(c, Certainty::Likely);
  if (parting.local) c = std::min(c, certainty_of_local_cause(parting, m, own));
  if (!e.state.shared.all().empty()) c = std::min(c, Certainty::High);
  // One rank that raises on its own number checks its input, most of the time.
  if (e.other_left()) c = std::min(c, parting.local || !e.other_raised() ? Certainty::Likely : Certainty::Possible);
  return c;
}

}  // namespace ranklint
