// A module on IR whose functions are asked about.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/interp/interpreter.h"
#include "analyzer/questions/code.h"

namespace ranklint::test {

class Asked {
 public:
  // `functions`: those of the module, as text; its code imports `imports` and binds all functions that stand in none.
  // `watched`: the names of the calls that are noted.
  explicit Asked(std::string functions, const std::string& imports = "", const std::vector<std::string>& watched = {});

  const Query& in() const { return interpreter_.query(); }
  const ProjectIndex& index() const { return index_; }
  FunctionKey function(std::string_view qualified_name) const;
  const Summary& summary(std::string_view function) const { return *in().summary(this->function(function)); }
  FunctionCode code(std::string_view function) const { return {index_, summary(function)}; }
  ir::BlockId block(std::string_view function, std::string_view label) const;

 private:
  static std::vector<ir::Module> modules_of(std::string functions, const std::string& imports);

  const Models models_ = Models::builtin();
  const ProjectIndex index_;
  Interpreter interpreter_;
};

// The place of the first call whose callee is written so, and what it is given.
ProgramPoint call_of(const FunctionCode& code, std::string_view callee);
ir::ExprId argument_of(const FunctionCode& code, std::string_view callee, size_t number = 0);
const ir::Instruction& instruction_at(const FunctionCode& code, ProgramPoint at);

}  // namespace ranklint::test
