#include "analyzer/program/kept_callees.h"

#include <algorithm>
#include <optional>

#include "analyzer/program/handed.h"

namespace ranklint {

class KeptReader {
 public:
  KeptReader(const ProjectIndex& index, const Roles& roles, const std::set<ModuleKey>& left_out)
      : index_(index), roles_(roles), left_out_(left_out) {}

  void read(KeptCallees& into) {
    each_function([&](FunctionKey f) { find_stores(f); });
    if (keepers_.empty() && kept_.empty()) return;
    for (const auto& [keeper, _] : keepers_) names_.insert(own_name(keeper.first));
    each_function([&](FunctionKey f) {
      find_decorated(f);
      find_handed(f);
    });
    for (const auto& [place, _] : kept_)
      if (place.is_variable) find_written_out(place);
    for (auto& [place, callees] : kept_) {
      std::vector<KeptCallee>& distinct = into.kept_[place];
      for (const KeptCallee& callee : callees)
        if (std::ranges::find(distinct, callee) == distinct.end()) distinct.push_back(callee);
    }
  }

 private:
  using Storage = KeptCallees::Storage;
  // What a function puts somewhere is what it was given as a parameter.
  struct Store {
    Storage place;
    ir::ExprId key;  // in the function; invalid: there is none
  };

  template <typename Read>
  void each_function(const Read& read) const {
    for (uint32_t f = 0; f < index_.functions().size(); ++f)
      if (!left_out_.contains(index_.functions()[FunctionKey{f}].module)) read(FunctionKey{f});
  }

  ModuleKey module_of(FunctionKey f) const { return index_.functions()[f].module; }
  const ir::Module& text_of(FunctionKey f) const { return index_.modules()[module_of(f)]; }
  Symbol own_name(FunctionKey f) const { return index_.name(module_of(f), index_.function(f).name); }

  static int parameter_of(const ir::Function& f, Symbol name) {
    const auto found = std::ranges::find(f.parameters, name, &ir::Parameter::name);
    return found == f.parameters.end() ? -1 : static_cast<int>(found - f.parameters.begin());
  }

  static const ir::Instruction* given_by(const ir::Function& f, Symbol variable) {
    for (const ir::Block& block : f.blocks)
      for (const ir::Instruction& i : block.instructions)
        if (i.target.valid() && f.exprs[i.target].kind == ir::ExprKind::Name && f.exprs[i.target].symbol == variable)
          return &i;
    return nullptr;
  }

  // The variable of a module or the attribute of `self` that a table or a list lies in, in any entry of it.
  std::optional<Storage> place_of(FunctionKey f, ir::ExprId e) const {
    const ir::Function& function = index_.function(f);
    while (function.exprs[e].kind == ir::ExprKind::Subscript) e = ir::children(function, e)[0];
    const ir::Expr& expr = function.exprs[e];
    if (expr.kind == ir::ExprKind::Attribute) {
      const ir::ExprId object = ir::children(function, e)[0];
      const ClassKey owner = function.exprs[object].kind == ir::ExprKind::Name
                                 ? index_.class_of_self(f, function.exprs[object].symbol)
                                 : ClassKey{};
      if (owner.valid()) return Storage{false, owner.index, index_.name(module_of(f), expr.symbol)};
    }
    if (expr.kind != ir::ExprKind::Name && expr.kind != ir::ExprKind::Attribute) return std::nullopt;
    const bool is_body = index_.functions()[f].id.index == 0;
    if (expr.kind == ir::ExprKind::Name && !is_body &&
        (parameter_of(function, expr.symbol) >= 0 || given_by(function, expr.symbol)))
      return std::nullopt;
    const Entity entity = index_.resolve(module_of(f), function, e);
    if (entity.kind != Entity::Kind::Variable) return std::nullopt;
    return Storage{true, entity.module.index, entity.name};
  }

  void find_stores(FunctionKey f) {
    const ir::Function& function = index_.function(f);
    for (const ir::Block& block : function.blocks)
      for (const ir::Instruction& i : block.instructions) {
        if (i.kind == ir::InstructionKind::Assign && i.target.valid() &&
            function.exprs[i.target].kind == ir::ExprKind::Subscript) {
          const auto parts = ir::children(function, i.target);
          store(f, parts[0], parts[1], i.value);
        } else if (i.kind == ir::InstructionKind::Call && function.exprs[i.value].kind == ir::ExprKind::Attribute &&
                   roles_.play(text_of(f).text(function.exprs[i.value].symbol), Role::AddsElement)) {
          const auto given = ir::arguments(function, i);
          if (!given.empty()) store(f, ir::children(function, i.value)[0], {}, given.back().value);
        }
      }
  }

