// Objects that are made in one function and used in another:
//
//     hooks = [EvalHook(loader)]
//     trainer = Trainer(Dist(), hooks)     # class Trainer: def __init__(self, dist, hooks): ...
//
// What is read is the text alone: the name that is handed over was given an object of the class above the call, in the same
// function, and nothing else anywhere in it. Elements of a list are of the class that all of them share.
#include <algorithm>

#include "analyzer/summary/handed.h"
#include "analyzer/variance/values.h"

namespace ranklint {
namespace {

class Reader {
 public:
  Reader(const ProjectIndex& index, FunctionKey f)
      : index_(index), module_(index.functions()[f].module), ir_(index.modules()[module_]), key_(f), f_(index.function(f)) {}

  // Each argument that is such an object, or a list of them.
  template <typename Found>
  void read(Found found) {
    find_objects();
    if (std::ranges::none_of(classes_, [](const auto& named) { return named.second.valid(); })) return;
    find_lists();
    for (const ir::Block& block : f_.blocks)
      for (const ir::Instruction& i : block.instructions) {
        if (i.kind != ir::InstructionKind::Call || !hands_over(i)) continue;
        for (const HandedArgument& a : handed_arguments(index_, key_, i)) {
          if (const ClassKey c = class_of(a.value); c.valid()) found(a, c, false);
          else if (const ClassKey element = element_class_of(a.value); element.valid()) found(a, element, true);
        }
      }
  }

 private:
  template <typename Seen>
  void each_assignment(Seen seen) const {
    for (const ir::Block& block : f_.blocks) {
      for (const ir::Instruction& i : block.instructions)
        if (i.target.valid() && f_.exprs[i.target].kind == ir::ExprKind::Name) seen(f_.exprs[i.target].symbol, &i);
      const ir::Terminator& end = block.terminator;
      if (end.target.valid() && f_.exprs[end.target].kind == ir::ExprKind::Name) seen(f_.exprs[end.target].symbol, nullptr);
    }
  }

  // By all names; invalid: something else, or more than one thing.
  void find_objects() {
    each_assignment([&](Symbol name, const ir::Instruction* i) {
      add(classes_, name, i && i->kind == ir::InstructionKind::Call ? class_made(*i) : ClassKey{});
    });
  }

  void find_lists() {
    each_assignment([&](Symbol name, const ir::Instruction* i) {
      const ClassKey element = i && i->kind == ir::InstructionKind::Assign ? element_class_of(i->value) : ClassKey{};
      if (element.valid() || lists_.contains(name)) add(lists_, name, element);
    });
  }

  // Invalid once two assignments differ.
  static void add(std::map<Symbol, ClassKey>& classes, Symbol name, ClassKey c) {
    const auto [place, is_new] = classes.emplace(name, c);
    if (!is_new && place->second != c) place->second = {};
  }

  // Asked by its name first: resolving every call of a project would take too long.
  ClassKey class_made(const ir::Instruction& i) const {
    const ir::Expr& callee = f_.exprs[i.value];
    if (callee.kind != ir::ExprKind::Name && callee.kind != ir::ExprKind::Attribute) return {};
    std::string_view name = ir_.text(callee.symbol);
    name.remove_prefix(std::min(name.find_first_not_of('_'), name.size()));
    if (name.empty() || name.front() < 'A' || name.front() > 'Z') return {};
    const Entity entity = index_.resolve(module_, f_, i.value);
    return entity.kind == Entity::Kind::Class ? entity.klass : ClassKey{};
  }

  bool hands_over(const ir::Instruction& i) const {
    for (const ir::Argument& a : ir::arguments(f_, i))
      if (a.value.valid() && (class_of(a.value).valid() || element_class_of(a.value).valid())) return true;
    return false;
  }

  ClassKey class_of(ir::ExprId e) const {
    const auto found = f_.exprs[e].kind == ir::ExprKind::Name ? classes_.find(f_.exprs[e].symbol) : classes_.end();
    return found == classes_.end() ? ClassKey{} : found->second;
  }

  ClassKey element_class_of(ir::ExprId e) const {
    if (f_.exprs[e].kind == ir::ExprKind::Name) {
      const auto found = lists_.find(f_.exprs[e].symbol);
      return found == lists_.end() ? ClassKey{} : found->second;
    }
    if (f_.exprs[e].kind != ir::ExprKind::List && f_.exprs[e].kind != ir::ExprKind::Tuple) return {};
    ClassKey all;
    for (ir::ExprId element : ir::children(f_, e)) {
      const ClassKey c = class_of(element);
      if (!c.valid()) return {};
      all = all.valid() ? common_class(index_, all, c) : c;
      if (!all.valid()) return {};
    }
    return all;
  }

  const ProjectIndex& index_;
  const ModuleKey module_;
  const ir::Module& ir_;
  const FunctionKey key_;
  const ir::Function& f_;
  std::map<Symbol, ClassKey> classes_, lists_;
};

}  // namespace

void HandedTypes::read_objects(ModuleKey module) {
  for (uint32_t f = 0; f < index_.modules()[module].functions.size(); ++f)
    Reader(index_, index_.key(module, ir::FunctionId{f})).read([&](const HandedArgument& a, ClassKey c, bool is_list) {
      (is_list ? lists_handed_ : objects_handed_)[{a.callee, a.parameter}].push_back({module, ValueStore::type_of_class(c)});
    });
}

}  // namespace ranklint
