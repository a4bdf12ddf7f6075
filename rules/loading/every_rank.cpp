#include "rules/loading/every_rank.h"

#include <algorithm>

#include "analyzer/doubts/file_calls.h"
#include "analyzer/execution/residual.h"
#include "analyzer/flow/deciding_branch.h"
#include "analyzer/flow/reached.h"
#include "analyzer/flow/side_of_branch.h"
#include "analyzer/ir/any_instruction.h"
#include "analyzer/program/test_files.h"
#include "analyzer/questions/callee.h"
#include "analyzer/questions/contexts.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/questions/rank_guard.h"
#include "analyzer/summary/is_call.h"
#include "rules/wording.h"

namespace ranklint {
namespace {

constexpr uint32_t kRanksOfJob = 4;
constexpr size_t kMostFunctions = 64;   // up the calls from the place
constexpr size_t kMostConditions = 48;  // on the way
constexpr int kMostCallsToStart = 2;    // from a function that starts the ranks to the call that does

// Of the blocks that lead everybody to `block`, it among them, the first one after another block.
ir::BlockId first_after(const FlowGraph& graph, ir::BlockId before, ir::BlockId block) {
  ir::BlockId above = graph.dominator(block);
  while (above.valid() && graph.position(above) > graph.position(before)) {
    block = above;
    above = graph.dominator(above);
  }
  return block;
}

// Whether it is a branch of which one side leads to the block, and the other not at once: a part of an `or`.
bool is_part_of_choice(const FlowGraph& graph, const ir::Function& f, ir::BlockId branch, ir::BlockId block) {
  return f.blocks[branch].terminator.kind == ir::TerminatorKind::Branch && graph.predecessors(block).size() > 1 &&
         graph.join(branch) != block;
}

// Whether one side of the branch returns before it comes to the block, and another one does come there.
bool returns_instead(const FlowGraph& graph, const ir::Function& f, ir::BlockId branch, ir::BlockId block) {
  const auto is_it = [&](ir::BlockId b) { return b == block; };
  return may_return(f, branch, &graph, block) && leads_to(f, branch, is_it, &graph);
}

}  // namespace

std::optional<ReachedByAll> EveryRank::at(FunctionKey f, ProgramPoint place, ir::ExprId path, ValueId value) {
  const Summary* s = in_.summary(f);
  if (!s) return std::nullopt;
  if (is_prepared_by_one(*s, place)) return std::nullopt;
  std::set<FunctionKey> seen;
  std::optional<RankNames::Parameters> made_of = names_.parameters_of(FunctionCode(in_.index(), *s), path, place);
  return made_of ? at(*s, place, {std::move(*made_of), value, {}}, seen) : std::nullopt;
}

std::optional<ReachedByAll> EveryRank::at(FunctionKey f, ProgramPoint place) {
  const Summary* s = in_.summary(f);
  std::set<FunctionKey> seen;
  return s ? at(*s, place, {}, seen) : std::nullopt;
}

std::optional<ReachedByAll> EveryRank::at(const Summary& s, ProgramPoint place, Wanted wanted,
                                          std::set<FunctionKey>& seen) {
  const FunctionKey f = s.function;
  if (is_guarded(s, place.block) || seen.size() > kMostFunctions || !seen.insert(f).second) return std::nullopt;
  const FunctionCode code(in_.index(), s);
  if (is_test_file(code.text.path) || starts_ranks(f, 0)) return std::nullopt;
  // What each rank does in its turn it does not do at once with the others.
  if (!Contexts(in_.index(), s).open_at(place).empty()) return std::nullopt;
  if (is_left_to_some(f, 0) || is_without_job(s, place.block) || lets_one_go_first(s, place)) return std::nullopt;
  add_conditions(s, place.block, wanted.conditions);
  if (differs_by_rank(wanted.value) || !is_open_to_all(wanted.conditions)) return std::nullopt;
  const std::optional<SourceRange> hook = hook_of_trainer(f), met = hook ? hook : met_by_all(s, 0, nullptr);
  // Where ranks are started, one process may also call by itself what each of them runs: that is no job.
  std::vector<WayToCall> ways(ways_.to(f).begin(), ways_.to(f).end());
  std::erase_if(ways, [&](const WayToCall& way) { return starts_ranks(way.site.function, 0); });
  if (met && ways.empty()) return ReachedByAll{{f, *met}, {}};
  std::vector<std::optional<Wanted>> above;  // in the terms of the callers
  for (const WayToCall& way : ways) above.push_back(seen_from(way, wanted));
  if (met && std::ranges::any_of(above, [](const auto& w) { return !w.has_value(); })) return std::nullopt;
  for (size_t i = 0; i < ways.size(); ++i) {
    if (ways[i].target.guard.valid() || !above[i]) continue;
    if (met && is_open_to_all(above[i]->conditions)) return ReachedByAll{{f, *met}, {}};
    if (met) continue;
    if (std::optional<ReachedByAll> found = by_call(ways[i], std::move(*above[i]), seen)) return found;
  }
  return std::nullopt;
}

std::optional<ReachedByAll> EveryRank::by_call(const WayToCall& way, Wanted wanted, std::set<FunctionKey>& seen) {
  const FunctionKey caller = way.site.function;
  const Summary* s = in_.summary(caller);
  const ir::Block& block = in_.index().function(caller).blocks[way.site.block];
  if (!s || block.handler.valid() || way.site.instruction >= block.instructions.size()) return std::nullopt;
  std::optional<ReachedByAll> found = at(*s, {way.site.block, way.site.instruction}, std::move(wanted), seen);
  if (found) found->calls.push_back({caller, way.call->range});
  return found;
}

// The same in the terms of the caller. Nothing: the path differs by the rank there, or is not seen.
std::optional<EveryRank::Wanted> EveryRank::seen_from(const WayToCall& way, Wanted wanted) const {
  Binding binding = in_.bind(way.target, way.call->call, 0);
  binding.held = way.call->call.held;
  for (Condition& c : wanted.conditions) c.value = in_.instantiate(c.value, binding);
  if (wanted.value.valid()) wanted.value = in_.instantiate(wanted.value, binding);
  std::optional<RankNames::Parameters> path = made_of(way, wanted.path);
  if (!path || differs_by_rank(wanted.value)) return std::nullopt;
  wanted.path = std::move(*path);
  return wanted;
}

// Adds those of the branches above the block that lead to it by one side, and the parts of `not parallel or rank == 0`,
// none of which leads there alone.
void EveryRank::add_conditions(const Summary& s, ir::BlockId block, Conditions& all) const {
  const ir::Function& f = in_.index().function(s.function);
  const auto add = [&](ir::BlockId branch, std::optional<bool> side) {
    const ValueId condition = s.blocks[branch.index].condition;
    if (condition.valid() && all.size() < kMostConditions) all.push_back({condition, side});
  };
  for (ir::BlockId above = block; above.valid(); above = s.graph().dominator(above)) {
    if (const std::optional<bool> side = side_of_branch(s.graph(), f, above, block)) add(above, side);
    for (const ir::BlockId before : s.graph().predecessors(above))
      if (is_part_of_choice(s.graph(), f, before, above)) add(before, std::nullopt);
  }
}

// No rank is known to stay away: none of them is decided by the rank, nor is one always decided the other way.
bool EveryRank::is_open_to_all(const Conditions& conditions) const {
  const World world = World::flat(kRanksOfJob);
  Scenario rank(in_, world, 0);
  return std::ranges::none_of(conditions, [&](const Condition& c) {
    if (!in_.values().variance(c.value).empty()) return true;
    if (!c.holds) return false;
    return in_.values().truth(rank.residual(c.value)) == (*c.holds ? ValueStore::Truth::No : ValueStore::Truth::Yes);
  });
}

// Whether the path differs by the rank, or is made of the batch that each loads by itself.
bool EveryRank::differs_by_rank(ValueId path) const {
  const ValueStore& values = in_.values();
  const auto is_of_batch = [&](ValueId part) { return values[part].of_batch; };
  return path.valid() && (!values.variance(path).empty() || values.find_part(path, is_of_batch).valid());
}

// The parameters of the calling function of which those of the called one are made. Nothing: a rank's name is part of
// it, it is a library's own, or what is given is not seen.
std::optional<RankNames::Parameters> EveryRank::made_of(const WayToCall& way, const RankNames::Parameters& path) const {
  const FunctionKey callee = way.target.function;
  const Summary* s = in_.summary(way.site.function);
  if (!s || path.empty()) return RankNames::Parameters();
  const FunctionCode code(in_.index(), *s);
  const ProgramPoint at{way.site.block, way.site.instruction};
  const auto& instructions = code.ir.blocks[at.block].instructions;
  if (at.instruction >= instructions.size() || instructions[at.instruction].kind != ir::InstructionKind::Call)
    return std::nullopt;
  const ir::Instruction& i = instructions[at.instruction];
  const bool is_method = in_.index().functions()[callee].owner.valid() && !in_.program().flags(callee).is_static;
  const bool is_open = gives_more(code.ir, i);
  RankNames::Parameters all;
  const auto add = [&](ir::ExprId given) {
    if (names_in_library(in_.index(), code, given)) return false;
    const std::optional<RankNames::Parameters> these = names_.parameters_of(code, given, at);
    if (these) all.insert(these->begin(), these->end());
    return these.has_value();
  };
  for (const int parameter : path) {
    const ir::ParameterKind kind = in_.index().function(callee).parameters[static_cast<size_t>(parameter)].kind;
    ir::ExprId given = argument_for(code, i, in_.index(), callee, parameter, is_method);
    if (parameter == 0 && is_method && code.ir.exprs[i.value].kind == ir::ExprKind::Attribute)
      given = ir::children(code.ir, i.value)[0];
    const bool takes_rest = kind == ir::ParameterKind::Star || kind == ir::ParameterKind::DoubleStar;
    if ((takes_rest || !given.valid()) && is_open) return std::nullopt;
    const auto adds = [&](const ir::Argument& a) { return add(a.value); };
    const bool is_seen =
        takes_rest ? std::ranges::all_of(ir::arguments(code.ir, i), adds) : !given.valid() || add(given);
    if (!is_seen) return std::nullopt;
  }
  return all;
}

// One process runs such code, before there are others: it starts them itself, or by a function that does.
bool EveryRank::starts_ranks(FunctionKey f, int depth) const {
  const auto [known, is_new] = starts_ranks_.try_emplace({f, depth}, false);
  if (is_new) known->second = finds_start(f, depth);
  return known->second;
}

bool EveryRank::finds_start(FunctionKey f, int depth) const {
  const Summary* s = in_.summary(f);
  if (!s) return false;
  const FunctionCode code(in_.index(), *s);
  return ir::any_instruction(code.ir, [&](const ir::Instruction& i) {
    if (i.kind != ir::InstructionKind::Call) return false;
    if (const RoleEntry* starts = role_of(in_, code, i, Role::StartsProcesses);
        starts && given_for(code, i, *starts).valid())
      return true;
    const FunctionKey callee =
        depth < kMostCallsToStart ? named_callee(in_.index(), code.key, i).function : FunctionKey{};
    return callee.valid() && callee != f && starts_ranks(callee, depth + 1);
  });
}

// `dist.is_initialized()`, `world_size > 1`, `os.environ.get("RANK")`, `"RANK" in os.environ`
bool EveryRank::asks_for_job(const FunctionCode& code, ValueId condition, ir::BlockId branch) const {
  const ValueStore& values = in_.values();
  const auto counts_ranks = [&](ValueId part) {
    return values[part].kind == ValueKind::Size || values[part].kind == ValueKind::SizeIn;
  };
  if (values.find_part(condition, counts_ranks).valid()) return true;
  const ir::Block& block = code.ir.blocks[branch];
  const auto names_variable = [&](ir::ExprId e) {
    return code.ir.exprs[e].kind == ir::ExprKind::String &&
           in_.roles().play(code.text.text(code.ir.exprs[e].symbol), Role::SetInJobs);
  };
  if (ir::any_part(code.ir, block.terminator.value, [&](ir::ExprId part) {
        return asks_environment(in_, code, part) && names_variable(ir::children(code.ir, part)[0]);
      }))
    return true;
  const Derivation from =
      derivation_of(code, block.terminator.value, {branch, static_cast<uint32_t>(block.instructions.size())});
  return std::ranges::any_of(from.calls, [&](const ProgramPoint& p) {
    const ir::Instruction& call = code.ir.blocks[p.block].instructions[p.instruction];
    const Model* model = in_.models().find(foreign_name(in_.index(), code.module, code.ir, call.value));
    return (model && model->kind == ModelKind::Initialized) ||
           std::ranges::any_of(ir::arguments(code.ir, call), names_variable, &ir::Argument::value);
  });
}

// What the condition says in a job, where it asks of nothing but whether ranks are set up: `dist.is_available() and
// dist.is_initialized()`. Unknown: it asks for more.
static ValueStore::Truth in_a_job(const Query& in, ValueId condition) {
  using Truth = ValueStore::Truth;
  const ValueStore& values = in.values();
  if (const Truth known = values.truth(condition); known != Truth::Unknown) return known;
  if (const Site* site = in.made_at(condition); site && site->why == Site::Why::SetUp) return Truth::Yes;
  const Value& value = values[condition];
  const bool is_and = value.kind == ValueKind::And;
  if (!is_and && value.kind != ValueKind::Or) return Truth::Unknown;
  const Truth decides = is_and ? Truth::No : Truth::Yes;
  bool all_known = true;
  for (const ValueId part : values.children(condition)) {
    const Truth truth = in_a_job(in, part);
    if (truth == decides) return decides;
    all_known &= truth != Truth::Unknown;
  }
  if (!all_known) return Truth::Unknown;
  return is_and ? Truth::Yes : Truth::No;
}

// Whether no job goes this way from one block to the next: what is asked there says so.
bool EveryRank::leaves_job(const Summary& s, const FunctionCode& code, ir::BlockId from, ir::BlockId to) const {
  const std::optional<bool> side = side_taken(code.ir, from, to);
  const ValueId condition = s.blocks[from.index].condition;
  if (!side || !condition.valid() || !in_.values().variance(condition).empty() || !asks_for_job(code, condition, from))
    return false;
  const World world = World::flat(kRanksOfJob);
  const ValueStore::Truth truth = in_a_job(in_, Scenario(in_, world, 0).residual(condition));
  return truth == (*side ? ValueStore::Truth::No : ValueStore::Truth::Yes);
}

// Whether the block is for one process alone, by what is asked above it, or for a rank that fails there.
bool EveryRank::is_without_job(const Summary& s, ir::BlockId block) const {
  if (in_.program().set_ups().deny(s.graph(), s.function, block)) return true;
  const FunctionCode code(in_.index(), s);
  for (ir::BlockId above = block; above.valid(); above = s.graph().dominator(above)) {
    if (!s.graph().handled_by(above).empty() && !may_return(code.ir, block)) return true;
    const auto& before = s.graph().predecessors(above);
    if (!before.empty() &&
        std::ranges::all_of(before, [&](ir::BlockId from) { return leaves_job(s, code, from, above); }))
      return true;
  }
  return false;
}

// Whether all that call it do so on some ranks only, or a decorator lets only those in. It may communicate all the
// same, for others or not at all then.
bool EveryRank::is_left_to_some(FunctionKey f, int depth) {
  if (const ValueStore& values = in_.values(); values[in_.function_value(f)].kind == ValueKind::Guarded) return true;
  const auto ways = ways_.to(f);
  return !ways.empty() && depth < kMostCallsBetween &&
         std::ranges::all_of(
             ways,
             [&](const WayToCall& way) {
               const Summary* s = in_.summary(way.site.function);
               return way.target.guard.valid() ||
                      (s && (is_guarded(*s, way.site.block) || is_left_to_some(way.site.function, depth + 1)));
             });
}

bool EveryRank::is_guarded(const Summary& s, ir::BlockId block) const {
  const auto [known, is_new] = guarded_.try_emplace({s.function, block}, false);
  if (is_new) known->second = find_guard(s, block);
  return known->second;
}

bool EveryRank::find_guard(const Summary& s, ir::BlockId block) const {
  if (rank_guard_of(in_, s, block).valid()) return true;
  const FlowGraph& graph = s.graph();
  const NamedRanks& named = named_ranks_in(s);
  // Of `not distributed or rank == 0` no part alone leads here: the ways in are asked. Behind the join of its sides
  // every rank goes on that has not returned before.
  for (ir::BlockId above = block; above.valid(); above = graph.dominator(above))
    for (const ir::BlockId before : graph.predecessors(above))
      if (graph.join(before) != above && named.branches.contains(before)) return true;
  const auto is_before = [&](ir::BlockId b) { return graph.position(b) < graph.position(block); };
  return std::ranges::any_of(named.ends, is_before) || std::ranges::any_of(named.branches, [&](ir::BlockId branch) {
           return is_before(branch) &&
                  returns_instead(graph, in_.index().function(s.function), branch, first_after(graph, branch, block));
         });
}

const EveryRank::NamedRanks& EveryRank::named_ranks_in(const Summary& s) const {
  const auto [known, is_new] = named_ranks_.try_emplace(s.function);
  if (!is_new) return known->second;
  NamedRanks& named = known->second;
  const FunctionCode code(in_.index(), s);
  for (const ir::BlockId b : s.graph().order()) {
    const ir::Block& block = code.ir.blocks[b];
    if (block.terminator.kind == ir::TerminatorKind::Branch && block.terminator.value.valid() &&
        names_.tests_rank(code, block.terminator.value, {b, static_cast<uint32_t>(block.instructions.size())}))
      named.branches.insert(b);
  }
  const auto is_named = [&](ir::BlockId branch) { return named.branches.contains(branch); };
  for (const ir::BlockId b : s.graph().order())
    if (ends_process(s.blocks[b.index]) &&
        (rank_guard_of(in_, s, b).valid() || deciding_branch(s.graph(), b, is_named).valid()))
      named.ends.push_back(b);
  return named;
}

// The name of a hook that a trainer calls on every rank, where the project makes something of its class.
std::optional<SourceRange> EveryRank::hook_of_trainer(FunctionKey f) const {
  const bool is_hook =
      role_of_method(in_.roles(), in_.index(), f, Role::CalledByTrainer) && in_.program().used_names().may_use(f);
  return is_hook ? std::optional(in_.index().function(f).name_range) : std::nullopt;
}

// A place in the function where all ranks communicate, under no condition on the rank. A call that communicates only in
// some set-ups does not count, because a rank may make it for its own model. Nor does a call that runs a framework,
// because the framework may run in a single process.
std::optional<SourceRange> EveryRank::met_by_all(const Summary& s, int depth, const Binding* given) const {
  if (!s.communicates) return std::nullopt;
  for (const ir::BlockId b : s.graph().order())
    for (const Step& step : s.blocks[b.index].steps)
      if (is_met_in(s, b, step, depth, given) && !is_guarded(s, b)) return step.range;
  return std::nullopt;
}

bool EveryRank::is_met_in(const Summary& s, ir::BlockId block, const Step& step, int depth,
                          const Binding* given) const {
  if (step.event) {
    const Model& model = *step.event->model;
    if (model.conditional || model.about == ModelAbout::Run) return false;
    if (model.kind == ModelKind::Setup) return !sets_up_one_rank(step.call, given);
    // What a callee communicates it may communicate in a job only; what it sets up is one, and so is what it wraps in
    // any case.
    const bool is_sure = depth == 0 || (model.about == ModelAbout::Wrapper &&
                                        is_on_every_path(s.graph(), in_.index().function(s.function), block));
    return model.kind == ModelKind::Collective && is_sure;
  }
  if (!is_call(step) || step.call.implicit || depth == kMostCallsBetween) return false;
  const std::vector<Target> targets = in_.targets(step.call.callee);
  const Summary* callee = targets.size() == 1 ? in_.summary(targets[0].function) : nullptr;
  if (!callee || !callee->communicates) return false;
  Binding inner = in_.bind(targets[0], step.call, 0);
  for (ValueId& value : inner.parameters)
    if (given && value.valid()) value = in_.instantiate(value, *given);
  return met_by_all(*callee, depth + 1, &inner).has_value();
}

// `init_process_group(rank=0, world_size=1)`: no job of several.
bool EveryRank::sets_up_one_rank(const Call& call, const Binding* given) const {
  const RoleEntry* takes = in_.roles().find(in_.callee_path(call.callee), Role::TakesWorldSize);
  ValueId size = takes ? in_.argument(call, takes->argument) : ValueId{};
  if (given && size.valid()) size = in_.instantiate(size, *given);
  int64_t ranks = 0;
  return size.valid() && in_.values().integer_of(size, ranks) && ranks == 1;
}

void add_way(Finding& finding, const Shared& shared, const ReachedByAll& reached) {
  for (const PlaceInFunction& call : reached.calls)
    finding.related.push_back({location_at(shared, call.function, call.range), "leads here"});
  finding.related.push_back(
      {location_at(shared, reached.all_get_here.function, reached.all_get_here.range), "all ranks get here"});
}

}  // namespace ranklint
