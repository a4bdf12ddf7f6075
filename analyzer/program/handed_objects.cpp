// Objects that are made in one function and used in another:
//
//     hooks = [EvalHook(loader)]
//     trainer = Trainer(Dist(), hooks)     # class Trainer: def __init__(self, dist, hooks): ...
//
// What is read is the text alone: the name that is handed over was given an object of the class in the same function,
// and nothing else anywhere in it. Functions within that function are handed all its names. Elements of a list are of
// the class that all of them share.
#include <algorithm>

#include "analyzer/program/handed.h"
#include "analyzer/variance/values.h"

namespace ranklint {
namespace {

class ObjectReader {
 public:
  ObjectReader(const ProjectIndex& index, const Models& models, FunctionKey f)
      : index_(index),
        models_(models),
        module_(index.functions()[f].module),
        ir_(index.modules()[module_]),
        key_(f),
        f_(index.function(f)) {
    find_objects();
  }

  // By all names that are given something; 0: something else, or more than one thing.
  const std::map<Symbol, uint32_t>& objects() const { return objects_; }

  // Each argument that is such an object, or a list of them.
  template <typename Found>
  void read(Found found) {
    if (std::ranges::none_of(objects_, [](const auto& named) { return named.second != 0; })) return;
    find_lists();
    for (const ir::Block& block : f_.blocks)
      for (const ir::Instruction& i : block.instructions) {
        if (i.kind != ir::InstructionKind::Call || !hands_over(i)) continue;
        for (const HandedArgument& a : handed_arguments(index_, key_, i)) {
          if (const uint32_t type = type_of(a.value))
            found(a, type, false);
          else if (const ClassKey element = element_class_of(a.value); element.valid())
            found(a, ValueStore::type_of_class(element), true);
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
      if (end.target.valid() && f_.exprs[end.target].kind == ir::ExprKind::Name)
        seen(f_.exprs[end.target].symbol, nullptr);
    }
  }

  void find_objects() {
    each_assignment([&](Symbol name, const ir::Instruction* i) {
      add(objects_, name, i && i->kind == ir::InstructionKind::Call ? type_made(*i) : 0);
    });
  }

  void find_lists() {
    each_assignment([&](Symbol name, const ir::Instruction* i) {
      const ClassKey element = i && i->kind == ir::InstructionKind::Assign ? element_class_of(i->value) : ClassKey{};
      if (element.valid() || lists_.contains(name)) add(lists_, name, element);
    });
  }

  // Nothing once two assignments differ.
  template <typename Type>
  static void add(std::map<Symbol, Type>& types, Symbol name, Type type) {
    const auto [place, is_new] = types.emplace(name, type);
    if (!is_new && place->second != type) place->second = {};
  }

  // Asked by its name first: resolving every call of a project would take too long.
  uint32_t type_made(const ir::Instruction& i) const {
    const ir::Expr& callee = f_.exprs[i.value];
    if (callee.kind != ir::ExprKind::Name && callee.kind != ir::ExprKind::Attribute) return 0;
    std::string_view name = ir_.text(callee.symbol);
    name.remove_prefix(std::min(name.find_first_not_of('_'), name.size()));
    if (name.empty() || name.front() < 'A' || name.front() > 'Z') return 0;
    const Entity entity = index_.resolve(module_, f_, i.value);
    if (entity.kind == Entity::Kind::Class) return ValueStore::type_of_class(entity.klass);
    const Model* model =
        entity.kind == Entity::Kind::External ? models_.find(index_.names().text(entity.name)) : nullptr;
    return model && model->kind == ModelKind::Class ? ValueStore::type_of_external(index_.intern(model->instance)) : 0;
  }

  bool hands_over(const ir::Instruction& i) const {
    for (const ir::Argument& a : ir::arguments(f_, i))
      if (a.value.valid() && (type_of(a.value) || element_class_of(a.value).valid())) return true;
    return false;
  }

  uint32_t type_of(ir::ExprId e) const {
    const auto found = f_.exprs[e].kind == ir::ExprKind::Name ? objects_.find(f_.exprs[e].symbol) : objects_.end();
    return found == objects_.end() ? 0 : found->second;
  }

  ClassKey element_class_of(ir::ExprId e) const {
    if (f_.exprs[e].kind == ir::ExprKind::Name) {
      const auto found = lists_.find(f_.exprs[e].symbol);
      return found == lists_.end() ? ClassKey{} : found->second;
    }
    if (f_.exprs[e].kind != ir::ExprKind::List && f_.exprs[e].kind != ir::ExprKind::Tuple) return {};
    ClassKey all;
    for (ir::ExprId element : ir::children(f_, e)) {
      const ClassKey c = ValueStore::class_of_type(type_of(element));
      if (!c.valid()) return {};
      all = all.valid() ? common_class(index_, all, c) : c;
      if (!all.valid()) return {};
    }
    return all;
  }

  const ProjectIndex& index_;
  const Models& models_;
  const ModuleKey module_;
  const ir::Module& ir_;
  const FunctionKey key_;
  const ir::Function& f_;
  std::map<Symbol, uint32_t> objects_;
  std::map<Symbol, ClassKey> lists_;
};

}  // namespace

void HandedTypes::read_objects(ModuleKey module) {
  for (uint32_t f = 0; f < index_.modules()[module].functions.size(); ++f)
    ObjectReader(index_, models_, index_.key(module, ir::FunctionId{f}))
        .read([&](const HandedArgument& a, uint32_t type, bool is_list) {
          (is_list ? lists_handed_ : objects_handed_)[{a.callee, a.parameter}].push_back({{module}, type});
        });
}

void HandedTypes::read_captured_objects(FunctionKey outer, std::span<const FunctionKey> inner) {
  const ObjectReader reader(index_, models_, outer);
  for (const auto& [name, type] : reader.objects())
    for (FunctionKey f : inner) captured_[{f, index_.name(index_.functions()[outer].module, name)}] = type;
}

}  // namespace ranklint
