// A function of C++ as the rules about NCCL read it: what its instructions call, and on which variables.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "analyzer/program/given_for.h"
#include "analyzer/project/shared.h"

namespace ranklint {

class NcclFunction {
 public:
  NcclFunction(const Shared& shared, FunctionKey key) : index_(*shared.index), key_(key), body_(index_.function(key)) {}

  FunctionKey key() const { return key_; }
  const ir::Function& body() const { return body_; }

  // "state.comm"; empty: it is no such name.
  std::string place(ir::ExprId e) const { return index_.dotted(index_.functions()[key_].module, body_, e); }
  // "ncclCommDestroy"; empty: it calls nothing, or the callee is unknown.
  std::string callee(const ir::Instruction& i) const {
    return i.kind == ir::InstructionKind::Call ? place(i.value) : "";
  }

  // What the call is given for the argument; invalid: nothing.
  ir::ExprId given_for(const ir::Instruction& call, const ArgumentSpec& argument) const {
    return ranklint::given_for(body_, index_.modules()[index_.functions()[key_].module], call, argument.position,
                               argument.keyword);
  }

  // Whether some call's name is what `accepts` asks for.
  template <typename Accepts>
  bool calls(Accepts accepts) const {
    return std::any_of(body_.blocks.begin(), body_.blocks.end(), [&](const ir::Block& block) {
      return std::any_of(block.instructions.begin(), block.instructions.end(),
                         [&](const ir::Instruction& i) { return accepts(callee(i)); });
    });
  }

 private:
  const ProjectIndex& index_;
  FunctionKey key_;
  const ir::Function& body_;
};

// All functions of C++.
inline std::vector<FunctionKey> cpp_functions(const Shared& shared) {
  std::vector<FunctionKey> functions;
  const ProjectIndex& index = *shared.index;
  for (uint32_t f = 0; f < index.functions().size(); ++f)
    if (index.modules()[index.functions()[FunctionKey{f}].module].has(ir::Convention::OneNamespace))
      functions.push_back(FunctionKey{f});
  return functions;
}

}  // namespace ranklint
