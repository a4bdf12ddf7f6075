#include "analyzer/summary/handed.h"

#include <algorithm>

#include "analyzer/variance/values.h"

namespace ranklint {

NamedCallee named_callee(const ProjectIndex& index, FunctionKey caller, const ir::Instruction& call) {
  const ModuleKey module = index.functions()[caller].module;
  const ir::Function& f = index.function(caller);
  const Entity entity = index.resolve(module, f, call.value);
  if (entity.kind == Entity::Kind::Class) return {index.find_method(entity.klass, index.spell("__init__")), 1};
  if (entity.function.valid() || f.exprs[call.value].kind != ir::ExprKind::Attribute) return {entity.function, 0};
  const ir::Expr& base = f.exprs[ir::children(f, call.value)[0]];
  const ClassKey c = base.kind == ir::ExprKind::Name ? index.class_of_self(caller, base.symbol) : ClassKey{};
  return {c.valid() ? index.find_method(c, index.name(module, f.exprs[call.value].symbol)) : FunctionKey{}, 1};
}

std::vector<HandedArgument> handed_arguments(const ProjectIndex& index, FunctionKey caller, const ir::Instruction& call) {
  const ModuleKey module = index.functions()[caller].module;
  const ir::Function& f = index.function(caller);
  auto [callee, position] = named_callee(index, caller, call);
  std::vector<HandedArgument> handed;
  if (!callee.valid()) return handed;
  const ir::Function& to = index.function(callee);
  const ModuleKey its_module = index.functions()[callee].module;
  for (const ir::Argument& a : ir::arguments(f, call)) {
    if (a.kind == ir::ArgumentKind::Star || a.kind == ir::ArgumentKind::DoubleStar) break;
    const auto count = static_cast<uint32_t>(to.parameters.size());
    uint32_t p = a.kind == ir::ArgumentKind::Positional ? position++ : count;
    if (a.kind == ir::ArgumentKind::Keyword)
      for (uint32_t q = 0; q < count; ++q)
        if (index.name(its_module, to.parameters[q].name) == index.name(module, a.keyword)) p = q;
    const bool is_one = p < count && to.parameters[p].kind != ir::ParameterKind::Star && to.parameters[p].kind != ir::ParameterKind::DoubleStar;
    if (is_one && a.value.valid()) handed.push_back({callee, p, a.value});
  }
  return handed;
}

ClassKey common_class(const ProjectIndex& index, ClassKey a, ClassKey b) {
  const auto& bases = index.linearization(b);
  for (ClassKey base : index.linearization(a))
    if (std::ranges::find(bases, base) != bases.end()) return base;
  return {};
}

uint32_t HandedTypes::type_of(FunctionKey f, uint32_t parameter) {
  read_new_modules();
  const uint32_t model = agreed(models_handed_, f, parameter);
  return model ? model : agreed(objects_handed_, f, parameter);
}

uint32_t HandedTypes::element_type_of(FunctionKey f, uint32_t parameter) {
  read_new_modules();
  return agreed(lists_handed_, f, parameter);
}

std::optional<uint32_t> HandedTypes::type_of_captured(FunctionKey f, Symbol name) {
  const FunctionKey outer = index_.functions()[f].parent;
  if (outer_read_.insert(outer).second) {
    const ModuleKey module = index_.functions()[outer].module;
    std::vector<FunctionKey> inner;
    for (uint32_t i = 0; i < index_.modules()[module].functions.size(); ++i)
      if (const FunctionKey g = index_.key(module, ir::FunctionId{i}); index_.functions()[g].parent == outer) inner.push_back(g);
    read_captured_objects(outer, inner);
    read_captured_models(outer, inner);
  }
  const auto found = captured_.find({f, name});
  return found == captured_.end() ? std::nullopt : std::optional(found->second);
}

void HandedTypes::read_new_modules() {
  if (modules_read_ < index_.modules().size()) read_given_back(modules_read_);
  for (; modules_read_ < index_.modules().size(); ++modules_read_) {
    const ModuleKey module{modules_read_};
    if (index_.modules()[module].language != "python") continue;
    read_models(module);
    read_objects(module);
  }
}

// What the callers say that say anything: of a library's types the first, of classes the one that all of them share.
uint32_t HandedTypes::agreed(const Sites& sites, FunctionKey f, uint32_t parameter) const {
  const auto found = sites.find({f, parameter});
  if (found == sites.end()) return 0;
  uint32_t type = 0;
  for (const Site& site : found->second) {
    if (is_left_out(site)) continue;
    if (!type) type = site.type;
    const ClassKey told = ValueStore::class_of_type(type), here = ValueStore::class_of_type(site.type);
    if (told.valid() != here.valid()) return 0;
    if (!told.valid() || is_same(told, here)) continue;
    const ClassKey shared = common_class(index_, told, here);
    if (!shared.valid()) return 0;
    type = ValueStore::type_of_class(shared);
  }
  return type;
}

// Or two states of one.
bool HandedTypes::is_same(ClassKey a, ClassKey b) const {
  const ir::Module &of_a = index_.modules()[index_.classes()[a].module], &of_b = index_.modules()[index_.classes()[b].module];
  return of_a.path == of_b.path && of_a.text(index_.klass(a).qualified_name) == of_b.text(index_.klass(b).qualified_name);
}

}  // namespace ranklint
