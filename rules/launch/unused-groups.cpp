#include "rules/launch/unused-groups.h"

#include <algorithm>
#include <set>

namespace ranklint {
namespace {

class Readers {
 public:
  Readers(const ProjectIndex& index, FunctionKey f)
      : index_(index), key_(f), module_(index.functions()[f].module), text_(index.modules()[module_]) {}

  // Of what one instruction gives its target.
  bool none_of(const ir::Instruction& made) const {
    if (!made.target.valid()) return true;
    const ir::Function& f = index_.function(key_);
    if (f.exprs[made.target].kind != ir::ExprKind::Name) return false;
    const Symbol name = f.exprs[made.target].symbol;
    // Read as `C.group`, or by the function around it.
    if (f.kind == ir::FunctionKind::ClassBody || std::ranges::find(f.nonlocals, name) != f.nonlocals.end())
      return false;
    return is_global(f, name) ? !is_global_read(name) : !is_local_read(f, name);
  }

 private:
  static bool is_global(const ir::Function& f, Symbol name) {
    return f.kind == ir::FunctionKind::Module || std::ranges::find(f.globals, name) != f.globals.end();
  }

  // A name that is handed on to a variable of the module only is read as that one is.
  bool is_local_read(const ir::Function& f, Symbol name) const {
    for (const ir::Function& inner : text_.functions)
      if (&inner != &f && inner.kind != ir::FunctionKind::Function && reads(inner, name, nullptr)) return true;
    for (uint32_t i = 0; i < text_.functions.size(); ++i) {
      const FunctionKey inner = index_.key(module_, ir::FunctionId{i});
      if (index_.functions()[inner].parent == key_ && reads(index_.function(inner), name, nullptr)) return true;
    }
    std::set<Symbol> kept_in;
    return reads(f, name, &kept_in) ||
           std::ranges::any_of(kept_in, [&](Symbol variable) { return is_global_read(variable); });
  }

  bool is_global_read(Symbol name) const {
    if (std::ranges::any_of(text_.functions, [&](const ir::Function& f) { return reads(f, name, nullptr); }))
      return true;
    const std::string_view word = text_.text(name);
    return std::ranges::any_of(index_.modules(), [&](const ir::Module& module) {
      const Symbol there = module.symbols.find(word);
      return there.valid() &&
             std::ranges::any_of(module.functions, [&](const ir::Function& f) { return names_elsewhere(f, there); });
    });
  }

  // `parallel.group`, `from parallel import group`
  static bool names_elsewhere(const ir::Function& f, Symbol name) {
    const auto is_it = [&](const ir::Expr& e) {
      return (e.kind == ir::ExprKind::Attribute || e.kind == ir::ExprKind::String) && e.symbol == name;
    };
    if (std::ranges::any_of(f.exprs, is_it)) return true;
    return std::ranges::any_of(f.blocks, [&](const ir::Block& block) {
      return std::ranges::any_of(block.instructions, [&](const ir::Instruction& i) {
        return i.kind == ir::InstructionKind::Import && i.name == name;
      });
    });
  }

  // `kept_in`: the variables of the module that are given the name as it is, which is no reading.
  static bool reads(const ir::Function& f, Symbol name, std::set<Symbol>* kept_in) {
    const auto is_it = [&](ir::ExprId e) { return f.exprs[e].kind == ir::ExprKind::Name && f.exprs[e].symbol == name; };
    for (const ir::Block& block : f.blocks) {
      for (const ir::Instruction& i : block.instructions) {
        const bool keeps = kept_in && i.kind == ir::InstructionKind::Assign && i.value.valid() && is_it(i.value) &&
                           i.target.valid() && f.exprs[i.target].kind == ir::ExprKind::Name &&
                           is_global(f, f.exprs[i.target].symbol);
        if (keeps) kept_in->insert(f.exprs[i.target].symbol);
        const bool sets = i.target.valid() && is_it(i.target);
        if ((!keeps && ir::any_part(f, i.value, is_it)) || (!sets && ir::any_part(f, i.target, is_it)) ||
            std::ranges::any_of(ir::arguments(f, i),
                                [&](const ir::Argument& a) { return ir::any_part(f, a.value, is_it); }))
          return true;
      }
      if (ir::any_part(f, block.terminator.value, is_it)) return true;
    }
    return false;
  }

  const ProjectIndex& index_;
  const FunctionKey key_;
  const ModuleKey module_;
  const ir::Module& text_;
};

}  // namespace

bool is_read_nowhere(const ProjectIndex& index, const CallSite& call) {
  const ir::Instruction& made = index.function(call.function).blocks[call.block].instructions[call.instruction];
  return Readers(index, call.function).none_of(made);
}

}  // namespace ranklint
