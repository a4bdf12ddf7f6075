// Where what an expression holds comes from, within one function.
//
// Names lead to the assignments that reach them, elements to what they are taken from, the results of calls to the
// object and the first argument of the call. So `x.to(device)`, `convert(x)` and `for name, x in items:` all derive
// from `x` and `items`. It is a guess at data flow that errs to both sides: use it for weak conclusions only.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "analyzer/questions/code.h"

namespace ranklint {

struct Derivation {
  std::set<int> parameters;
  std::set<Symbol> names;              // of this function, those it went through
  std::set<Symbol> free;               // not bound in the function: of a function around it, or of the module
  std::vector<ir::ExprId> attributes;  // that it went through
  std::vector<ProgramPoint> calls;     // in the order in which they stand
  std::vector<std::pair<ir::ExprId, ProgramPoint>> keys;  // by which it is taken out of lists and tables
};

// Of an expression that is evaluated at `at`. What the variable `stop_at` is made of is not followed; invalid: all
// are.
Derivation derivation_of(const FunctionCode& code, ir::ExprId e, ProgramPoint at, Symbol stop_at = {});

// The same, but the object of an attribute or an element is not followed.
Derivation derivation_without_objects(const FunctionCode& code, ir::ExprId e, ProgramPoint at);

// The first argument by position, or of one of the keywords; invalid: none.
ir::ExprId first_argument(const FunctionCode& code, const ir::Instruction& call);
// The argument that a call gives for a parameter of a function of the project; invalid: none.
ir::ExprId argument_for(const FunctionCode& code, const ir::Instruction& call, const ProjectIndex& index,
                        FunctionKey callee, int parameter, bool has_receiver);

}  // namespace ranklint
