// Which functions of the project a call enters, and which calls enter a function.
#include <algorithm>

#include "analyzer/questions/derivation.h"
#include "rules/loading/epoch-not-set.h"

namespace ranklint::epoch_not_set {

Calls::Calls(const Query& in) : in_(in), index_(in.index()) {
  const auto& functions = index_.functions();
  for (FunctionKey f{0}; f.index < functions.size(); ++f.index)
    if (const FunctionKey outer = functions[f].parent; outer.valid())
      within_.emplace(std::pair(outer, index_.function(f).name), f);
  for (FunctionKey f{0}; f.index < functions.size(); ++f.index) {
    const ir::Function& function = index_.function(f);
    for (ir::BlockId b{0}; b.index < function.blocks.size(); ++b.index) {
      const auto& instructions = function.blocks[b].instructions;
      for (uint32_t i = 0; i < instructions.size(); ++i)
        if (instructions[i].kind == ir::InstructionKind::Call)
          for (const NamedCallee& callee : callees(f, instructions[i])) of_[callee.function].push_back({f, b, i});
    }
  }
}

std::span<const CallPlace> Calls::of(FunctionKey f) const {
  const auto found = of_.find(f);
  return found == of_.end() ? std::span<const CallPlace>() : found->second;
}

std::vector<NamedCallee> Calls::callees(FunctionKey caller, const ir::Instruction& call) const {
  const ir::Function& f = index_.function(caller);
  std::vector<NamedCallee> found;
  for (const FunctionKey method : methods(caller, call.value))
    found.push_back({method, in_.program().flags(method).is_static ? 0U : 1U});
  if (!found.empty()) return found;
  if (f.exprs[call.value].kind == ir::ExprKind::Name)
    if (const FunctionKey inner = function_within(caller, f.exprs[call.value].symbol); inner.valid())
      return {{inner, 0}};
  if (const NamedCallee named = named_callee(index_, caller, call); named.function.valid()) found.push_back(named);
  return found;
}

// Those that a method calls of its own object, or of one that goes by the name that the callee has for its own.
std::vector<FunctionKey> Calls::methods(FunctionKey caller, ir::ExprId callee) const {
  const ir::Function& f = index_.function(caller);
  if (f.exprs[callee].kind != ir::ExprKind::Attribute) return {};
  const ir::Expr& object = f.exprs[ir::children(f, callee)[0]];
  if (object.kind != ir::ExprKind::Name) return {};
  const ModuleKey module = index_.functions()[caller].module;
  const Symbol name = index_.name(module, f.exprs[callee].symbol);
  const bool is_static = in_.program().flags(caller).is_static;
  if (const ClassKey c = is_static ? ClassKey{} : index_.class_of_self(caller, object.symbol); c.valid())
    return index_.find_methods(c, name);
  const ClassKey owner = is_static ? index_.functions()[caller].owner : ClassKey{};
  if (!owner.valid()) return {};
  std::vector<FunctionKey> found = index_.find_methods(owner, name);
  std::erase_if(found, [&](FunctionKey method) {
    const ir::Function& m = index_.function(method);
    return m.parameters.empty() ||
           index_.name(index_.functions()[method].module, m.parameters[0].name) != index_.name(module, object.symbol);
  });
  return found;
}

// A function in this one or in one around it.
FunctionKey Calls::function_within(FunctionKey caller, Symbol name) const {
  for (FunctionKey f = caller; f.valid(); f = index_.functions()[f].parent) {
    if (index_.function(f).kind == ir::FunctionKind::Module) return {};
    if (const auto found = within_.find({f, name}); found != within_.end()) return found->second;
  }
  return {};
}

std::vector<HandedArgument> Calls::arguments(const FunctionCode& caller, const ir::Instruction& call) const {
  std::vector<HandedArgument> handed;
  for (const NamedCallee& callee : callees(caller.key, call)) {
    const auto count = static_cast<uint32_t>(index_.function(callee.function).parameters.size());
    for (uint32_t p = callee.first_parameter; p < count; ++p) {
      const ir::ExprId value =
          argument_for(caller, call, index_, callee.function, static_cast<int>(p), callee.first_parameter == 1);
      if (value.valid()) handed.push_back({callee.function, p, value});
    }
  }
  return handed;
}

}  // namespace ranklint::epoch_not_set
