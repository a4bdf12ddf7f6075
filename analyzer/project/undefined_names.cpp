#include "analyzer/project/undefined_names.h"

#include <algorithm>
#include <set>

#include "analyzer/flow/graph.h"
#include "analyzer/resolve/callee_role.h"
#include "analyzer/summary/query.h"

namespace ranklint {
namespace {

// The names that one function may read.
class Defined {
 public:
  Defined(const Program& program, FunctionKey f)
      : index_(program.index()), roles_(program.models().roles()), module_(index_.functions()[f].module) {
    for (FunctionKey around = f; around.valid(); around = index_.functions()[around].parent)
      names_.merge(bound_names(index_, around));
    const ir::Module& module = index_.modules()[module_];
    for (ir::FunctionId id{0}; id.index < module.functions.size(); ++id.index) read(index_.key(module_, id));
  }

  bool has(Symbol name) const {
    return has_any_ || SymbolTable::is_temporary(name) || names_.contains(name) ||
           roles_.play(index_.names().text(name), Role::AlwaysDefined);
  }

 private:
  void read(FunctionKey f) {
    const ir::Function& function = index_.function(f);
    if (function.kind == ir::FunctionKind::Module) names_.merge(bound_names(index_, f));
    for (const Symbol global : function.globals) names_.insert(index_.name(module_, global));
    for (const ir::Block& block : function.blocks)
      for (const ir::Instruction& i : block.instructions) {
        const bool takes_all = i.kind == ir::InstructionKind::Import && !i.target.valid();
        has_any_ |= takes_all || (i.kind == ir::InstructionKind::Call && defines_names(function, i.value));
      }
  }

  // `globals()[name] = value`, `exec(text)`
  bool defines_names(const ir::Function& function, ir::ExprId callee) const {
    return function.exprs[callee].kind == ir::ExprKind::Name &&
           roles_.play(index_.modules()[module_].text(function.exprs[callee].symbol), Role::DefinesNames);
  }

  const ProjectIndex& index_;
  const Roles& roles_;
  ModuleKey module_;
  std::set<Symbol> names_;
  bool has_any_ = false;
};

class ReadsBefore {
 public:
  ReadsBefore(const Program& program, FunctionKey f)
      : index_(program.index()),
        function_(index_.function(f)),
        module_(index_.functions()[f].module),
        defined_(program, f) {}

  std::optional<SourceRange> of(const SourceRange& place) const {
    const FlowGraph flow(function_);
    const auto holds = [&](ir::BlockId b) { return flow.reachable(b) && lies_in_block(place, function_.blocks[b]); };
    const auto at = std::ranges::find_if(flow.order(), holds);
    if (at == flow.order().end()) return std::nullopt;
    for (const ir::BlockId b : flow.order()) {
      if (!flow.dominates(b, *at) || function_.blocks[b].handler.valid()) continue;
      for (const ir::Instruction& i : function_.blocks[b].instructions) {
        if (reads_undefined(i)) return i.range;
        if (b == *at && i.range.contains(place)) break;
      }
    }
    return std::nullopt;
  }

 private:
  static bool lies_in_block(const SourceRange& place, const ir::Block& block) {
    return block.terminator.range.contains(place) ||
           std::ranges::any_of(block.instructions, [&](const ir::Instruction& i) { return i.range.contains(place); });
  }

  bool reads_undefined(const ir::Instruction& i) const {
    return (i.value.valid() && reads_undefined(i.value)) ||
           std::ranges::any_of(ir::arguments(function_, i),
                               [&](const ir::Argument& a) { return reads_undefined(a.value); });
  }

  // In what is surely evaluated.
  bool reads_undefined(ir::ExprId e) const {
    const ir::Expr& expr = function_.exprs[e];
    const auto children = ir::children(function_, e);
    switch (expr.kind) {
      case ir::ExprKind::Name: return !defined_.has(index_.name(module_, expr.symbol));
      case ir::ExprKind::And:
      case ir::ExprKind::Or:
      case ir::ExprKind::Conditional: return reads_undefined(children[0]);
      case ir::ExprKind::Function:
      case ir::ExprKind::Class: return false;
      default: return std::ranges::any_of(children, [&](ir::ExprId child) { return reads_undefined(child); });
    }
  }

  const ProjectIndex& index_;
  const ir::Function& function_;
  ModuleKey module_;
  Defined defined_;
};

}  // namespace

std::optional<SourceRange> UndefinedNames::read_before(FunctionKey f, const SourceRange& place) const {
  const ir::Module& module = program_.index().modules()[program_.index().functions()[f].module];
  if (!module.has(ir::Convention::DeclaresNoTypes)) return std::nullopt;
  return ReadsBefore(program_, f).of(place);
}

}  // namespace ranklint
