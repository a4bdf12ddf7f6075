// A model's own members: methods of its class, and attributes that these set.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "analyzer/summary/query.h"

namespace ranklint {

struct OwnMember {
  CodePlace defined;
  bool is_by_name = false;  // the model's class is not known: another class of models in the project has it
};

class OwnMembers {
 public:
  explicit OwnMembers(const Query& in) : in_(in), index_(in.index()) {}

  // Of the model that the value is; `member` is a name of the project's table. Nothing: it is not seen to have it.
  std::optional<OwnMember> find(ValueId model, Symbol member);

 private:
  std::optional<CodePlace> in_class(ClassKey c, Symbol member) const;
  std::optional<CodePlace> in_any_model(Symbol member);

  const Query& in_;
  const ProjectIndex& index_;
  std::optional<std::vector<ClassKey>> models_;
  std::map<Symbol, std::optional<CodePlace>> by_name_;
};

}  // namespace ranklint