  void store(FunctionKey f, ir::ExprId container, ir::ExprId key, ir::ExprId value) {
    const ir::Function& function = index_.function(f);
    if (!value.valid() || function.exprs[value].kind != ir::ExprKind::Name) return;
    const int parameter = parameter_of(function, function.exprs[value].symbol);
    const KeptCallee callee = parameter < 0 ? named(f, value) : KeptCallee{};
    if (parameter < 0 && !callee.function.valid() && !callee.klass.valid()) return;
    const std::optional<Storage> place = place_of(f, container);
    if (!place) return;
    if (parameter >= 0)
      keepers_[{f, static_cast<uint32_t>(parameter)}].push_back({*place, key});
    else
      keep(*place, text_at(f, key), callee);
  }

  Symbol text_at(FunctionKey f, ir::ExprId e) const {
    const ir::Function& function = index_.function(f);
    return e.valid() && function.exprs[e].kind == ir::ExprKind::String
               ? index_.name(module_of(f), function.exprs[e].symbol)
               : Symbol{};
  }

  // A function or a class of the project, or an object that this function has made.
  KeptCallee named(FunctionKey f, ir::ExprId e) const {
    const ir::Function& function = index_.function(f);
    const bool is_body = index_.functions()[f].id.index == 0;
    if (function.exprs[e].kind == ir::ExprKind::Name)
      if (const ir::Instruction* i = given_by(function, function.exprs[e].symbol)) {
        if (i->kind == ir::InstructionKind::Call)
          return {.key = {},
                  .function = {},
                  .klass = index_.resolve(module_of(f), function, i->value).klass,
                  .is_object = true};
        if (!is_body) return {};
      }
    const Entity entity = index_.resolve(module_of(f), function, e);
    return {.key = {}, .function = entity.function, .klass = entity.klass};
  }

  void keep(const Storage& place, Symbol key, KeptCallee callee) {
    callee.key = key;
    kept_[place].push_back(callee);
  }

  // `@register`, `@register("name")`, `@TABLE.register("name")`
  void find_decorated(FunctionKey f) {
    const ir::Function& scope = index_.function(f);
    for (const ir::ExprId e : scope.decorators)
      decorate(f, scope, e, {.key = {}, .function = f, .klass = {}}, own_name(f));
    if (index_.functions()[f].id.index != 0) return;
    const ir::Module& text = text_of(f);
    for (uint32_t c = 0; c < text.classes.size(); ++c) {
      const ir::Class& k = text.classes[ir::ClassId{c}];
      const FunctionKey around = index_.key(module_of(f), k.scope);
      for (const ir::ExprId e : k.decorators)
        decorate(around, index_.function(around), e,
                 {.key = {}, .function = {}, .klass = index_.key(module_of(f), ir::ClassId{c})},
                 index_.name(module_of(f), k.name));
    }
  }

  struct Decorator {
    FunctionKey function;
    uint32_t first_parameter = 0;
  };

  void decorate(FunctionKey around, const ir::Function& scope, ir::ExprId e, const KeptCallee& callee, Symbol name) {
    const bool called = scope.exprs[e].kind == ir::ExprKind::Call;
    const Decorator by = decorator_named(around, scope, called ? ir::children(scope, e)[0] : e);
    if (!by.function.valid()) return;
    for (const auto& [keeper, stores] : keepers_) {
      const auto& [function, parameter] = keeper;
      const bool is_inner = called && index_.functions()[function].parent == by.function && parameter == 0;
      const bool is_itself = !called && function == by.function && parameter == by.first_parameter;
      if (!is_inner && !is_itself) continue;
      for (const Store& store : stores)
        keep(store.place, key_for(around, scope, e, by, function, parameter, store.key, name), callee);
    }
  }

  Decorator decorator_named(FunctionKey around, const ir::Function& scope, ir::ExprId e) {
    const Entity entity = index_.resolve(module_of(around), scope, e);
    if (entity.kind == Entity::Kind::Function) return {entity.function, 0};
    if (scope.exprs[e].kind != ir::ExprKind::Attribute) return {};
    const Entity object = index_.resolve(module_of(around), scope, ir::children(scope, e)[0]);
    if (object.kind != Entity::Kind::Variable) return {};
    const ClassKey c = class_of(object.module, object.name);
    return c.valid() ? Decorator{index_.find_method(c, index_.name(module_of(around), scope.exprs[e].symbol)), 1}
                     : Decorator{};
  }

  // Of the object that the module's own code gives the variable.
  ClassKey class_of(ModuleKey module, Symbol variable) const {
    const FunctionKey body = index_.key(module, ir::FunctionId{0});
    const ir::Function& f = index_.function(body);
    for (const ir::Block& block : f.blocks)
      for (const ir::Instruction& i : block.instructions)
        if (i.kind == ir::InstructionKind::Call && i.target.valid() && f.exprs[i.target].kind == ir::ExprKind::Name &&
            index_.name(module, f.exprs[i.target].symbol) == variable)
          return index_.resolve(module, f, i.value).klass;
    return {};
  }

