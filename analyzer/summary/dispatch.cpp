// The possible callees of a value, and the model that knows it.
#include <algorithm>
#include <iterator>

#include "analyzer/base/stack_room.h"
#include "analyzer/ir/any_instruction.h"
#include "analyzer/program/suggested_by_name.h"
#include "analyzer/summary/entries.h"
#include "analyzer/summary/query.h"
#include "analyzer/variance/beliefs.h"
#include "analyzer/variance/leads_to.h"

namespace ranklint {

bool is_primitive(const Model& model) {
  return (model.kind == ModelKind::Collective || model.kind == ModelKind::PointToPoint) && !model.implicit &&
         !model.conditional;
}

std::vector<Target> Query::targets(ValueId callee) const {
  require_stack_room();
  if (!callee.valid()) return {};
  std::vector<Target> found = find_targets(callee);
  for (Target& target : found)
    if (target.function.valid()) target.function = program_.called_for(target.function);
  return found;
}

// In a method, `self` is no object of a class whose own method of that name takes its place and never calls it.
void Query::leave_out_replaced(std::vector<FunctionKey>& methods, ValueId receiver) const {
  const Value& self = values_[receiver];
  if (self.kind != ValueKind::Parameter || self.b != 0) return;
  const FunctionKey running{self.a};
  const ClassKey own = index_.functions()[running].owner;
  if (!own.valid()) return;
  const Symbol name = index_.name(index_.functions()[running].module, index_.function(running).name);
  const auto goes_on = [&](FunctionKey replacing) {  // super().save(), Base.save(self)
    const ir::Function& f = index_.function(replacing);
    return std::ranges::any_of(f.exprs, [&](const ir::Expr& e) {
      return e.kind == ir::ExprKind::Attribute && index_.name(index_.functions()[replacing].module, e.symbol) == name;
    });
  };
  std::erase_if(methods, [&](FunctionKey m) {
    const ClassKey c = index_.functions()[m].owner;
    if (!c.valid() || !index_.derives_from(c, own)) return false;
    for (ClassKey k : index_.linearization(c)) {
      if (k == own) return false;
      const auto& of_class = index_.classes()[k].methods;
      if (const auto replacing = of_class.find(name); replacing != of_class.end()) return !goes_on(replacing->second);
    }
    return false;
  });
}

// The methods of that name which a call on the receiver may reach. `exact`: of this class, and of none derived from it.
std::vector<Target> Query::methods_called(ClassKey c, Symbol name, ValueId receiver, bool exact,
                                          bool as_property) const {
  std::vector<FunctionKey> methods;
  if (exact) {
    if (FunctionKey own = index_.find_method(c, name); own.valid()) methods.push_back(own);
  } else {
    methods = index_.find_methods(c, name);
    // A base that only says "not implemented" is not called where a derived class implements it.
    const auto implements_nothing = [&](FunctionKey m) {
      const ir::Function& f = index_.function(m);
      return flags(m).is_abstract ||
             (f.blocks.size() == 1 && f.blocks[ir::BlockId{0}].terminator.kind == ir::TerminatorKind::Raise);
    };
    if (!std::ranges::all_of(methods, implements_nothing)) std::erase_if(methods, implements_nothing);
    leave_out_replaced(methods, receiver);
    // An actor is called through a handle; a plain call reaches functions that are no actor's, if there are any.
    const auto in_actor = [&](FunctionKey m) { return program_.is_actor(index_.functions()[m].owner); };
    if (!std::ranges::all_of(methods, in_actor)) std::erase_if(methods, in_actor);
  }
  if (methods.size() > kMostTargets) methods.resize(kMostTargets);
  const Confidence certainty = exact || methods.size() == 1 ? Confidence::High : Confidence::Likely;
  std::vector<Target> found;
  for (FunctionKey m : methods)
    if (as_property || !flags(m).is_property)
      found.push_back({.function = m, .receiver = receiver, .captures = {}, .guard = {}, .certainty = certainty});
  return found;
}

// Adds those of one callee, which are called where its guard holds. What two choices call is one target: it is called
// where either holds.
void Query::add_chosen(std::vector<Target>& found, const Choice& choice) const {
  for (Target target : targets(choice.callee)) {
    if (choice.guard.valid())
      target.guard = target.guard.valid() ? values_.conjunction(true, std::vector<ValueId>{choice.guard, target.guard})
                                          : choice.guard;
    target.certainty = std::min(target.certainty, choice.certainty);
    const auto same = std::ranges::find_if(found, [&](const Target& other) {
      return other.function == target.function && other.receiver == target.receiver &&
             other.captures == target.captures;
    });
    if (same == found.end()) {
      found.push_back(std::move(target));
      continue;
    }
    const bool is_guarded = same->guard.valid() && target.guard.valid();
    same->guard = is_guarded ? values_.conjunction(false, std::vector<ValueId>{same->guard, target.guard}) : ValueId{};
    same->certainty = std::min(same->certainty, target.certainty);
  }
}

std::vector<Target> Query::find_targets(ValueId callee) const {
  const Value value = values_[callee];
  std::vector<Target> found;
  switch (value.kind) {
    case ValueKind::Function:
      return {{.function = FunctionKey{value.a},
               .receiver = {},
               .captures = {values_.children(callee).begin(), values_.children(callee).end()},
               .guard = {}}};
    case ValueKind::Bound: {
      const FunctionKey f{value.a};
      const ValueId receiver = values_.child(callee, 0);
      const ClassKey c = values_.class_of(receiver);
      const bool exact = values_[receiver].kind == ValueKind::Instance || values_[receiver].kind == ValueKind::Class;
      if (c.valid() && !exact)
        return methods_called(c, index_.name(index_.functions()[f].module, index_.function(f).name), receiver, false,
                              true);
      const Confidence certainty = values_.of_unknown_origin(receiver) ? Confidence::Likely : Confidence::Certain;
      return {{.function = f, .receiver = receiver, .captures = {}, .guard = {}, .certainty = certainty}};
    }
    case ValueKind::Guarded: add_chosen(found, {values_.child(callee, 0), values_.child(callee, 1)}); return found;
    case ValueKind::Partial:
      if (value.child_count == 0 || values_[values_.child(callee, 0)].kind == ValueKind::Text) return {};
      for (Target target : targets(values_.child(callee, 0))) {
        // Only a method bound to its object; other leading arguments shift what follows.
        if (value.a != kWaitingCall && value.child_count == 2 && !target.receiver.valid())
          target.receiver = values_.child(callee, 1);
        found.push_back(target);
      }
      return found;
    case ValueKind::Class: return made_by(ClassKey{value.a});
    case ValueKind::Attribute:
    case ValueKind::Element:
    case ValueKind::Conditional:
    case ValueKind::Subscript:
      for (const Choice& choice : choices_of(callee))
        if (choice.callee.valid()) add_chosen(found, choice);
      if (!found.empty() || value.kind == ValueKind::Conditional || value.kind == ValueKind::Subscript) return found;
      break;
    default: break;
  }
  const ClassKey c = values_.class_of(callee);
  if (!c.valid()) return {};
  if (value.kind == ValueKind::Parameter && value.c == 1) return made_by(c);  // cls(...)
  const bool exact = value.kind == ValueKind::Instance;
  found = methods_called(c, index_.intern("__call__"), callee, exact, false);
  return found.empty() ? methods_called(c, index_.intern("forward"), callee, exact, false) : found;
}

// The constructor of a class.
std::vector<Target> Query::made_by(ClassKey c) const {
  return methods_called(c, index_.intern("__init__"), values_.leaf(ValueKind::Instance, c.index), true, false);
}

bool Query::may_communicate(ValueId callee) const {
  return leads_to(callee, [&](ValueId called, std::vector<ValueId>& next) {
    for (const Target& target : targets(called)) {
      const Summary* s = summary(target.function);
      if (s && s->communicates) return true;
      if (s && s->calls_captures)
        std::ranges::copy_if(target.captures, std::back_inserter(next), [](ValueId v) { return v.valid(); });
    }
    const Model* model = model_of(called);
    return model && (model->kind == ModelKind::Collective || model->kind == ModelKind::GroupCreate);
  });
}

bool Query::demands_argument(ValueId callee) const {
  const Value& value = values_[callee];
  if (value.kind != ValueKind::Function && value.kind != ValueKind::Bound) return false;
  const auto& parameters = index_.function(FunctionKey{value.a}).parameters;
  const size_t first = value.kind == ValueKind::Bound ? 1 : 0;
  return first < parameters.size() && !parameters[first].default_value.valid() &&
         parameters[first].kind != ir::ParameterKind::Star && parameters[first].kind != ir::ParameterKind::DoubleStar;
}

ValueId Query::receiver_of(ValueId callee) const {
  const Value& value = values_[callee];
  switch (value.kind) {
    case ValueKind::Attribute:
    case ValueKind::Bound: return values_.child(callee, 0);
    case ValueKind::Partial:
      if (value.a == kWaitingCall) return receiver_of(values_.child(callee, 0));
      return value.child_count > 1 ? values_.child(callee, 1) : ValueId{};
    default: return {};
  }
}

ValueId Query::argument(const Call& call, const ArgumentSpec& spec) const {
  if (!spec.keyword.empty()) {
    const Symbol name = index_.names().find(spec.keyword);
    for (const auto& [keyword, v] : call.keywords)
      if (keyword == name) return v;
  }
  if (spec.position >= 0 && static_cast<size_t>(spec.position) < call.positional.size())
    return call.positional[static_cast<size_t>(spec.position)];
  return {};
}

// Whether it calls anything that is named like what communicates, as what hands over to a back end or to an extension
// does. Where it does not, it is another function of the same name.
bool Query::calls_what_sounds_so(FunctionKey f) const {
  const ir::Module& text = index_.modules()[index_.functions()[f].module];
  const ir::Function& function = index_.function(f);
  return ir::any_instruction(function, [&](const ir::Instruction& i) {
    if (i.kind != ir::InstructionKind::Call) return false;
    const ir::Expr& callee = function.exprs[i.value];
    return callee.symbol.valid() && std::ranges::binary_search(models_.interesting_names(), text.text(callee.symbol));
  });
}

const Model* Query::model_of_member(Role classes, std::string_view member) const {
  const Model* first = nullptr;
  for (const std::string& owner : roles().names_in(classes)) {
    const Model* model = models_.find(owner + "." + std::string(member));
    if (model && is_in_sight(owner)) return model;
    if (!first) first = model;
  }
  return first;
}

// Whether the project may have objects of the class: it imports the package, or has such a name.
bool Query::is_in_sight(std::string_view type) const {
  const size_t dot = type.find('.');
  return dot == type.npos ? index_.names().find(type).valid() : program_.imports(type.substr(0, dot));
}

// `mesh["tp"].get_local_rank()` where only its name says that it is a mesh. Other things have that name, too,
// and have sizes and shapes: only what no other kind of mesh has counts.
const Model* Query::method_of_mesh(ValueId receiver, const std::string& name) const {
  if (!roles().play(name, Role::AsksMesh)) return nullptr;
  const Value& value = values_[receiver];
  const ValueId mesh = value.kind == ValueKind::Subscript ? values_.child(receiver, 0) : receiver;
  return priors().suggest(last_name(mesh), NameMeaning::Mesh) ? model_of_member(Role::MeshClass, name) : nullptr;
}

// The file where something of unknown type was named first.
ModuleKey Query::module_of(ValueId v) const {
  while (true) {
    const Value& value = values_[v];
    switch (value.kind) {
      case ValueKind::Attribute:
      case ValueKind::Subscript:
      case ValueKind::Believed: v = values_.child(v, 0); continue;
      case ValueKind::Parameter:
      case ValueKind::Free: return index_.functions()[FunctionKey{value.a}].module;
      case ValueKind::Global: return ModuleKey{value.a};
      case ValueKind::Opaque:
      case ValueKind::Element:
      case ValueKind::LoopPhi: {
        const Site* made = made_at(v);
        return made ? index_.functions()[made->function].module : ModuleKey{};
      }
      default: return {};
    }
  }
}

// `engine.backward(loss)` is DeepSpeed's where the file says anything of DeepSpeed.
bool Query::is_mentioned(const std::string& word, ValueId receiver) const {
  const ModuleKey module = module_of(receiver);
  if (word.empty() || !module.valid()) return true;
  const std::pair key{module, word};
  if (const bool* known = mentions_.find(key)) return *known;
  const SymbolTable& symbols = index_.modules()[module].symbols;
  bool is_there = false;
  for (uint32_t s = 0; !is_there && s < symbols.size(); ++s)
    is_there = symbols.text(Symbol{s}).find(word) != std::string_view::npos;
  return mentions_.set(key, is_there);
}

// `trainer.train()` where the project has a class Trainer with such a method that is not the library's.
bool Query::is_own_method(std::string_view variable, Symbol name, const Model& model) const {
  const std::string attribute = "." + std::string(index_.names().text(name));
  const auto is_of_library = [&](FunctionKey method) {
    if (models_.find(index_.import_name(method)) == &model) return true;
    return std::ranges::any_of(index_.linearization(index_.functions()[method].owner), [&](ClassKey k) {
      return std::ranges::any_of(index_.classes()[k].external_bases, [&](Symbol base) {
        return models_.find(std::string(index_.names().text(base)) + attribute) == &model;
      });
    });
  };
  const std::vector<FunctionKey> suggested = methods_suggested_by_name(index_, variable, name);
  return !suggested.empty() && std::ranges::none_of(suggested, is_of_library);
}

// Whether the body of the function returns several values, and not two as a getter of rank and size does:
// then it is another one of that name.
bool Query::returns_no_pair(FunctionKey f) const {
  const ir::Function& code = index_.function(f);
  return std::ranges::any_of(code.blocks, [&](const ir::Block& block) {
    const ir::Terminator& end = block.terminator;
    return end.kind == ir::TerminatorKind::Return && end.value.valid() &&
           code.exprs[end.value].kind == ir::ExprKind::Tuple && ir::children(code, end.value).size() != 2;
  });
}

const Model* Query::model_of_calling(ValueId object) const {
  const Symbol type = values_.external_type_of(object);
  return type.valid() ? models_.find(std::string(index_.names().text(type)) + ".__call__") : nullptr;
}

const Model* Query::model_of(ValueId callee) const {
  const Value value = values_[callee];
  const SymbolTable& names = index_.names();
  switch (value.kind) {
    case ValueKind::External: return models_.find(names.text(Symbol{value.a}));
    case ValueKind::Function:
    case ValueKind::Bound: {
      // A body that is here is read; only what it can't show comes from the model: which group a getter returns,
      // which rank a property is, and on what a method of a group object communicates.
      const Model* model = models_.find(index_.import_name(FunctionKey{value.a}));
      if (!model) return nullptr;
      const bool collective = model->kind == ModelKind::Collective || model->kind == ModelKind::GroupCreate ||
                              model->kind == ModelKind::Setup || model->kind == ModelKind::Uniformizer ||
                              model->kind == ModelKind::GuardContext || model->kind == ModelKind::PointToPoint;
      const bool of_group = value.kind == ValueKind::Bound && model->group.otherwise == GroupSpec::Otherwise::Receiver;
      const bool tells_ranks = model->kind == ModelKind::RankSource || model->kind == ModelKind::SizeSource;
      if (tells_ranks && returns_no_pair(FunctionKey{value.a})) return nullptr;
      if (!collective || of_group) return model;
      // What ends in a table of back ends or in a compiled extension looks as if it did not communicate.
      // A library's own primitive, read with the library: its body only chooses among back ends.
      const bool is_by_pattern = model->name.starts_with("*.");
      return is_primitive(*model) && (!is_by_pattern || calls_what_sounds_so(FunctionKey{value.a})) ? model : nullptr;
    }
    case ValueKind::Class: {
      const Model* model = models_.find(index_.import_name(ClassKey{value.a}));
      return model && model->kind != ModelKind::Class ? model : nullptr;
    }
    case ValueKind::Attribute: {
      if (const Model* model = model_of_calling(callee)) return model;
      const ValueId base = values_.child(callee, 0);
      const std::string name(names.text(Symbol{value.a}));
      if (values_[base].kind == ValueKind::Group) return model_of_member(Role::GroupClass, name);
      if (const ClassKey c = values_.class_of(base); c.valid()) {
        // Not in the project: an inherited method of a library class.
        for (ClassKey k : index_.linearization(c))
          for (Symbol external : index_.classes()[k].external_bases)
            if (const Model* model = models_.find(std::string(names.text(external)) + "." + name)) return model;
        return nullptr;
      }
      if (const Symbol type = values_.external_type_of(base); type.valid())
        return models_.find(std::string(names.text(type)) + "." + name);
      if (values_[base].kind == ValueKind::Super) {
        for (ClassKey k : index_.linearization(ClassKey{values_[base].a}))
          for (Symbol external : index_.classes()[k].external_bases)
            if (const Model* model = models_.find(std::string(names.text(external)) + "." + name)) return model;
        return nullptr;
      }
      if (const Model* model = method_of_mesh(base, name)) return model;
      const Model* model = models_.find_attribute(last_name(base), name);
      return model && is_mentioned(model->mention, base) && !is_own_method(last_name(base), Symbol{value.a}, *model)
                 ? model
                 : nullptr;
    }
    case ValueKind::Opaque:
    case ValueKind::Parameter:
    case ValueKind::Free:
    case ValueKind::LoopPhi: return model_of_calling(callee);
    default: return nullptr;
  }
}

const ArgumentSpec& sized_argument(const Model& model) { return model.input.present() ? model.input : model.tensor; }

Assurance target_certainty(const ProjectIndex& index, const Target& target, const CodePlace& place) {
  if (target.certainty == Confidence::Possible) return Doubt{Reason::OneOfManyClasses, place};
  Assurance sure = target.certainty;
  if (target.certainty < Confidence::Certain)
    sure.assume({.kind = AssumptionKind::CalleeByType,
                 .subject = std::string(index.qualified_name(target.function)),
                 .place = place});
  return sure;
}

Assurance model_certainty(const Model& model, const CodePlace& place) {
  Assurance sure = model.confidence == Confidence::Possible ? Assurance(Doubt{Reason::SometimesCommunicates, place})
                                                            : Assurance(model.confidence);
  if (model.conditional) {
    sure.lower_to(Confidence::Likely);
    sure.assume({.kind = AssumptionKind::CommunicatesHere, .subject = model.name, .place = place});
  } else if (model.confidence == Confidence::High || model.confidence == Confidence::Likely) {
    sure.assume({.kind = AssumptionKind::CalleeByName, .subject = model.name, .place = place});
  }
  return sure;
}

}  // namespace ranklint
