// From a pass over the samples to the loop around it: in the function where it begins, or in one that calls it. A loop
// that chooses the loader goes through several and not through one several times; one that makes the sampler anew gives
// it an epoch of its own or does not mean to.
#include <algorithm>

#include "analyzer/base/whole_number.h"
#include "analyzer/base/work_limit.h"
#include "analyzer/questions/derivation.h"
#include "rules/loading/epoch-not-set.h"

namespace ranklint::epoch_not_set {
namespace {

constexpr int kMostCalls = 4;           // from a loop down to a pass
constexpr size_t kMostCallers = 64;     // functions that are looked at from a pass up to loops
constexpr size_t kMostSpots = 32;       // places around which gradients are looked for
constexpr size_t kMostFunctions = 400;  // below each of them
constexpr int kMostAssignments = 4;

// The loops around a place, innermost first. A loop that takes batches there is not around it.
std::vector<ir::BlockId> loops_around(const FunctionCode& code, ProgramPoint at) {
  std::vector<ir::BlockId> headers;
  const FlowGraph& graph = code.graph();
  const bool is_head = at.instruction == code.ir.blocks[at.block].instructions.size();
  for (const ir::BlockId b : graph.order())
    if (graph.is_loop_header(b) && graph.lies_in_loop(at.block, b) && !(is_head && b == at.block)) headers.push_back(b);
  std::ranges::stable_sort(headers, {}, [&](ir::BlockId b) { return graph.loop_blocks(b).size(); });
  return headers;
}

// Whether the loop's own variable chooses what the expression is.
bool chooses(const FunctionCode& code, ir::BlockId header, ir::ExprId e, ProgramPoint at) {
  const ir::ExprId target = code.ir.blocks[header].terminator.target;
  if (!e.valid() || !target.valid()) return false;
  const Derivation from = derivation_of(code, e, at);
  return ir::any_part(code.ir, target, [&](ir::ExprId part) {
    if (code.ir.exprs[part].kind != ir::ExprKind::Name) return false;
    const Symbol name = code.ir.exprs[part].symbol;
    return from.names.contains(name) ||
           std::ranges::any_of(from.keys, [&](const auto& key) { return code.mentions(key.first, name); });
  });
}

}  // namespace

struct EpochLoops::Climb {
  const SamplerFlow& flow;
  const Sampler& sampler;
  std::set<FunctionKey> seen;
  std::vector<EpochLoop> found;
};

std::vector<EpochLoop> EpochLoops::around(const Pass& pass, const SamplerFlow& flow, const Sampler& sampler) const {
  Climb state{flow, sampler, {}, {}};
  climb(state, pass.begin, pass.loader, 0);
  return std::move(state.found);
}

void EpochLoops::climb(Climb& state, const Spot& from, ir::ExprId loader, int calls) const {
  const Summary* s = in_.summary(from.function);
  if (!s || calls > kMostCalls || state.seen.size() == kMostCallers || !state.seen.insert(from.function).second) return;
  const FunctionCode code(index_, *s);
  for (const ir::BlockId header : loops_around(code, from.at))
    if (!chooses(code, header, loader, from.at) && !runs_once(code, header)) {
      if (const EpochLoop loop{from.function, header}; !is_made_anew(loop, state.sampler) && learns_in(loop))
        state.found.push_back(loop);
      return;
    }
  if (from.function == state.sampler.function) return;
  const std::set<int> parameters = loader.valid() ? derivation_of(code, loader, from.at).parameters : std::set<int>{};
  for (const CallPlace& call : calls_.of(from.function))
    climb_caller(state, from.function, call, parameters, calls + 1);
}

// By way of one call, which has to give the loader where the function goes through what it is given.
void EpochLoops::climb_caller(Climb& state, FunctionKey callee, const CallPlace& call, const std::set<int>& parameters,
                              int calls) const {
  const Summary* s = in_.summary(call.within);
  if (!s) return;
  const FunctionCode code(index_, *s);
  const ProgramPoint at{call.block, call.instruction};
  ir::ExprId loader;
  bool is_given = false;
  const ir::Instruction& i = code.ir.blocks[call.block].instructions[call.instruction];
  for (const HandedArgument& a : calls_.arguments(code, i)) {
    if (a.callee != callee || !parameters.contains(static_cast<int>(a.parameter))) continue;
    is_given = true;
    if (state.flow.may_load(code, a.value, at)) loader = a.value;
  }
  if (!is_given || loader.valid()) climb(state, {call.within, at}, loader, calls);
}

// Whether the loop comes to the call that makes the sampler, by any function that is named like one on the way.
bool EpochLoops::is_made_anew(const EpochLoop& loop, const Sampler& sampler) const {
  const Summary* s = in_.summary(loop.function);
  const FunctionCode code(index_, *s);
  if (loop.function == sampler.function && code.graph().lies_in_loop(sampler.made.block, loop.header)) return true;
  std::set<FunctionKey> makers{sampler.function};
  std::vector<FunctionKey> work{sampler.function};
  std::set<Symbol> names;
  while (!work.empty()) {
    const FunctionKey maker = work.back();
    work.pop_back();
    names.insert(index_.name(index_.functions()[maker].module, index_.function(maker).name));
    for (const CallPlace& call : calls_.of(maker)) {
      if (call.within == loop.function && code.graph().lies_in_loop(call.block, loop.header)) return true;
      if (makers.insert(call.within).second) work.push_back(call.within);
    }
  }
  names.erase(index_.intern("__init__"));
  const auto blocks = code.graph().loop_blocks(loop.header);
  return std::ranges::any_of(blocks, [&](ir::BlockId b) {
    return std::ranges::any_of(code.ir.blocks[b].instructions, [&](const ir::Instruction& i) {
      return i.kind == ir::InstructionKind::Call && ir::is_dotted(code.ir, i.value) &&
             names.contains(index_.name(code.module, code.ir.exprs[i.value].symbol)) &&
             calls_.callees(code.key, i).empty();
    });
  });
}

bool EpochLoops::runs_once(const FunctionCode& code, ir::BlockId header) const {
  const ir::Block& block = code.ir.blocks[header];
  return block.terminator.kind == ir::TerminatorKind::Iterate &&
         is_one(code, block.terminator.value, {header, static_cast<uint32_t>(block.instructions.size())}, 0);
}

// `range(1)`, `tqdm(range(epochs))` after `epochs = 1`.
bool EpochLoops::is_one(const FunctionCode& code, ir::ExprId e, ProgramPoint at, int depth) const {
  const std::optional<Definition> given = code.only_definition(e, at);
  if (!given || depth == kMostAssignments) return false;
  const ir::Instruction& i = *given->instruction;
  if (i.kind == ir::InstructionKind::Assign) return is_one(code, i.value, given->place, depth + 1);
  if (i.kind != ir::InstructionKind::Call) return false;
  if (plays(in_, code, i, Role::HandsOnElements)) return is_one(code, first_argument(code, i), given->place, depth + 1);
  const auto arguments = ir::arguments(code.ir, i);
  if (!plays(in_, code, i, Role::CountsUp) || arguments.empty() || arguments.size() > 2) return false;
  const auto begin =
      arguments.size() == 1 ? std::optional<long long>(0) : number(code, arguments[0].value, given->place);
  const auto end = number(code, arguments.back().value, given->place);
  return begin && end && *end - *begin <= 1;
}

std::optional<long long> EpochLoops::number(const FunctionCode& code, ir::ExprId e, ProgramPoint at) const {
  const auto written = [](const ir::Module& text, const ir::Function& f, ir::ExprId literal) {
    return literal.valid() && f.exprs[literal].kind == ir::ExprKind::Integer
               ? std::optional<long long>(whole_number(text.text(f.exprs[literal].symbol)))
               : std::nullopt;
  };
  if (const auto literal = written(code.text, code.ir, e)) return literal;
  if (const std::optional<Definition> given = code.only_definition(e, at))
    return given->instruction->kind == ir::InstructionKind::Assign
               ? written(code.text, code.ir, given->instruction->value)
               : std::nullopt;
  const Entity entity = index_.resolve(code.module, code.ir, e);
  if (entity.kind != Entity::Kind::Variable) return std::nullopt;
  const FunctionKey body = index_.key(entity.module, ir::FunctionId{0});
  return written(index_.modules()[entity.module], index_.function(body),
                 in_.program().assigned_once(entity.module, entity.name));
}

// Whether a model learns in it. What a generator hands out others learn from, which is asked of the pass.
bool EpochLoops::learns_in(const EpochLoop& loop) const {
  if (index_.function(loop.function).is_generator) return true;
  const FunctionCode code(index_, *in_.summary(loop.function));
  std::set<FunctionKey> entered;
  return trains_by_gradients(code, code.graph().loop_blocks(loop.header), entered);
}

bool EpochLoops::trains(const Pass& pass, const SamplerFlow& flow) const {
  std::set<Spot> seen;
  return std::ranges::any_of(pass.takers, [&](const Spot& taker) { return trains_around(taker, flow, seen); });
}

// In the loop around a place, or in the function where there is none and in the loops that call it for the samples.
bool EpochLoops::trains_around(const Spot& taker, const SamplerFlow& flow, std::set<Spot>& seen) const {
  const Summary* s = seen.size() < kMostSpots && seen.insert(taker).second ? in_.summary(taker.function) : nullptr;
  if (!s) return false;
  const FunctionCode code(index_, *s);
  const ir::BlockId header = code.graph().loop_around(taker.at.block);
  std::set<FunctionKey> entered;
  if (header.valid()) return trains_by_gradients(code, code.graph().loop_blocks(header), entered);
  return trains_by_gradients(code, code.graph().order(), entered) ||
         std::ranges::any_of(calls_.of(taker.function), [&](const CallPlace& call) {
           return flow.may_hand_over(call, taker.function) &&
                  trains_around({call.within, {call.block, call.instruction}}, flow, seen);
         });
}

// A method of an object that nothing is known about is any of its name.
bool EpochLoops::trains_by_gradients(const FunctionCode& code, std::span<const ir::BlockId> blocks,
                                     std::set<FunctionKey>& entered) const {
  const auto enters = [&](FunctionKey f) {
    const Summary* s = entered.size() < kMostFunctions && entered.insert(f).second ? in_.summary(f) : nullptr;
    if (!s) return false;
    charge_work();
    const FunctionCode inner(index_, *s);
    return trains_by_gradients(inner, inner.graph().order(), entered);
  };
  const auto computes = [&](const ir::Instruction& i) {
    if (i.kind != ir::InstructionKind::Call) return false;
    if (plays(in_, code, i, Role::TrainsByGradients)) return true;
    const std::vector<NamedCallee> callees = calls_.callees(code.key, i);
    if (!callees.empty())
      return std::ranges::any_of(callees, [&](const NamedCallee& callee) { return enters(callee.function); });
    if (!ir::is_dotted(code.ir, i.value) || code.ir.exprs[i.value].kind != ir::ExprKind::Attribute) return false;
    const auto& methods = index_.methods_named(index_.name(code.module, code.ir.exprs[i.value].symbol));
    return methods.size() == 1 && enters(methods.front());
  };
  return std::ranges::any_of(
      blocks, [&](ir::BlockId b) { return std::ranges::any_of(code.ir.blocks[b].instructions, computes); });
}

}  // namespace ranklint::epoch_not_set
