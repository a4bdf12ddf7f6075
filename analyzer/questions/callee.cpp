#include "analyzer/questions/callee.h"

#include <algorithm>

#include "analyzer/ir/any_instruction.h"
#include "analyzer/resolve/dotted.h"

namespace ranklint {

std::string_view name_of_callee(const FunctionCode& code, const ir::Instruction& call) {
  const ir::Expr& callee = code.ir.exprs[call.value];
  return callee.kind == ir::ExprKind::Attribute || callee.kind == ir::ExprKind::Name ? code.text.text(callee.symbol)
                                                                                     : std::string_view();
}

template <typename Is>
static bool names_any(const FunctionCode& code, const Is& is_it) {
  return std::ranges::any_of(code.ir.exprs, [&](const ir::Expr& e) {
    return (e.kind == ir::ExprKind::Attribute || e.kind == ir::ExprKind::Name) && is_it(code.text.text(e.symbol));
  });
}

bool names_one(const Query& in, const FunctionCode& code, Role role) {
  return names_any(code, [&](std::string_view name) { return in.roles().play(name, role); });
}

bool names_one(const Query& in, const FunctionCode& code, NameMeaning meaning) {
  return names_any(code, [&](std::string_view name) { return in.priors().suggest(name, meaning); });
}

bool programs_name(const Query& in, FunctionKey f, Role role) {
  const ProjectIndex& index = in.index();
  const std::vector<ModuleKey> files = in.program().sharding().files_around(index.functions()[f].module);
  return std::ranges::any_of(files, [&](ModuleKey file) {
    return std::ranges::any_of(in.roles().names_in(role), [&](const std::string& name) {
      return index.modules()[file].symbols.find(last_part(name)).valid();
    });
  });
}

bool is_made_at(const Query& in, ValueId v, const Site& call) {
  const Site* made = v.valid() ? in.made_at(v) : nullptr;
  return made && made->function == call.function && made->block == call.block && made->instruction == call.instruction;
}

// `import os` within the function.
static bool is_module_imported_within(const FunctionCode& code, ir::ExprId e) {
  const auto& exprs = code.ir.exprs;
  return exprs[e].kind == ir::ExprKind::Name && ir::any_instruction(code.ir, [&](const ir::Instruction& i) {
           return i.kind == ir::InstructionKind::Import && !i.name.valid() && i.target.valid() &&
                  exprs[i.target].kind == ir::ExprKind::Name && exprs[i.target].symbol == exprs[e].symbol;
         });
}

bool names_library(const ProjectIndex& index, const FunctionCode& code, ir::ExprId e) {
  return e.valid() &&
         (index.resolve(code.module, code.ir, e).kind == Entity::Kind::External || is_module_imported_within(code, e));
}

bool names_in_library(const ProjectIndex& index, const FunctionCode& code, ir::ExprId e) {
  return code.ir.exprs[e].kind == ir::ExprKind::Attribute && names_library(index, code, ir::children(code.ir, e)[0]);
}

bool is_mode_of_file(std::string_view text) {
  constexpr size_t kLongestMode = 3;
  return text.size() <= kLongestMode && text.find_first_not_of("rwaxbt+") == text.npos;
}

// Whether the call is given a mode that has one of the letters.
static bool is_opened_by(const FunctionCode& code, const ir::Instruction& call, std::string_view letters) {
  return std::ranges::any_of(ir::arguments(code.ir, call), [&](const ir::Argument& a) {
    if (code.ir.exprs[a.value].kind != ir::ExprKind::String) return false;
    const std::string_view mode = code.text.text(code.ir.exprs[a.value].symbol);
    return is_mode_of_file(mode) && mode.find_first_of(letters) != mode.npos;
  });
}

bool opens_to_write(const FunctionCode& code, const ir::Instruction& call) { return is_opened_by(code, call, "wax"); }

bool opens_to_append(const FunctionCode& code, const ir::Instruction& call) { return is_opened_by(code, call, "a"); }

}  // namespace ranklint
