// Models that are wrapped in one function and run in another:
//
//     model = build(net, args)        # def build(net, args): ... return FSDP(net)
//     train(model, data)              # def train(model, data): ... evaluate(model, data)
//                                     # def evaluate(model, data): if rank == 0: model(data)
//
// No annotation says whether a model is wrapped. A call passes on what the caller's text shows (wrapped_models.h), what
// the caller got itself and has given no other value since, and what the objects of the caller's class keep. A
// function within a function gets what its names hold where it stands. Code that tests itself whether its model is
// wrapped (isinstance, or the option under which the caller wrapped it, for what it does with the model) handles both,
// and is left alone, unless the wrapper decides what is asked: `hasattr(model, "module")`.
#include <algorithm>
#include <memory>
#include <optional>
#include <set>

#include "analyzer/flow/side_of_branch.h"
#include "analyzer/program/handed.h"
#include "analyzer/resolve/builtins.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/variance/values.h"

namespace ranklint {
namespace {

constexpr int kMostGivers = 4;  // functions that give on what another gives back

template <typename Seen>
void each_call(const ir::Function& f, Seen seen) {
  for (uint32_t b = 0; b < f.blocks.size(); ++b)
    for (const ir::Instruction& i : f.blocks[ir::BlockId{b}].instructions)
      if (i.kind == ir::InstructionKind::Call) seen(i);
}

// Whether a model of this wrapper decides what is asked: `hasattr(model, "module")`, `isinstance(model, (DDP, FSDP))`.
bool is_decided(const ProjectIndex& index, const Models& models, FunctionKey key, const ir::Instruction& call,
                std::string_view wrapper) {
  const ir::Function& f = index.function(key);
  const ModuleKey file = index.functions()[key].module;
  const ir::Module& module = index.modules()[file];
  const auto given = ir::arguments(f, call);
  if (given.size() != 2 || wrapper.empty()) return false;
  const ir::ExprId asked = given[1].value;
  const std::string_view function = module.text(f.exprs[call.value].symbol);
  const auto names_wrapper = [&](ir::ExprId e) {
    const Entity type = index.resolve(file, f, e);
    return type.kind == Entity::Kind::External && last_part(index.names().text(type.name)) == last_part(wrapper);
  };
  if (is_builtin(function, Builtin::Hasattr))
    return f.exprs[asked].kind == ir::ExprKind::String &&
           models.names_member(wrapper, module.text(f.exprs[asked].symbol));
  if (!is_builtin(function, Builtin::Isinstance)) return false;
  return names_wrapper(asked) ||
         (f.exprs[asked].kind == ir::ExprKind::Tuple && std::ranges::any_of(ir::children(f, asked), names_wrapper));
}

// Whether the function asks, by isinstance and its kin, about something that is such, where a model of this wrapper, if
// one is named, does not decide it.
template <typename IsSuch>
bool tests_what_is(const ProjectIndex& index, const Models& models, FunctionKey key, std::string_view wrapper,
                   const IsSuch& is_such) {
  const ir::Function& f = index.function(key);
  const ir::Module& module = index.modules()[index.functions()[key].module];
  bool found = false;
  each_call(f, [&](const ir::Instruction& i) {
    const ir::Expr& called = f.exprs[i.value];
    if ((called.kind != ir::ExprKind::Name && called.kind != ir::ExprKind::Attribute) ||
        !models.roles().play(module.text(called.symbol), Role::TestsModel) ||
        is_decided(index, models, key, i, wrapper))
      return;
    for (const ir::Argument& a : ir::arguments(f, i)) found |= ir::any_part(f, a.value, is_such);
  });
  return found;
}

// The uses of a model in a function: of the name that it goes by, and of what is computed of it.
class ModelUses {
 public:
  ModelUses(const ir::Function& f, const ir::Module& text, std::string_view name)
      : f_(f), graph_(FlowGraph::of(f)), model_(text.symbols.find(name)), computed_{model_} {
    for (bool again = true; again;) {
      again = false;
      for (const ir::Block& block : f_.blocks)
        for (const ir::Instruction& i : block.instructions)
          if (i.target.valid() && f_.exprs[i.target].kind == ir::ExprKind::Name && uses(i, computed_))
            again |= computed_.insert(f_.exprs[i.target].symbol).second;
    }
  }

