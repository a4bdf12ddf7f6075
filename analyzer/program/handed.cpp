#include "analyzer/program/handed.h"

#include <algorithm>

#include "analyzer/ir/any_instruction.h"
#include "analyzer/resolve/builtins.h"
#include "analyzer/variance/values.h"

namespace ranklint {
namespace {

// The class that a call makes an object of.
ClassKey class_made(const ProjectIndex& index, FunctionKey f, const ir::Instruction& call) {
  if (call.kind != ir::InstructionKind::Call) return {};
  const Entity made = index.resolve(index.functions()[f].module, index.function(f), call.value);
  return made.kind == Entity::Kind::Class ? made.klass : ClassKey{};
}

// Of a variable that is given an object of one class, and nothing else; of a parameter by its annotation.
ClassKey class_of_variable(const ProjectIndex& index, FunctionKey key, Symbol name) {
  const ir::Function& f = index.function(key);
  ClassKey all;
  for (const ir::Parameter& p : f.parameters)
    if (p.name == name && p.annotation.valid())
      all = index.resolve(index.functions()[key].module, f, p.annotation).klass;
  for (const ir::Block& block : f.blocks) {
    const auto gives = [&](ir::ExprId target) {
      return target.valid() && ir::any_part(f, target, [&](ir::ExprId e) {
               return f.exprs[e].kind == ir::ExprKind::Name && f.exprs[e].symbol == name;
             });
    };
    for (const ir::Instruction& i : block.instructions) {
      if (!i.target.valid() || !gives(i.target)) continue;
      const bool is_all = f.exprs[i.target].kind == ir::ExprKind::Name;
      if (!is_all && f.exprs[i.target].kind != ir::ExprKind::Tuple) continue;  // `name.x = 1`
      const ClassKey made = is_all ? class_made(index, key, i) : ClassKey{};
      if (!made.valid() || (all.valid() && all != made)) return {};
      all = made;
    }
    if (gives(block.terminator.target)) return {};
  }
  return all;
}

// Of an attribute that one method gives an object, and nothing else.
ClassKey class_of_attribute(const ProjectIndex& index, ClassKey owner, Symbol name) {
  for (const ClassKey c : index.linearization(owner)) {
    const auto sites = index.classes()[c].attributes.find(name);
    if (sites == index.classes()[c].attributes.end()) continue;
    if (sites->second.size() != 1) return {};
    const AttributeSite& site = sites->second.front();
    const ir::Instruction& given = index.function(site.function).blocks[site.block].instructions[site.instruction];
    if (given.kind == ir::InstructionKind::Call) return class_made(index, site.function, given);
    if (!given.value.valid()) return {};  // `del self.name`
    const ir::Expr& value = index.function(site.function).exprs[given.value];
    return value.kind == ir::ExprKind::Name ? class_of_variable(index, site.function, value.symbol) : ClassKey{};
  }
  return {};
}

// Of the object whose method is called.
ClassKey class_of_object(const ProjectIndex& index, FunctionKey caller, ir::ExprId object) {
  const ir::Expr& e = index.function(caller).exprs[object];
  if (e.kind == ir::ExprKind::Name) {
    const ClassKey self = index.class_of_self(caller, e.symbol);
    return self.valid() ? self : class_of_variable(index, caller, e.symbol);
  }
  const Symbol attribute = own_attribute(index, caller, object);
  if (!attribute.valid()) return {};
  return class_of_attribute(
      index,
      index.class_of_self(caller, index.function(caller).exprs[ir::children(index.function(caller), object)[0]].symbol),
      attribute);
}

// `super().name`: the method of a base class.
FunctionKey method_of_base(const ProjectIndex& index, FunctionKey caller, ir::ExprId object, Symbol name) {
  const ir::Function& f = index.function(caller);
  const ClassKey owner = index.functions()[caller].owner;
  const ir::Instruction* call = owner.valid() ? ir::call_giving(f, object) : nullptr;
  if (!call || f.exprs[call->value].kind != ir::ExprKind::Name) return {};
  const ir::Module& text = index.modules()[index.functions()[caller].module];
  if (text.text(f.exprs[call->value].symbol) != name_of(Builtin::Super)) return {};
  for (const ClassKey base : index.linearization(owner))
    if (base != owner)
      if (const FunctionKey method = index.find_method(base, name); method.valid()) return method;
  return {};
}

}  // namespace

NamedCallee named_callee(const ProjectIndex& index, FunctionKey caller, const ir::Instruction& call) {
  const ModuleKey module = index.functions()[caller].module;
  const ir::Function& f = index.function(caller);
  const Entity entity = index.resolve(module, f, call.value);
  if (entity.kind == Entity::Kind::Class) return {index.find_method(entity.klass, index.intern("__init__")), 1};
  if (entity.function.valid() || f.exprs[call.value].kind != ir::ExprKind::Attribute) return {entity.function, 0};
  const ir::ExprId object = ir::children(f, call.value)[0];
  const Symbol name = index.name(module, f.exprs[call.value].symbol);
  const ClassKey c = class_of_object(index, caller, object);
  return {c.valid() ? index.find_method(c, name) : method_of_base(index, caller, object, name), 1};
}

std::vector<HandedArgument> handed_arguments(const ProjectIndex& index, FunctionKey caller,
                                             const ir::Instruction& call) {
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
    const bool is_one = p < count && to.parameters[p].kind != ir::ParameterKind::Star &&
                        to.parameters[p].kind != ir::ParameterKind::DoubleStar;
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

uint32_t HandedTypes::type_of(FunctionKey f, uint32_t parameter) const {
  const uint32_t model = agreed(models_handed_, f, parameter);
  return model ? model : agreed(objects_handed_, f, parameter);
}

std::vector<ClassKey> HandedTypes::classes_of(FunctionKey f, uint32_t parameter) const {
  std::vector<ClassKey> classes;
  const auto found = objects_handed_.find({f, parameter});
  if (found == objects_handed_.end()) return classes;
  for (const Site& site : found->second)
    if (const ClassKey c = ValueStore::class_of_type(site.type); c.valid() && !is_left_out(site)) classes.push_back(c);
  return classes;
}

uint32_t HandedTypes::element_type_of(FunctionKey f, uint32_t parameter) const {
  return agreed(lists_handed_, f, parameter);
}

std::optional<uint32_t> HandedTypes::type_of_captured(FunctionKey f, Symbol name) const {
  const auto found = captured_.find({f, name});
  return found == captured_.end() ? std::nullopt : std::optional(found->second);
}

void HandedTypes::read_captured(ModuleKey module) {
  std::map<FunctionKey, std::vector<FunctionKey>> within;
  for (uint32_t i = 0; i < index_.modules()[module].functions.size(); ++i) {
    const FunctionKey f = index_.key(module, ir::FunctionId{i});
    if (const FunctionKey outer = index_.functions()[f].parent; outer.valid()) within[outer].push_back(f);
  }
  for (const auto& [outer, inner] : within) {
    read_captured_objects(outer, inner);
    read_captured_models(outer, inner);
  }
}

void HandedTypes::read_new_modules() {
  const uint32_t first = modules_read_;
  if (first < index_.modules().size()) read_given_back(first);
  for (; modules_read_ < index_.modules().size(); ++modules_read_) {
    const ModuleKey module{modules_read_};
    if (!index_.modules()[module].has(ir::Convention::DeclaresNoTypes)) continue;
    read_models(module);
    read_objects(module);
  }
  for (uint32_t m = first; m < modules_read_; ++m) read_captured(ModuleKey{m});
}

// What the callers say that say anything: of a library's types the first, of classes the one that all of them share.
uint32_t HandedTypes::agreed(const Sites& sites, FunctionKey f, uint32_t parameter) const {
  const auto found = sites.find({f, parameter});
  if (found == sites.end()) return 0;
  uint32_t type = 0;
  for (const Site& site : found->second) {
    if (is_left_out(site)) continue;
    if (!type) type = site.type;
    const ClassKey so_far = ValueStore::class_of_type(type), here = ValueStore::class_of_type(site.type);
    if (so_far.valid() != here.valid()) return 0;
    if (!so_far.valid() || is_same(so_far, here)) continue;
    const ClassKey shared = common_class(index_, so_far, here);
    if (!shared.valid()) return 0;
    type = ValueStore::type_of_class(shared);
  }
  return type;
}

// Or two states of one.
bool HandedTypes::is_same(ClassKey a, ClassKey b) const {
  const ir::Module &of_a = index_.modules()[index_.classes()[a].module],
                   &of_b = index_.modules()[index_.classes()[b].module];
  return of_a.path == of_b.path &&
         of_a.text(index_.klass(a).qualified_name) == of_b.text(index_.klass(b).qualified_name);
}

}  // namespace ranklint
