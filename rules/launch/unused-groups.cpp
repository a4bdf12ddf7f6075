#include "rules/launch/unused-groups.h"

#include <algorithm>
#include <set>

#include "analyzer/resolve/callee_role.h"

namespace ranklint {
namespace {

// Variables of modules in which a function keeps what a variable of its own holds.
struct KeptIn {
  std::set<Symbol> own;        // of its module
  std::set<Symbol> elsewhere;  // of another: `comm.group = made`
};

class GroupUses {
 public:
  GroupUses(const ProjectIndex& index, const Roles& roles, FunctionKey f)
      : index_(index), roles_(roles), key_(f), module_(index.functions()[f].module), text_(index.modules()[module_]) {}

  // Of what one instruction gives its target.
  bool none_of(const ir::Instruction& made) const {
    if (!made.target.valid()) return true;
    const ir::Function& f = index_.function(key_);
    if (f.exprs[made.target].kind != ir::ExprKind::Name) return false;
    const Symbol name = f.exprs[made.target].symbol;
    // Read as `C.group`, or by the function around it.
    if (f.kind == ir::FunctionKind::ClassBody || std::ranges::find(f.nonlocals, name) != f.nonlocals.end())
      return false;
    return is_global(f, name) ? !is_global_used(name) : !is_local_used(f, name);
  }

 private:
  static bool is_global(const ir::Function& f, Symbol name) {
    return f.kind == ir::FunctionKind::Module || std::ranges::find(f.globals, name) != f.globals.end();
  }

  // A name that is handed on to a variable of a module only is used as that one is.
  bool is_local_used(const ir::Function& f, Symbol name) const {
    for (const ir::Function& inner : text_.functions)
      if (&inner != &f && inner.kind != ir::FunctionKind::Function && uses_name(module_, inner, name)) return true;
    for (uint32_t i = 0; i < text_.functions.size(); ++i) {
      const FunctionKey inner = index_.key(module_, ir::FunctionId{i});
      if (index_.functions()[inner].parent == key_ && uses_name(module_, index_.function(inner), name)) return true;
    }
    KeptIn kept;
    return uses_name(module_, f, name, &kept) ||
           std::ranges::any_of(kept.own, [&](Symbol variable) { return is_global_used(variable); }) ||
           std::ranges::any_of(kept.elsewhere, [&](Symbol variable) { return is_used_anywhere(variable); });
  }

  bool is_global_used(Symbol name) const {
    return std::ranges::any_of(text_.functions, [&](const ir::Function& f) { return uses_name(module_, f, name); }) ||
           is_named_elsewhere(name, false);
  }

  // Of another module, as its own functions call it or as others do.
  bool is_used_anywhere(Symbol name) const { return is_named_elsewhere(name, true); }

  bool is_named_elsewhere(Symbol name, bool by_bare_name) const {
    const std::string_view word = text_.text(name);
    for (ModuleKey m{0}; m.index < index_.modules().size(); ++m.index) {
      const ir::Module& module = index_.modules()[m];
      const Symbol there = module.symbols.find(word);
      if (there.valid() && std::ranges::any_of(module.functions, [&](const ir::Function& f) {
            return names_from_outside(m, f, there) || (by_bare_name && uses_name(m, f, there));
          }))
        return true;
    }
    return false;
  }

  // `parallel.group`, `from parallel import group`
  bool names_from_outside(ModuleKey module, const ir::Function& f, Symbol name) const {
    const auto imports = [&](const ir::Instruction& i) {
      return i.kind == ir::InstructionKind::Import && i.name == name;
    };
    return std::ranges::any_of(
               f.blocks, [&](const ir::Block& block) { return std::ranges::any_of(block.instructions, imports); }) ||
           uses(module, f, [&](ir::ExprId e) {
             const ir::Expr& expr = f.exprs[e];
             return (expr.kind == ir::ExprKind::Attribute || expr.kind == ir::ExprKind::String) && expr.symbol == name;
           });
  }

  bool uses_name(ModuleKey module, const ir::Function& f, Symbol name, KeptIn* kept = nullptr) const {
    return uses(
        module, f, [&](ir::ExprId e) { return f.exprs[e].kind == ir::ExprKind::Name && f.exprs[e].symbol == name; },
        kept);
  }

  // Whether the function does something with what is such. `kept`: the variables that it is kept in as it is, which is
  // no use.
  template <typename IsIt>
  bool uses(ModuleKey module, const ir::Function& f, const IsIt& is_it, KeptIn* kept = nullptr) const {
    const auto used = [&](ir::ExprId e) { return uses_in(f, e, is_it); };
    for (const ir::Block& block : f.blocks) {
      for (const ir::Instruction& i : block.instructions) {
        const bool sets = i.target.valid() && is_it(i.target);
        const bool is_kept = kept && i.kind == ir::InstructionKind::Assign && i.value.valid() && is_it(i.value) &&
                             keep(module, f, i.target, *kept);
        if ((!is_kept && used(i.value)) || (!sets && used(i.target))) return true;
        const bool asks = i.kind == ir::InstructionKind::Call &&
                          role_of(roles_, index_, module, f, i.value, Role::AsksGroup) != nullptr;
        if (std::ranges::any_of(ir::arguments(f, i),
                                [&](const ir::Argument& a) { return !(asks && is_it(a.value)) && used(a.value); }))
          return true;
      }
      if (used(block.terminator.value)) return true;
    }
    return std::ranges::any_of(f.parameters, [&](const ir::Parameter& p) { return used(p.default_value); });
  }

  // Except for a comparison with None.
  template <typename IsIt>
  static bool uses_in(const ir::Function& f, ir::ExprId e, const IsIt& is_it) {
    if (!e.valid()) return false;
    if (is_it(e)) return true;
    const auto parts = ir::children(f, e);
    const bool compares = f.exprs[e].kind == ir::ExprKind::Binary && std::ranges::any_of(parts, [&](ir::ExprId part) {
                            return f.exprs[part].kind == ir::ExprKind::None;
                          });
    return std::ranges::any_of(parts,
                               [&](ir::ExprId part) { return !(compares && is_it(part)) && uses_in(f, part, is_it); });
  }

  // Whether the target is a variable of a module.
  bool keep(ModuleKey module, const ir::Function& f, ir::ExprId target, KeptIn& kept) const {
    if (!target.valid()) return false;
    const ir::Expr& expr = f.exprs[target];
    if (expr.kind == ir::ExprKind::Name && is_global(f, expr.symbol)) return kept.own.insert(expr.symbol), true;
    if (expr.kind != ir::ExprKind::Attribute ||
        index_.resolve(module, f, ir::children(f, target)[0]).kind != Entity::Kind::Module)
      return false;
    return kept.elsewhere.insert(expr.symbol), true;
  }

  const ProjectIndex& index_;
  const Roles& roles_;
  const FunctionKey key_;
  const ModuleKey module_;
  const ir::Module& text_;
};

}  // namespace

bool is_used_nowhere(const ProjectIndex& index, const Roles& roles, const CallSite& call) {
  const ir::Instruction& made = index.function(call.function).blocks[call.block].instructions[call.instruction];
  return GroupUses(index, roles, call.function).none_of(made);
}

}  // namespace ranklint
