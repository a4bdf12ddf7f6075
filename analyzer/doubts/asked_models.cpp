#include "analyzer/doubts/asked_models.h"

#include <algorithm>
#include <array>

#include "analyzer/base/among.h"

namespace ranklint {

bool asks_a_model(const Query& query, FunctionKey f) {
  constexpr std::array<std::string_view, 5> kOfModels{"state_dict", "parameters", "named_parameters", "buffers",
                                                      "named_buffers"};
  const ir::Function& code = query.index().function(f);
  const ir::Module& text = query.index().modules()[query.index().functions()[f].module];
  return std::any_of(code.blocks.begin(), code.blocks.end(), [&](const ir::Block& block) {
    return std::any_of(block.instructions.begin(), block.instructions.end(), [&](const ir::Instruction& i) {
      return i.kind == ir::InstructionKind::Call && code.exprs[i.value].kind == ir::ExprKind::Attribute &&
             among(text.text(code.exprs[i.value].symbol), kOfModels);
    });
  });
}

}  // namespace ranklint
