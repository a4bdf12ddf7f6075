#include "analyzer/doubts/model_queries.h"

#include <algorithm>

namespace ranklint {

bool queries_model(const Query& query, FunctionKey f) {
  const ir::Function& code = query.index().function(f);
  const ir::Module& text = query.index().modules()[query.index().functions()[f].module];
  return std::any_of(code.blocks.begin(), code.blocks.end(), [&](const ir::Block& block) {
    return std::any_of(block.instructions.begin(), block.instructions.end(), [&](const ir::Instruction& i) {
      return i.kind == ir::InstructionKind::Call && code.exprs[i.value].kind == ir::ExprKind::Attribute &&
             query.roles().play(text.text(code.exprs[i.value].symbol), Role::GivesModelState);
    });
  });
}

}  // namespace ranklint
