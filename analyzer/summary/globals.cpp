// The values of modules' variables.
//
// A variable is what its assignments say together, in the module's own body and in the functions that declare it
// `global`. What these call while they run is asked then, and reads what they have given it by then:
//
//     def main():
//         global rank
//         rank = dist.get_rank()
//         train()                       # reads `rank`
#include <algorithm>
#include <set>

#include "analyzer/program/signal_handlers.h"
#include "analyzer/summary/query.h"
#include "analyzer/variance/beliefs.h"

namespace ranklint {

// What a module's own code says of a name before it was run: it runs after what it calls. Invalid: no constant.
ValueId Query::written_constant(ModuleKey module, Symbol name) const {
  const ir::ExprId written = program_.assigned_once(module, name);
  if (!written.valid()) return {};
  const ValueId value = static_value(module, index_.modules()[module].functions[ir::FunctionId{0}], written);
  return values_.is_constant(value) ? value : ValueId{};
}

// Whether the module's own code computes what it gives the name: of a call, or of what the environment holds.
bool Query::is_computed(ModuleKey module, Symbol name) const {
  const ir::Module& text = index_.modules()[module];
  const ir::Function& body = text.functions[ir::FunctionId{0}];
  const auto is_call = [&](const ir::Instruction& i) {
    return i.kind == ir::InstructionKind::Call ||
           (body.exprs[i.value].kind == ir::ExprKind::Name && SymbolTable::is_temporary(body.exprs[i.value].symbol));
  };
  const auto asks_what_is_held = [&](const ir::Instruction& i) {
    return ir::any_part(body, i.value, [&](ir::ExprId part) {
      return body.exprs[part].kind == ir::ExprKind::Binary && ir::is_membership(body.exprs[part].op);
    });
  };
  const auto gives_it = [&](const ir::Instruction& i) {
    return ir::any_part(body, i.target, [&](ir::ExprId part) {
      return body.exprs[part].kind == ir::ExprKind::Name && index_.name(module, body.exprs[part].symbol) == name;
    });
  };
  return std::ranges::any_of(body.blocks, [&](const ir::Block& block) {
    return std::ranges::any_of(block.instructions, [&](const ir::Instruction& i) {
      const bool gives = i.kind == ir::InstructionKind::Call || i.kind == ir::InstructionKind::Assign;
      return gives && i.target.valid() && gives_it(i) && (is_call(i) || asks_what_is_held(i));
    });
  });
}

ValueId Query::global_value(ModuleKey module, Symbol name) const {
  const std::pair key{module.index, name.index};
  if (const ValueId* known = globals_.find(key)) return *known;
  // The module's code runs first: it asks for this name while it runs, and has to get the value the name has by then.
  summary(index_.key(module, ir::FunctionId{0}));
  if (const ValueId* known = globals_.find(key)) return *known;
  const ValueId fallback = values_.leaf(ValueKind::Global, module.index, name.index);
  if (asking_.globals.contains(key)) return given_so_far(module, name, fallback);
  struct Asked {
    std::set<TwoNumbers>& asked;
    TwoNumbers key;
    ~Asked() { asked.erase(key); }
  };
  asking_.globals.insert(key);
  const Asked asked{asking_.globals, key};
  const uint32_t in_the_making = asking_.in_the_making;
  const ValueId value = assigned_to(module, name, fallback);
  // It is more, perhaps, when all that assign it have been run.
  return asking_.in_the_making == in_the_making ? globals_.set(key, value) : value;
}

// A group is not known where a caller hands in another one.
ValueId Query::joined(std::vector<ValueId> found, ValueId fallback) const {
  const auto is_handed_in = [&](ValueId v) { return v.valid() && !values_[v].closed; };
  if (std::ranges::any_of(found, is_handed_in))
    std::erase_if(found, [&](ValueId v) { return v.valid() && values_[v].kind == ValueKind::Group; });
  return join_assignments(found, fallback);
}

// What is found while the value is worked out: those who give it have been run, or call just now what asks for it.
ValueId Query::given_so_far(ModuleKey module, Symbol name, ValueId fallback) const {
  std::vector<ValueId> found;
  for (const AttributeSite& site : program_.global_assignments(module, name)) {
    const Summary* setter = source_.finished(site.function);
    const ValueId value = setter ? setter->given_to(name, site) : source_.given_by_now(site.function, name);
    if (value.valid() && !values_.is_constant(value)) found.push_back(value);
  }
  return joined(std::move(found), fallback);
}

// What a function gives the name there, also where it calls just now what asks for it. Invalid: not known.
ValueId Query::given_at(const AttributeSite& site, Symbol name) const {
  const Summary* setter = summary(site.function);
  return setter ? setter->given_to(name, site) : source_.given_by_now(site.function, name);
}

// What the module's own code and its functions give the name. `fallback`: what it is where nothing is known of that.
ValueId Query::assigned_to(ModuleKey module, Symbol name, ValueId fallback) const {
  // Tables that are written out alike are two all the same.
  if (!program_.kept_callees().in_variable(module, name).empty()) return fallback;
  std::vector<ValueId> found;
  const FunctionKey body = index_.key(module, ir::FunctionId{0});
  if (const Summary* top = summary(body)) {
    if (const ValueId value = top->at_end(name); value.valid()) found.push_back(value);
  } else if (const ValueId given = source_.given_by_now(body, name); given.valid()) {
    found.push_back(given);
  } else if (const ValueId constant = written_constant(module, name); constant.valid()) {
    found.push_back(constant);
  }
  const bool differs = !found.empty() && values_.diverges(found.front());
  const std::span<const AttributeSite> sites = program_.global_assignments(module, name);
  for (const AttributeSite& site : sites)
    if (const ValueId value = given_at(site, name); value.valid()) {
      // Where a function makes it alike everywhere later, ranks need not disagree on it.
      if (differs && values_.is_constant(value) && values_[value].kind != ValueKind::None) return fallback;
      found.push_back(value);
    }
  // A flag that a signal handler raises: no two ranks are at the same place when it comes.
  const bool is_flag = !found.empty() && std::ranges::all_of(found, [&](ValueId v) {
    return v.valid() && values_[v].kind == ValueKind::Bool;
  });
  if (is_flag)
    for (const AttributeSite& site : sites)
      if (is_signal_handler(index_, roles(), site.function)) {
        const SiteId came = intern_site({site.function, site.block, site.instruction, 0, Site::Why::Signal});
        return values_.local("a signal", came.index);
      }
  // A constant that another function changes is no constant.
  if (!sites.empty()) std::erase_if(found, [&](ValueId v) { return v.valid() && values_.is_constant(v); });
  const ir::Function& top = index_.modules()[module].functions[ir::FunctionId{0}];
  for (const ir::Annotation& a : index_.modules()[module].annotations)
    if (a.function.index == 0 && top.exprs[a.target].kind == ir::ExprKind::Name &&
        index_.name(module, top.exprs[a.target].symbol) == name)
      fallback = values_.with_type(fallback, annotation_type(module, top, a.annotation));
  // A switch that is written is a setting; one that is computed is known: `under_launcher = "RANK" in os.environ`.
  if (found.size() == 1 && found.front().valid() && values_[found.front()].kind == ValueKind::Bool &&
      is_computed(module, name))
    return found.front();
  const ValueId value = joined(std::move(found), fallback);
  // A module-level group variable ("_TP_GROUP", "_SEQUENCE_PARALLEL_GROUP") that functions fill.
  return values_[value].kind == ValueKind::Global ? believed(value, index_.names().text(name)) : value;
}

}  // namespace ranklint