  // Whether one side of the branch uses the model, or both sides use what is computed of it.
  bool are_separated_by(ir::BlockId branch) const {
    bool on_one = false, on_other = false;
    for (const ir::BlockId b : graph_->order()) {
      const std::optional<bool> side = side_of_branch(*graph_, f_, branch, b);
      if (!side) continue;
      if (uses(f_.blocks[b], {model_})) return true;
      (*side ? on_one : on_other) |= uses(f_.blocks[b], computed_);
    }
    return on_one && on_other;
  }

 private:
  bool uses(ir::ExprId e, const std::set<Symbol>& names) const {
    return e.valid() && ir::any_part(f_, e, [&](ir::ExprId part) {
             return f_.exprs[part].kind == ir::ExprKind::Name && names.contains(f_.exprs[part].symbol);
           });
  }
  bool uses(const ir::Instruction& i, const std::set<Symbol>& names) const {
    return uses(i.value, names) ||
           std::ranges::any_of(ir::arguments(f_, i), [&](const ir::Argument& a) { return uses(a.value, names); });
  }
  bool uses(const ir::Block& block, const std::set<Symbol>& names) const {
    return uses(block.terminator.value, names) ||
           std::ranges::any_of(block.instructions, [&](const ir::Instruction& i) { return uses(i, names); });
  }

