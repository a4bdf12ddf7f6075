// One function as it is written: syntactic evidence along a witness path. Unlike FunctionCode it needs no summary, and
// identifies things by their position in the text.
#pragma once

#include <algorithm>

#include "analyzer/ir/any_instruction.h"
#include "analyzer/resolve/index.h"

namespace ranklint {

class FunctionText {
 public:
  FunctionText(const ProjectIndex& project, FunctionKey f)
      : index(project),
        module(project.functions()[f].module),
        words(project.modules()[module]),
        ir(project.function(f)) {}

  const ProjectIndex& index;
  const ModuleKey module;
  const ir::Module& words;
  const ir::Function& ir;

  template <typename Wanted>
  bool any(const Wanted& wanted) const {
    return ir::any_instruction(ir, wanted);
  }
  template <typename Wanted>
  bool any_call(const Wanted& wanted) const {
    return any([&](const ir::Instruction& i) { return i.kind == ir::InstructionKind::Call && wanted(i); });
  }
  // Of the call that is written there.
  template <typename Wanted>
  bool any_argument_at(SourceRange call, const Wanted& wanted) const {
    return any_call(
        [&](const ir::Instruction& i) { return i.range == call && std::ranges::any_of(ir::arguments(ir, i), wanted); });
  }
  // Whether what a branch on the line of the guard asks is such.
  template <typename Wanted>
  bool any_asked_at(SourceRange guard, const Wanted& wanted) const {
    return std::ranges::any_of(ir.blocks, [&](const ir::Block& block) {
      const ir::Terminator& end = block.terminator;
      return end.kind == ir::TerminatorKind::Branch && end.range.line == guard.line && wanted(end.value);
    });
  }

  bool is(ir::ExprId e, ir::ExprKind kind) const { return e.valid() && ir.exprs[e].kind == kind; }
  bool is_binary(ir::ExprId e, ir::Operator op) const { return is(e, ir::ExprKind::Binary) && ir.exprs[e].op == op; }
  // The last part of `x` and of `a.x`. Invalid for anything else.
  Symbol name_of(ir::ExprId e) const {
    return is(e, ir::ExprKind::Name) || is(e, ir::ExprKind::Attribute) ? ir.exprs[e].symbol : Symbol{};
  }
  std::string_view word_of(ir::ExprId e) const {
    const Symbol name = name_of(e);
    return name.valid() ? words.text(name) : std::string_view();
  }
  bool gives_name(const ir::Instruction& i, Symbol name) const {
    return is(i.target, ir::ExprKind::Name) && ir.exprs[i.target].symbol == name;
  }
  std::string_view keyword(const ir::Argument& a) const {
    return a.kind == ir::ArgumentKind::Keyword ? words.text(a.keyword) : std::string_view();
  }
};

}  // namespace ranklint
