#include "analyzer/interp/passed_rank.h"

#include <algorithm>

namespace ranklint {

bool is_passed_as_rank(const ProjectIndex& index, const Models& models, FunctionKey f, Symbol parameter) {
  const ModuleKey module = index.functions()[f].module;
  const ir::Module& text = index.modules()[module];
  const ir::Function& function = index.function(f);
  const auto sets_up = [&](const ir::Instruction& i) {
    const Entity called = index.resolve(module, function, i.value);
    const Model* model = called.kind == Entity::Kind::External ? models.find(index.names().text(called.name)) : nullptr;
    return model && model->kind == ModelKind::Setup;
  };
  const auto is_rank = [&](const ir::Argument& a) {
    const ir::Expr& given = function.exprs[a.value];
    return a.keyword.valid() && text.text(a.keyword) == "rank" && given.kind == ir::ExprKind::Name &&
           given.symbol == parameter;
  };
  return std::ranges::any_of(function.blocks, [&](const ir::Block& block) {
    return std::ranges::any_of(block.instructions, [&](const ir::Instruction& i) {
      return i.kind == ir::InstructionKind::Call && std::ranges::any_of(ir::arguments(function, i), is_rank) &&
             sets_up(i);
    });
  });
}

}  // namespace ranklint
