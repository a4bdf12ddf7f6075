#include "analyzer/compare/handed_containers.h"

#include <algorithm>

namespace ranklint {

bool is_from_handed_container(Interpreter& interpreter, FunctionKey f, ValueId v) {
  const ValueStore& values = interpreter.values();
  const ProjectIndex& index = interpreter.index();
  const ir::Function& code = index.function(f);
  const ir::Module& text = index.modules()[index.functions()[f].module];
  // `state.items()` or `state.values()` of a parameter.
  const auto is_entries = [&](ValueId part) {
    if (values[part].kind != ValueKind::Opaque || !interpreter.knows(SiteId{values[part].a})) return false;
    const Site& site = interpreter.site(SiteId{values[part].a});
    if (site.function != f || site.instruction >= code.blocks[site.block].instructions.size()) return false;
    const ir::Instruction& i = code.blocks[site.block].instructions[site.instruction];
    if (i.kind != ir::InstructionKind::Call || code.exprs[i.value].kind != ir::ExprKind::Attribute) return false;
    const std::string_view method = text.text(code.exprs[i.value].symbol);
    const ir::Expr& of = code.exprs[ir::children(code, i.value)[0]];
    if ((method != "items" && method != "values") || of.kind != ir::ExprKind::Name) return false;
    return std::any_of(code.parameters.begin(), code.parameters.end(), [&](const ir::Parameter& p) { return p.name == of.symbol; });
  };
  return v.valid() && values.find_part(v, is_entries).valid();
}

}  // namespace ranklint
