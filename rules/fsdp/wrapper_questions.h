// What the code asks, on the way to a place, about a variable that may hold a wrapped model:
//
//     if isinstance(model, DDP): ...                 what it holds
//     if args.distributed: ...                       the option under which it is wrapped
//     if gpus > 1: x = model.module.x                something else, and the other side takes the wrapped model
//     else: x = model.x
//     try: x = model.x                               whether the member is there
//     except AttributeError: x = model.module.x
#pragma once

#include <string>
#include <vector>

#include "analyzer/questions/code.h"
#include "analyzer/summary/query.h"

namespace ranklint {

class WrapperQuestions {
 public:
  explicit WrapperQuestions(const Query& in) : in_(in), index_(in.index()) {}

  // Whether both are the same variable, or the same attribute of the method's object.
  bool is_same(const FunctionCode& code, ir::ExprId a, ir::ExprId b) const;
  // Names that the conditions ask for which decide about the block.
  std::vector<std::string> options_above(const FunctionCode& code, ir::BlockId block) const;
  // Whether one of these questions stands above the block. `wrapped_at` asks for `options`.
  bool stand_above(const FunctionCode& code, ir::BlockId block, ir::ExprId variable, const Site& wrapped_at,
                   const std::vector<std::string>& options) const;
  // Whether one of them stands in the expression, of which the variable is a part: `a and model.x`, `model.x if a else
  // y`.
  bool stand_in(const FunctionCode& code, ir::ExprId whole, ProgramPoint at, ir::ExprId variable,
                const std::vector<std::string>& options) const;
  // Whether the instruction reads the model out of a wrapper: `model.module`.
  bool takes_wrapped(const FunctionCode& code, const ir::Instruction& i) const;
  // Whether the function asks anywhere what a model is, or takes one out of a wrapper.
  bool are_in(const FunctionCode& code) const;

 private:
  std::vector<std::string> names_asked(const FunctionCode& code, ir::ExprId condition, ProgramPoint at) const;
  std::vector<const ir::Instruction*> calls_asked(const FunctionCode& code, ir::ExprId condition,
                                                  ProgramPoint at) const;
  bool asks(const FunctionCode& code, ir::ExprId condition, ProgramPoint at, ir::ExprId variable,
            const std::vector<std::string>& options) const;
  bool is_asserted(const FunctionCode& code, ir::BlockId block, ir::ExprId variable,
                   const std::vector<std::string>& options) const;
  bool hands_over(const FunctionCode& code, ir::ExprId condition, ProgramPoint at, ir::ExprId variable) const;
  bool asks_what_is(const FunctionCode& code, ir::ExprId variable, ir::ExprId condition, ProgramPoint at) const;
  bool expects_failure(const FunctionCode& code, ir::BlockId block, ir::ExprId variable) const;
  bool is_fallback(const FunctionCode& code, ir::BlockId block, ir::ExprId variable) const;
  bool takes_failure(const FunctionCode& code, ir::BlockId block) const;
  bool is_taken_under(const FunctionCode& code, ir::ExprId variable, ir::BlockId top) const;
  bool is_taken_in(const FunctionCode& code, ir::ExprId variable, ir::BlockId block) const;
  bool is_taken_beside(const FunctionCode& code, ir::ExprId variable, ir::BlockId branch, bool side) const;
  bool is_wrapped_of(const FunctionCode& code, ir::ExprId e, ir::ExprId variable) const;

  const Query& in_;
  const ProjectIndex& index_;
};

// Whether a part of what the instruction reads is such.
template <typename IsSuch>
bool any_part_read(const ir::Function& f, const ir::Instruction& i, const IsSuch& is_such) {
  if (ir::any_part(f, i.value, is_such)) return true;
  if (i.kind != ir::InstructionKind::Call) return false;
  for (const ir::Argument& a : ir::arguments(f, i))
    if (ir::any_part(f, a.value, is_such)) return true;
  return false;
}

}  // namespace ranklint
