#include "analyzer/program/call_places.h"

#include "analyzer/program/handed.h"

namespace ranklint {

CallPlaces::CallPlaces(const ProjectIndex& index) {
  for (FunctionKey f{0}; f.index < index.functions().size(); ++f.index) {
    const ir::Function& function = index.function(f);
    for (ir::BlockId b{0}; b.index < function.blocks.size(); ++b.index) {
      const auto& instructions = function.blocks[b].instructions;
      for (uint32_t i = 0; i < instructions.size(); ++i) {
        if (instructions[i].kind != ir::InstructionKind::Call) continue;
        const FunctionKey callee = named_callee(index, f, instructions[i]).function;
        if (callee.valid()) of_[callee].push_back({f, b, i});
      }
    }
  }
}

std::span<const CallPlace> CallPlaces::of(FunctionKey f) const {
  const auto found = of_.find(f);
  return found == of_.end() ? std::span<const CallPlace>() : found->second;
}

}  // namespace ranklint
