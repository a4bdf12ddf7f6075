// Whether what an expression holds has an order that ranks share.
//
// A set of objects or strings has another order in each process, and so has a list made of it; sorting gives it
// one. The question is answered from the text: from the assignments that reach a name, from every assignment to
// an attribute of the class, from what a function of the project returns or yields. Integers hash to themselves, so
// sets of them are in one order everywhere. What is not known is taken to be in order.
#pragma once

#include "analyzer/questions/code.h"
#include "analyzer/summary/query.h"

namespace ranklint {

struct IterationOrder {
  enum class Kind { Ordered, Bottom, Unordered, Parameter };
  Kind kind = Kind::Ordered;  // Bottom: says nothing yet (an empty list, a value that goes round a loop)
  // Unordered: what it is, and how it is called, "set" or "os.listdir".
  enum class Source { Set, Listing };
  Source source = Source::Set;
  std::string name = {};
  FunctionKey function = {};  // Unordered: where it became so, if that is in the text
  SourceRange range = {};
  int parameter = -1;  // Parameter: the order is that of this parameter
};

class IterationOrders {
 public:
  explicit IterationOrders(const Query& query) : in_(query), index_(query.index()) {}
  IterationOrder of(const FunctionCode& code, ir::ExprId e, ProgramPoint at);

 private:
  IterationOrder look(const FunctionCode& code, ir::ExprId e, ProgramPoint at);
  IterationOrder of_name(const FunctionCode& code, Symbol name, ProgramPoint at);
  IterationOrder of_parameter(const FunctionCode& code, int parameter);
  IterationOrder of_global(const FunctionCode& code, Symbol name);
  IterationOrder of_attribute(const FunctionCode& code, ir::ExprId e);
  bool is_view(const FunctionCode& code, ir::ExprId e, ProgramPoint at) const;
  IterationOrder of_binary(const FunctionCode& code, ir::ExprId e, ProgramPoint at);
  IterationOrder of_instruction(const FunctionCode& code, const ir::Instruction& i, ProgramPoint at);
  IterationOrder of_call(const FunctionCode& code, const ir::Instruction& i, ProgramPoint at);
  // A collection without an order, made in this place.
  IterationOrder unordered(const FunctionCode& code, IterationOrder::Source source, std::string name,
                           SourceRange range) const;
  IterationOrder collected_in_loop(const FunctionCode& code, ir::ExprId item, ProgramPoint at);
  IterationOrder given_by(const FunctionCode& code, const ir::Instruction& call, ProgramPoint at);
  IterationOrder yielded(const FunctionCode& code);
  bool holds_integers(const FunctionCode& code, ir::ExprId e, ProgramPoint at);
  bool sorted_in_place(const FunctionCode& code, const std::string& dotted);
  IterationOrder annotated(const FunctionCode& code, ir::ExprId annotation);

  const Query& in_;
  const ProjectIndex& index_;
  std::set<std::pair<uint32_t, ProgramPoint>> under_way_;
  int depth_ = 0;
  int budget_ = 0;  // how many expressions the question may still look at
};

// "rank", "idx", "num_layers": what such a name holds is an integer.
bool names_an_integer(const NamePriors& priors, std::string_view name);

}  // namespace ranklint
