// Which functions may run a function, by the text of the project alone: those that mention it and, where a library may
// call the methods of an object, those that mention its class. Some of these never run it. None that runs it is
// missing, except those that look it up by a text (`getattr`).
#pragma once

#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "analyzer/resolve/index.h"
#include "analyzer/resolve/models.h"

namespace ranklint {

// An expression of a function.
using Mention = std::pair<FunctionKey, ir::ExprId>;

class Mentions {
 public:
  Mentions(const ProjectIndex& index, const Models& models);

  // The functions of the project that an expression may mean.
  std::vector<FunctionKey> functions_meant(FunctionKey within, ir::ExprId e) const;

  // Finds all mentions except these, each of which passes a function to a call that is known to run it elsewhere.
  void find(const std::set<Mention>& left_out);
  std::span<const FunctionKey> of(FunctionKey f) const { return by_[f]; }
  // Whether code outside the project runs it, mentioned or not: it is the code of a file, or it has a decorator.
  // Code outside the project may also call a function that has no mentions.
  bool is_run_from_outside(FunctionKey f) const { return from_outside_[f.index]; }

 private:
  FunctionKey nested(FunctionKey within, Symbol name) const;
  void find_in(FunctionKey g, const std::set<Mention>& left_out);
  void visit(FunctionKey g, ir::ExprId e);
  void visit_target(FunctionKey g, ir::ExprId e);
  void mention(FunctionKey g, ir::ExprId e);
  void mention(FunctionKey g, const Entity& entity);
  bool may_be_called_by_libraries(FunctionKey method) const;
  bool has_unknown_decorator(FunctionKey f) const;

  const ProjectIndex& index_;
  const Models& models_;
  std::map<std::pair<FunctionKey, Symbol>, FunctionKey> nested_;  // by the function around it and its name there
  std::vector<std::pair<Symbol, FunctionKey>> of_files_;          // functions that stand in no other, sorted by name
  std::map<ClassKey, std::vector<FunctionKey>> users_;  // functions that mention a class or one derived from it
  IdVector<FunctionKey, std::vector<FunctionKey>> by_;
  std::vector<bool> from_outside_;
};

}  // namespace ranklint
