// Reading one function's instructions by their operands: which mention a name, which assignments reach a place.
//
// These questions are about the text of a function, not about values: whether a handle is ever read again,
// whether a name holds a set. Names are symbols of the function's module.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "analyzer/flow/value_versions.h"
#include "analyzer/summary/summary.h"

namespace ranklint {

struct ProgramPoint {
  ir::BlockId block;
  uint32_t instruction = 0;  // equal to the number of instructions: the terminator
  friend auto operator<=>(const ProgramPoint&, const ProgramPoint&) = default;
};

// An instruction that gives a name a value. `direct`: the name alone is the target, else it is part of a pattern.
struct Definition {
  ProgramPoint place;
  const ir::Instruction* instruction = nullptr;  // null: the target of a loop
  bool direct = false;
};

// The definitions that may reach a place, and whether the function's entry does without any.
struct Reaching {
  std::vector<Definition> definitions;
  bool entry = false;

  // The instruction that the whole value comes from; none: there are several, or it is part of what one gives.
  std::optional<Definition> only() const {
    const bool is_one = !entry && definitions.size() == 1 && definitions[0].direct && definitions[0].instruction;
    return is_one ? std::optional(definitions[0]) : std::nullopt;
  }
};

class FunctionCode {
 public:
  FunctionCode(const ProjectIndex& index, const Summary& summary)
      : key(summary.function),
        module(index.functions()[key].module),
        text(index.modules()[module]),
        ir(index.function(key)),
        graph_(summary.graph()) {}

  const FunctionKey key;
  const ModuleKey module;
  const ir::Module& text;
  const ir::Function& ir;

  const FlowGraph& graph() const { return graph_; }
  const ir::Instruction& instruction(ProgramPoint at) const { return ir.blocks[at.block].instructions[at.instruction]; }
  std::string_view name(ir::ExprId e) const;  // of a Name; empty for anything else
  bool mentions(ir::ExprId e, const std::function<bool(Symbol)>& wanted) const;
  bool mentions(ir::ExprId e, Symbol name) const;
  // Whether the instruction reads a name: its operands, and the object that a target lies in.
  bool reads(const ir::Instruction& i, const std::function<bool(Symbol)>& wanted) const;
  bool reads(const ir::Instruction& i, Symbol name) const;
  bool reads(const ir::Terminator& t, Symbol name) const;
  // Whether the instruction gives the name itself a value.
  bool defines(const ir::Instruction& i, Symbol name) const;
  // The variable an assignment target lies in: `x` of `x`, `x.a` and `x[0]`. Invalid for patterns.
  Symbol root(ir::ExprId target) const;

  Reaching reaching(Symbol name, ProgramPoint at) const { return reaching(Assignable{.name = name}, at); }
  Reaching reaching(const Assignable& what, ProgramPoint at) const;
  // Reaching::only of a variable; none: the expression is something else, too.
  std::optional<Definition> only_definition(ir::ExprId e, ProgramPoint at) const;
  int parameter(Symbol name) const;  // -1: none of this name

 private:
  const FlowGraph& graph_;

  bool last_definition(const Assignable& what, ir::BlockId block, uint32_t before, Definition& out) const;
};

// The function of the project that an expression names: a definition, a nested one, a lambda, a method of self.
// Invalid: none.
FunctionKey function_named(const ProjectIndex& index, const FunctionCode& code, ir::ExprId e);
// The one of this function or of its module that a text of code calls, as of `exec`: "train()". Invalid: none.
FunctionKey function_called_in(const ProjectIndex& index, const FunctionCode& code, std::string_view text);

}  // namespace ranklint
