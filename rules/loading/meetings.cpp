#include "rules/loading/meetings.h"

#include "analyzer/ir/any_instruction.h"
#include "analyzer/questions/callee.h"
#include "analyzer/questions/communication.h"

namespace ranklint {

constexpr int kMostCallsToNamedBarrier = 2;  // of a library that is not known, by functions of the project

bool Meetings::between(const Summary& s, const Site& from, const Site& to) const { return any(s, &from, &to); }

bool Meetings::any(const Summary& s, const Site* from, const Site* to) const {
  const FunctionCode code(in_.index(), s);
  const auto order = [&](ir::BlockId b, uint32_t instruction) { return std::pair(s.graph().position(b), instruction); };
  const auto lies_between = [&](ir::BlockId b, uint32_t instruction) {
    return (!from || order(b, instruction) > order(from->block, from->instruction)) &&
           (!to || order(b, instruction) < order(to->block, to->instruction));
  };
  for (const ir::BlockId b : s.graph().order()) {
    for (const Step& step : s.blocks[b.index].steps) {
      if (!lies_between(b, in_.site(step.site).instruction)) continue;
      // To set up the ranks is to meet, too.
      if (step.ending != Ending::None || step.event || communication_of(in_, step)) return true;
    }
    const auto& instructions = code.ir.blocks[b].instructions;
    for (uint32_t n = 0; n < instructions.size(); ++n)
      if (lies_between(b, n) && calls_barrier(code, instructions[n], kMostCallsToNamedBarrier)) return true;
  }
  return false;
}

bool Meetings::calls_barrier(const FunctionCode& code, const ir::Instruction& i, int depth) const {
  if (i.kind != ir::InstructionKind::Call) return false;
  const ProjectIndex& index = in_.index();
  if (in_.roles().play(index.dotted(code.module, code.ir, i.value), Role::WaitsForAll)) return true;
  const Entity callee = index.resolve(code.module, code.ir, i.value);
  if (callee.kind != Entity::Kind::Function || depth == 0) return false;
  const Summary* s = in_.summary(callee.function);
  if (!s) return false;
  const FunctionCode body(index, *s);
  return ir::any_instruction(body.ir,
                             [&](const ir::Instruction& inner) { return calls_barrier(body, inner, depth - 1); });
}

}  // namespace ranklint