  const ir::Function& f_;
  const std::shared_ptr<const FlowGraph> graph_;
  const Symbol model_;
  std::set<Symbol> computed_;
};

// Whether the function asks what the model is that goes by the name, or does one thing with it where one of the options
// holds and another where it does not. What it asks of them for other things says nothing of the model.
bool handles_both(const ProjectIndex& index, const Models& models, FunctionKey f, std::string_view name,
                  const WrappedModel& model) {
  const ir::Function& function = index.function(f);
  const ir::Module& module = index.modules()[index.functions()[f].module];
  const auto is_it = [&](ir::ExprId e) {
    return function.exprs[e].kind == ir::ExprKind::Name && module.text(function.exprs[e].symbol) == name;
  };
  if (tests_what_is(index, models, f, index.names().text(model.wrapper), is_it)) return true;
  const auto asks = [&](ir::ExprId condition) {
    std::vector<std::string> asked;
    mention_names(function, module, condition, asked);
    return std::ranges::any_of(asked, [&](const std::string& option) {
      return std::ranges::find(model.options, option) != model.options.end() ||
             models.names().suggest(option, NameMeaning::ShardingOption);
    });
  };
  for (uint32_t e = 0; e < function.exprs.size(); ++e) {
    if (function.exprs[ir::ExprId{e}].kind != ir::ExprKind::Conditional) continue;
    const auto parts = ir::children(function, ir::ExprId{e});
    const auto uses = [&](ir::ExprId side) { return ir::any_part(function, side, is_it); };
    if ((uses(parts[1]) || uses(parts[2])) && asks(parts[0])) return true;
  }
  std::optional<ModelUses> model_uses;  // found at the first test of an option
  for (uint32_t b = 0; b < function.blocks.size(); ++b) {
    const ir::Terminator& end = function.blocks[ir::BlockId{b}].terminator;
    if (end.kind != ir::TerminatorKind::Branch || !asks(end.value)) continue;
    if (!model_uses) model_uses.emplace(function, module, name);
    if (model_uses->are_separated_by(ir::BlockId{b})) return true;
  }
  return false;
}

// Whether a method of the class, or of one derived from it, asks what the attribute is.
bool tests_attribute(const ProjectIndex& index, const Models& models, ClassKey c, Symbol attribute) {
  const auto asks = [&](FunctionKey method) {
    const ir::Function& function = index.function(method);
    const ModuleKey module = index.functions()[method].module;
    return tests_what_is(index, models, method, {}, [&](ir::ExprId e) {
      return function.exprs[e].kind == ir::ExprKind::Attribute &&
             index.name(module, function.exprs[e].symbol) == attribute;
    });
  };
  return std::ranges::any_of(index.with_derived(c), [&](ClassKey k) {
    return std::ranges::any_of(index.classes()[k].methods, [&](const auto& method) { return asks(method.second); });
  });
}

// Whether one of the arguments is the name; asked before the call is resolved.
bool mentions(const ir::Function& f, const ir::Instruction& call, Symbol name) {
  return std::ranges::any_of(ir::arguments(f, call), [&](const ir::Argument& a) {
    return a.value.valid() && f.exprs[a.value].kind == ir::ExprKind::Name && f.exprs[a.value].symbol == name;
  });
}

std::vector<ModuleKey> and_here(std::vector<ModuleKey> through, ModuleKey module) {
  if (std::ranges::find(through, module) == through.end()) through.push_back(module);
  return through;
}

}  // namespace

// Which functions give back wrapped models; some of them what others give.
void HandedTypes::read_given_back(uint32_t first_module) {
  size_t known = 0;
  for (int round = 0; round < kMostGivers && (round == 0 || given_back_.models.size() > known); ++round) {
    known = given_back_.models.size();
    for (ModuleKey module{first_module}; module.index < index_.modules().size(); ++module.index) {
      if (!index_.modules()[module].has(ir::Convention::DeclaresNoTypes)) continue;
      for (uint32_t f = 0; f < index_.modules()[module].functions.size(); ++f) {
        const FunctionKey key = index_.key(module, ir::FunctionId{f});
        for (auto& [element, model] : WrappedModels(index_, models_, given_back_, key).given_back()) {
          given_back_.models.emplace(std::pair{key, element}, std::move(model));
          given_back_.names.emplace(index_.modules()[module].text(index_.function(key).name));
        }
      }
    }
  }
}

void HandedTypes::read_models(ModuleKey module) {
  std::vector<Handing> handings;
  for (uint32_t f = 0; f < index_.modules()[module].functions.size(); ++f) {
    const FunctionKey key = index_.key(module, ir::FunctionId{f});
    const ir::Function& function = index_.function(key);
    const WrappedModels here(index_, models_, given_back_, key);
    if (!here.empty())
      each_call(function, [&](const ir::Instruction& i) {
        if (std::ranges::none_of(here.names(), [&](Symbol name) { return mentions(function, i, name); })) return;
        for (const HandedArgument& a : handed_arguments(index_, key, i)) {
          const ir::Expr& value = function.exprs[a.value];
          const WrappedModel* model =
              value.kind == ir::ExprKind::Name ? here.above(value.symbol, i.range.line) : nullptr;
          if (model && model->wrapper.valid()) handings.push_back({a.callee, a.parameter, *model, {module}, key});
        }
      });
    for (auto& [attribute, model] : here.kept()) {
      const ClassKey owner = index_.functions()[key].owner;
      if (owner.valid() && !tests_attribute(index_, models_, owner, attribute))
        models_kept_.emplace(std::pair{owner, attribute}, Site{{module}, ValueStore::type_of_external(model.wrapper)});
      hand_attribute_on(owner, attribute, {{}, 0, std::move(model), {module}, key}, handings);
    }
  }
  hand_on(std::move(handings));
}

// To the parameters, and on to the callees and attributes that these are passed to.
void HandedTypes::hand_on(std::vector<Handing> handings) {
  while (!handings.empty()) {
    const Handing now = std::move(handings.back());
    handings.pop_back();
    const ModuleKey module = index_.functions()[now.callee].module;
    const ir::Function& function = index_.function(now.callee);
    const Symbol name = function.parameters[now.parameter].name;
    if (handles_both(index_, models_, now.callee, index_.modules()[module].text(name), now.model)) continue;
    std::vector<Site>& sites = models_handed_[{now.callee, now.parameter}];
    const uint32_t type = ValueStore::type_of_external(now.model.wrapper);
    if (std::ranges::any_of(
            sites, [&](const Site& s) { return s.type == type && s.through == now.through && s.from == now.from; }))
      continue;
    const bool is_new = sites.empty();
    sites.push_back({now.through, type, now.from});
    if (!is_new) continue;  // handed on before
    const WrappedModels here(index_, models_, given_back_, now.callee);
    each_call(function, [&](const ir::Instruction& i) {
      if (!mentions(function, i, name) || here.above(name, i.range.line)) return;
      for (const HandedArgument& a : handed_arguments(index_, now.callee, i))
        if (function.exprs[a.value].kind == ir::ExprKind::Name && function.exprs[a.value].symbol == name)
          handings.push_back({a.callee, a.parameter, now.model, and_here(now.through, module), now.callee});
    });
    for (Symbol attribute : here.kept_from(now.parameter))
      hand_attribute_on(index_.functions()[now.callee].owner, attribute,
                        {{}, 0, now.model, and_here(now.through, module), now.callee}, handings);
  }
}

// From an attribute to the callees that methods of the class, and of those derived from it, pass it to.
void HandedTypes::hand_attribute_on(ClassKey owner, Symbol attribute, const Handing& handing,
                                    std::vector<Handing>& handings) {
  if (!owner.valid()) return;
  for (const ClassKey c : index_.with_derived(owner))
    if (attributes_handed_on_.emplace(c, attribute).second) hand_on_in_methods(c, attribute, handing, handings);
}

void HandedTypes::hand_on_in_methods(ClassKey c, Symbol attribute, const Handing& handing,
                                     std::vector<Handing>& handings) {
  for (const auto& [name, method] : index_.classes()[c].methods) {
    const ir::Function& function = index_.function(method);
    const ModuleKey module = index_.functions()[method].module;
    const auto is_attribute = [&](ir::ExprId e) { return own_attribute(index_, method, e) == attribute; };
    each_call(function, [&](const ir::Instruction& i) {
      if (std::ranges::none_of(ir::arguments(function, i),
                               [&](const ir::Argument& a) { return is_attribute(a.value); }))
        return;
      for (const HandedArgument& a : handed_arguments(index_, method, i))
        if (is_attribute(a.value))
          handings.push_back({a.callee, a.parameter, handing.model, and_here(handing.through, module), method});
    });
  }
}

bool HandedTypes::hands_model(FunctionKey caller, FunctionKey f, uint32_t parameter) const {
  const auto sites = models_handed_.find({f, parameter});
  return sites != models_handed_.end() &&
         std::ranges::any_of(sites->second, [&](const Site& s) { return s.from == caller; });
}

uint32_t HandedTypes::type_of_kept(ClassKey c, Symbol attribute) const {
  for (ClassKey k : index_.linearization(c)) {
    const auto kept = models_kept_.find({k, attribute});
    if (kept != models_kept_.end() && !is_left_out(kept->second)) return kept->second.type;
  }
  return 0;
}

void HandedTypes::read_captured_models(FunctionKey outer, std::span<const FunctionKey> inner) {
  const WrappedModels here(index_, models_, given_back_, outer);
  for (FunctionKey f : inner)
    for (Symbol name : here.names()) {
      const WrappedModel* model = here.above(name, index_.function(f).range.line);
      const ModuleKey module = index_.functions()[outer].module;
      if (model && model->wrapper.valid() &&
          !handles_both(index_, models_, f, index_.modules()[module].text(name), *model))
        captured_[{f, index_.name(module, name)}] = ValueStore::type_of_external(model->wrapper);
    }
}

}  // namespace ranklint
