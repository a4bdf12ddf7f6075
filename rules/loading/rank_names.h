// What is named after a rank, or made of what is: conditions that let some ranks through, and paths of each rank's own.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "analyzer/program/call_places.h"
#include "analyzer/questions/code.h"
#include "analyzer/summary/query.h"

namespace ranklint {

// `"RANK" in os.environ`
bool asks_environment(const Query& in, const FunctionCode& code, ir::ExprId asked);

class RankNames {
 public:
  using Parameters = std::set<int>;  // of a function

  explicit RankNames(const Query& in) : in_(in) {}

  // Whether the condition, or a call that it compares, is named like a rank. All ranks of a job agree on whether a
  // launcher started them: `"RANK" in os.environ and "WORLD_SIZE" in os.environ` is no such condition.
  bool tests_rank(const FunctionCode& code, ir::ExprId condition, ProgramPoint at) const;
  // The parameters that the expression is made of, also by way of the object's attributes. Nothing: a rank's name is
  // part of it.
  std::optional<Parameters> parameters_of(const FunctionCode& code, ir::ExprId e, ProgramPoint at) const;

 private:
  // What an expression is made of, as far as its function shows.
  struct MadeOf {
    Parameters parameters;
    std::vector<ir::ExprId> parts;
  };
  std::optional<MadeOf> parts_of(const FunctionCode& code, ir::ExprId e, ProgramPoint at) const;
  bool are_given_of_rank(FunctionKey f, const Parameters& parameters) const;
  // Whether a call in sight passes for one of the parameters what the question says yes to.
  using AsksArgument = std::function<bool(const FunctionCode&, ir::ExprId, ProgramPoint)>;
  bool any_argument_for(FunctionKey f, const Parameters& parameters, const AsksArgument& says) const;
  bool is_kept_of_rank(const FunctionCode& code, ir::ExprId e) const;
  bool mentions_rank(const FunctionCode& code, ir::ExprId e) const;
  // What a function gives an attribute.
  struct Given {
    FunctionKey by;
    ir::BlockId block;
    ValueId value;
  };
  bool is_given_rank(const FunctionCode& code, const ir::Expr& attribute) const;
  void find_given() const;
  std::vector<Given> given_to(Symbol name, ClassKey of) const;
  bool are_ranks(const std::vector<Given>& given) const;
  bool are_flags_of_ranks(const std::vector<Given>& given) const;
  bool is_rank(ValueId value) const;
  bool is_handed_rank(ValueId value) const;
  bool is_under_named_rank(const FunctionCode& code, ir::BlockId block) const;
  bool names_element(const FunctionCode& code, const std::set<Symbol>& names) const;

  const Query& in_;
  mutable std::optional<CallPlaces> places_;                           // once they are asked for
  mutable std::optional<std::map<Symbol, std::vector<Given>>> given_;  // by name; once they are asked for
  mutable std::map<std::pair<Symbol, ClassKey>, bool> of_rank_;        // of a class; invalid: of any
};

}  // namespace ranklint
