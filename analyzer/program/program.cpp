#include "analyzer/program/program.h"

#include <algorithm>
#include <string_view>

#include "analyzer/base/contain.h"
#include "analyzer/program/launches.h"
#include "analyzer/resolve/builtins.h"
#include "analyzer/resolve/dotted.h"

namespace ranklint {
namespace {

template <typename Found>
std::span<const Found> at(const std::map<std::pair<uint32_t, uint32_t>, std::vector<Found>>& all, uint32_t a,
                          uint32_t b) {
  const auto found = all.find({a, b});
  return found == all.end() ? std::span<const Found>() : std::span<const Found>(found->second);
}

// Of `@decorator` and of `@decorator(...)`.
std::string name_of_decorator(const ProjectIndex& index, ModuleKey module, const ir::Function& scope, ir::ExprId e) {
  if (scope.exprs[e].kind == ir::ExprKind::Call) e = ir::children(scope, e)[0];
  return index.dotted(module, scope, e);
}

constexpr auto by_name = &std::pair<Symbol, ir::ExprId>::first;

}  // namespace

Program::Program(const ProjectIndex& index, const Models& models)
    : index_(index),
      models_(models),
      handed_(index, models),
      used_names_(index, models),
      sharding_(index, models, used_names_),
      set_ups_(index, models, sharding_),
      library_versions_(index, models) {
  for (uint32_t m = 0; m < index.modules().size(); ++m) take_module(ModuleKey{m});
  handed_.read_new_modules();
  kept_callees_ = std::make_unique<const KeptCallees>(index_, models_.roles(), std::set<ModuleKey>{});
  numbered_parameters_ = find_numbered_parameters(*this);
}

bool Program::is_numbered(FunctionKey f, uint32_t parameter) const {
  const auto numbered = numbered_parameters_.find(f);
  return numbered != numbered_parameters_.end() &&
         std::ranges::find(numbered->second, parameter) != numbered->second.end();
}

void Program::take_module(ModuleKey m) {
  find_flags(m);
  find_actors(m);
  find_imported(m);
  find_changed_attributes(m);
  find_annotations(m);
  find_global_assignments(m);
  find_assigned_once(m);
}

void Program::find_flags(ModuleKey m) {
  for (uint32_t f = 0; f < index_.modules()[m].functions.size(); ++f)
    flags_.push_back(flags_of(index_.key(m, ir::FunctionId{f})));
}

FunctionFlags Program::flags_of(FunctionKey f) const {
  FunctionFlags flags;
  const ir::Function& function = index_.function(f);
  const ModuleKey module = index_.functions()[f].module;
  for (const ir::ExprId decorator : function.decorators) {
    const std::string name = name_of_decorator(index_, module, function, decorator);
    const auto plays = [&](Role role) { return models_.roles().play(name, role); };
    flags.is_property |= plays(Role::MakesProperty);
    flags.is_classmethod |= plays(Role::MakesClassMethod);
    flags.is_static |= plays(Role::MakesStaticMethod);
    flags.is_context_manager |= plays(Role::MakesContextManager);
    flags.is_abstract |= plays(Role::MakesAbstract);
  }
  const std::string_view name = index_.modules()[module].text(function.name);
  flags.is_classmethod |= is_builtin(name, {Builtin::InitSubclass, Builtin::ClassGetitem});
  return flags;
}

void Program::find_imported(ModuleKey m) {
  const ir::Module& text = index_.modules()[m];
  for (const ir::Function& f : text.functions)
    for (const ir::Block& block : f.blocks)
      for (const ir::Instruction& i : block.instructions)
        if (i.kind == ir::InstructionKind::Import && i.level == 0)
          imported_.emplace(text.text(i.symbol).substr(0, text.text(i.symbol).find('.')));
}

void Program::find_actors(ModuleKey m) {
  const ir::Module& module = index_.modules()[m];
  for (uint32_t c = 0; c < module.classes.size(); ++c) {
    const ir::Class& k = module.classes[ir::ClassId{c}];
    const ir::Function& scope = module.functions[k.scope];
    for (const ir::ExprId decorator : k.decorators)
      if (models_.roles().play(name_of_decorator(index_, m, scope, decorator), Role::MakesActor))
        for (const ClassKey base : index_.linearization(index_.key(m, ir::ClassId{c}))) actors_.insert(base);
  }
}

void Program::find_changed_attributes(ModuleKey m) {
  const auto& functions = index_.modules()[m].functions;
  for (ir::FunctionId id{0}; id.index < functions.size(); ++id.index) {
    const ir::Function& function = functions[id];
    const bool is_method = index_.functions()[index_.key(m, id)].owner.valid() && !function.parameters.empty();
    for (const ir::Block& block : function.blocks)
      for (const ir::Instruction& i : block.instructions) {
        if (!i.target.valid() || function.exprs[i.target].kind != ir::ExprKind::Attribute) continue;
        const Symbol name = index_.name(m, function.exprs[i.target].symbol);
        changed_attributes_.insert(name);
        const ir::Expr& object = function.exprs[ir::children(function, i.target)[0]];
        const bool is_own =
            is_method && object.kind == ir::ExprKind::Name && object.symbol == function.parameters[0].name;
        if (!is_own) changed_from_outside_.insert(name);
      }
  }
}

void Program::find_annotations(ModuleKey m) {
  const ir::Module& module = index_.modules()[m];
  for (const ir::Annotation& a : module.annotations) {
    const FunctionKey f = index_.key(m, a.function);
    const ir::Expr& target = index_.function(f).exprs[a.target];
    const Symbol name = index_.name(m, target.symbol);
    const FunctionInfo& info = index_.functions()[f];
    if (target.kind == ir::ExprKind::Attribute && info.owner.valid())
      annotations_[{info.owner.index, name.index}].emplace_back(f, a.annotation);
    if (target.kind == ir::ExprKind::Name && index_.function(f).kind == ir::FunctionKind::ClassBody) {
      for (uint32_t c = 0; c < module.classes.size(); ++c)
        if (module.classes[ir::ClassId{c}].body == a.function)
          annotations_[{index_.key(m, ir::ClassId{c}).index, name.index}].emplace_back(f, a.annotation);
    }
  }
}

// Where the variable is defined that a function of the module writes as a global one.
ModuleKey Program::definition_of_global(ModuleKey m, Symbol name) const {
  if (!index_.modules()[m].has(ir::Convention::OneNamespace)) return m;
  const Entity defined = index_.lookup(m, name);
  return defined.kind == Entity::Kind::Variable ? defined.module : m;
}

void Program::find_global_assignments(ModuleKey m) {
  for (uint32_t f = 0; f < index_.modules()[m].functions.size(); ++f) {
    const FunctionKey key = index_.key(m, ir::FunctionId{f});
    const ir::Function& function = index_.function(key);
    if (function.globals.empty()) continue;
    for (uint32_t b = 0; b < function.blocks.size(); ++b) {
      const ir::Block& block = function.blocks[ir::BlockId{b}];
      for (uint32_t i = 0; i < block.instructions.size(); ++i) {
        const ir::ExprId target = block.instructions[i].target;
        if (!target.valid()) continue;
        const auto take = [&](ir::ExprId name) {
          const Symbol symbol = function.exprs[name].symbol;
          if (function.exprs[name].kind != ir::ExprKind::Name ||
              std::ranges::find(function.globals, symbol) == function.globals.end())
            return;
          const Symbol global = index_.name(m, symbol);
          global_assignments_[{definition_of_global(m, global).index, global.index}].push_back(
              {key, ir::BlockId{b}, i});
        };
        take(target);
        if (function.exprs[target].kind == ir::ExprKind::Tuple)  // `a, b = ...`
          for (const ir::ExprId part : ir::children(function, target)) take(part);
      }
    }
  }
}

void Program::find_assigned_once(ModuleKey m) {
  const ir::Function& top = index_.modules()[m].functions[ir::FunctionId{0}];
  std::vector<std::pair<Symbol, ir::ExprId>> all;
  const auto take = [&](ir::ExprId target, ir::ExprId value) {
    if (!target.valid() || top.exprs[target].kind != ir::ExprKind::Name) return;
    if (SymbolTable::is_temporary(top.exprs[target].symbol)) return;  // no other function can name it
    all.emplace_back(index_.name(m, top.exprs[target].symbol), value);
  };
  const auto take_each = [&](ir::ExprId target) {  // parts of something: the value of none is known
    take(target, {});
    if (target.valid() && top.exprs[target].kind != ir::ExprKind::Name)
      for (const ir::ExprId part : ir::children(top, target)) take(part, {});
  };
  for (const ir::Block& block : top.blocks) {
    for (const ir::Instruction& i : block.instructions)
      i.kind == ir::InstructionKind::Assign ? take(i.target, i.value) : take_each(i.target);
    take_each(block.terminator.target);
  }
  std::ranges::sort(all);
  std::vector<std::pair<Symbol, ir::ExprId>> once;
  for (auto next = all.begin(); next != all.end();) {
    const auto [first, past] = std::ranges::equal_range(next, all.end(), next->first, {}, by_name);
    if (past - first == 1 && first->second.valid()) once.push_back(*first);
    next = past;
  }
  once.shrink_to_fit();
  assigned_once_.resize(std::max<size_t>(assigned_once_.size(), m.index + 1));
  assigned_once_[m] = std::move(once);
}

const OtherThreads& Program::other_threads() const {
  if (!other_threads_) other_threads_ = std::make_unique<const OtherThreads>(index_, models_);
  return *other_threads_;
}

std::span<const AnnotationSite> Program::annotations(ClassKey c, Symbol attribute) const {
  return at(annotations_, c.index, attribute.index);
}

ir::ExprId Program::assigned_once(ModuleKey module, Symbol name) const {
  const auto& once = assigned_once_[module];
  const auto known = std::ranges::lower_bound(once, name, {}, by_name);
  return known == once.end() || known->first != name ? ir::ExprId{} : known->second;
}

std::span<const AttributeSite> Program::global_assignments(ModuleKey module, Symbol name) const {
  return at(global_assignments_, module.index, name.index);
}

// A function inside another is only called from there, and may capture its variables in a different order. A function
// whose parameters changed cannot replace the original for callers outside the overlay. Functions that share a name are
// matched by their order in the file.
void Program::take_overlay(ModuleKey original, const FunctionRange& to_check) {
  const ModuleKey overlay{static_cast<uint32_t>(index_.modules().size() - 1)};
  take_module(overlay);
  sharding_.add_overlay(original);
  set_ups_.add_overlay(original);
  other_threads_.reset();
  handed_.read_new_modules();
  std::set<ModuleKey> past(overlays_.begin(), overlays_.end());
  past.insert(original);
  kept_callees_ = std::make_unique<const KeptCallees>(index_, models_.roles(), past);
  handed_.leave_out(std::move(past));
  overlays_.push_back(overlay);
  replacement_of_.clear();
  originals_.clear();
  std::map<std::pair<std::string_view, uint32_t>, FunctionKey> known;
  std::map<std::string_view, uint32_t> met;
  const auto name_of = [&](FunctionKey f) {
    return std::pair(index_.qualified_name(f), met[index_.qualified_name(f)]++);
  };
  for (uint32_t f = 0; f < index_.modules()[original].functions.size(); ++f) {
    const FunctionKey old = index_.key(original, ir::FunctionId{f});
    known[name_of(old)] = old;
  }
  met.clear();
  for (uint32_t f = to_check.first; f < index_.functions().size(); ++f) {
    const FunctionKey now{f};
    const auto found = known.find(name_of(now));
    const bool is_checked = to_check.contains(now);
    RANKLINT_CHECK(is_checked || found != known.end(), "a function that was not checked");
    if (found == known.end()) continue;
    const FunctionKey old = found->second;
    if (!is_checked) {
      replacement_of_[f] = old;
    } else if (!index_.functions()[old].parent.valid() &&
               index_.function(now).parameters.size() == index_.function(old).parameters.size()) {
      replacement_of_[old.index] = now;
      originals_[f] = old;
    }
  }
}

FunctionKey Program::called_for(FunctionKey f) const {
  const auto found = replacement_of_.find(f.index);
  return found == replacement_of_.end() ? f : found->second;
}

FunctionKey Program::original_of(FunctionKey f) const {
  const auto found = originals_.find(f.index);
  return found == originals_.end() ? f : found->second;
}

}  // namespace ranklint
