#include "analyzer/questions/weight_reads.h"

#include <algorithm>
#include <array>

#include "analyzer/questions/callee.h"
#include "analyzer/questions/rank_guard.h"
#include "analyzer/resolve/dotted.h"

namespace ranklint {
namespace {

constexpr int kDeepestReader = 12;

}  // namespace

WeightReads::By WeightReads::of_call(const FunctionCode& code, const Summary& summary, ProgramPoint at) {
  const By by = of_callee(code, summary, at);
  return by == By::EveryRank && rank_guard_of(in_, summary, at.block).valid() ? By::SomeRanks : by;
}

WeightReads::By WeightReads::of_callee(const FunctionCode& code, const Summary& summary, ProgramPoint at) {
  const ir::Instruction& i = code.ir.blocks[at.block].instructions[at.instruction];
  const bool enters = i.kind == ir::InstructionKind::EnterWith;
  if ((i.kind != ir::InstructionKind::Call && !enters) || !i.value.valid()) return By::Nobody;
  if (plays(in_, code, i, Role::ReadsWeights)) return By::EveryRank;
  const Entity entity = in_.index().resolve(code.module, code.ir, i.value);
  if (entity.kind == Entity::Kind::Class) return of_class(entity.klass);
  By most = entity.kind == Entity::Kind::Function ? of_function(entity.function) : By::Nobody;
  for (const Step& step : summary.blocks[at.block.index].steps)
    if (!step.event && !step.call.implicit && step.call.callee.valid() &&
        in_.site(step.site).instruction == at.instruction)
      for (const Target& target : in_.targets(step.call.callee)) most = std::max(most, of_function(target.function));
  return most;
}

WeightReads::By WeightReads::of_function(FunctionKey f) {
  if (auto found = known_.find(f); found != known_.end()) return found->second;
  if (depth_ > kDeepestReader) return By::Nobody;
  known_[f] = By::Nobody;  // for a recursive call
  const Summary* s = in_.summary(f);
  if (!s) return By::Nobody;
  ++depth_;
  By most = By::Nobody;
  const FunctionCode code(in_.index(), *s);
  for (ir::BlockId b : s->graph().order())
    for (uint32_t i = 0; i < code.ir.blocks[b].instructions.size() && most != By::EveryRank; ++i)
      most = std::max(most, of_call(code, *s, {b, i}));
  --depth_;
  return known_[f] = most;
}

WeightReads::By WeightReads::of_class(ClassKey c) {
  if (auto found = known_classes_.find(c); found != known_classes_.end()) return found->second;
  known_classes_[c] = By::Nobody;
  By most = By::Nobody;
  for (const std::string_view name : in_.roles().names_in(Role::GivesEntries))
    if (const FunctionKey method = in_.index().find_method(c, in_.index().intern(last_part(name))); method.valid())
      most = std::max(most, of_function(method));
  return known_classes_[c] = most;
}

}  // namespace ranklint