  // Under which key a decorator keeps what it decorates: a text, a parameter of the decorator, or the name.
  Symbol key_for(FunctionKey around, const ir::Function& scope, ir::ExprId decorator, const Decorator& by,
                 FunctionKey keeper, uint32_t kept, ir::ExprId key, Symbol name) const {
    if (const Symbol text = text_at(keeper, key); text.valid() || !key.valid()) return text;
    const ir::Function& f = index_.function(keeper);
    const ir::Expr& expr = f.exprs[key];
    if (expr.kind == ir::ExprKind::Attribute) {  // `function.__name__`
      const ir::Expr& of = f.exprs[ir::children(f, key)[0]];
      return of.kind == ir::ExprKind::Name && of.symbol == f.parameters[kept].name ? name : Symbol{};
    }
    if (expr.kind != ir::ExprKind::Name || scope.exprs[decorator].kind != ir::ExprKind::Call) return {};
    const int taken = parameter_of(index_.function(by.function), expr.symbol);
    if (taken < static_cast<int>(by.first_parameter)) return {};
    uint32_t position = by.first_parameter;
    for (const ir::ExprId a : ir::children(scope, decorator).subspan(1)) {
      const bool is_keyword = scope.exprs[a].kind == ir::ExprKind::Keyword;
      if (is_keyword
              ? index_.name(module_of(around), scope.exprs[a].symbol) == index_.name(module_of(keeper), expr.symbol)
              : position++ == static_cast<uint32_t>(taken))
        return text_at_scope(around, scope, is_keyword ? ir::children(scope, a)[0] : a);
    }
    return {};
  }

  Symbol text_at_scope(FunctionKey around, const ir::Function& scope, ir::ExprId e) const {
    return scope.exprs[e].kind == ir::ExprKind::String ? index_.name(module_of(around), scope.exprs[e].symbol)
                                                       : Symbol{};
  }

  // `register(gather)`, `trainer.on("end", gather)`
  void find_handed(FunctionKey f) {
    const ir::Function& function = index_.function(f);
    for (const ir::Block& block : function.blocks)
      for (const ir::Instruction& i : block.instructions) {
        if (i.kind != ir::InstructionKind::Call || ir::arguments(function, i).empty()) continue;
        const ir::Expr& callee = function.exprs[i.value];
        const bool is_named = callee.kind == ir::ExprKind::Name || callee.kind == ir::ExprKind::Attribute;
        if (!is_named || !names_.contains(index_.name(module_of(f), callee.symbol))) continue;
        const std::vector<HandedArgument> handed = handed_arguments(index_, f, i);
        for (const HandedArgument& a : handed) keep_handed(f, a, handed);
      }
  }

  void keep_handed(FunctionKey f, const HandedArgument& a, const std::vector<HandedArgument>& all) {
    const auto keeper = keepers_.find({a.callee, a.parameter});
    if (keeper == keepers_.end()) return;
    const KeptCallee callee = named(f, a.value);
    if (!callee.function.valid() && !callee.klass.valid()) return;
    const ir::Function& function = index_.function(a.callee);
    for (const Store& store : keeper->second) {
      Symbol key = text_at(a.callee, store.key);
      if (store.key.valid() && function.exprs[store.key].kind == ir::ExprKind::Name)
        for (const HandedArgument& other : all)
          if (function.parameters[other.parameter].name == function.exprs[store.key].symbol)
            key = text_at(f, other.value);
      keep(store.place, key, callee);
    }
  }

  // What the module's own code writes out: `HOOKS = {"end": gather}`, `HOOKS = [gather]`.
  void find_written_out(const Storage& place) {
    const ModuleKey module{place.owner};
    const FunctionKey body = index_.key(module, ir::FunctionId{0});
    const ir::Function& f = index_.function(body);
    for (const ir::Block& block : f.blocks)
      for (const ir::Instruction& i : block.instructions) {
        if (i.kind != ir::InstructionKind::Assign || !i.target.valid() || !i.value.valid() ||
            f.exprs[i.target].kind != ir::ExprKind::Name || index_.name(module, f.exprs[i.target].symbol) != place.name)
          continue;
        const bool is_table = f.exprs[i.value].kind == ir::ExprKind::Dict;
        if (!is_table && f.exprs[i.value].kind != ir::ExprKind::List) continue;
        const auto parts = ir::children(f, i.value);
        for (size_t p = is_table ? 1 : 0; p < parts.size(); p += is_table ? 2 : 1)
          if (f.exprs[parts[p]].kind == ir::ExprKind::Name)
            if (const KeptCallee callee = named(body, parts[p]); callee.function.valid() || callee.klass.valid())
              keep(place, is_table ? text_at(body, parts[p - 1]) : Symbol{}, callee);
      }
  }

  const ProjectIndex& index_;
  const Roles& roles_;
  const std::set<ModuleKey>& left_out_;
  std::map<std::pair<FunctionKey, uint32_t>, std::vector<Store>> keepers_;
  std::set<Symbol> names_;  // of the functions that keep
  std::map<Storage, std::vector<KeptCallee>> kept_;
};

KeptCallees::KeptCallees(const ProjectIndex& index, const Roles& roles, const std::set<ModuleKey>& left_out) {
  KeptReader(index, roles, left_out).read(*this);
}

}  // namespace ranklint
