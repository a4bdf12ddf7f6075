// The `with` blocks that are open at a place of a function.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "analyzer/questions/code.h"

namespace ranklint {

struct OpenContext {
  std::string name;      // of the context manager: "torch.no_grad"
  FunctionKey function;  // of the project that makes it; invalid: none
};

// The `with` blocks of one function. Its code is read once: the list of open blocks after an instruction is the one
// before it, with one more or one less, so lists share their beginnings.
class Contexts {
 public:
  // Both must live as long as this does.
  Contexts(const ProjectIndex& index, const Summary& summary);

  FunctionKey function() const { return function_; }
  // Outermost first.
  std::vector<OpenContext> open_at(ProgramPoint at) const;

 private:
  using ListId = Id<struct OpenListTag>;  // invalid: nothing is open
  struct OpenList {
    ir::ExprId innermost;
    ListId outer;
  };
  struct Change {
    uint32_t instruction = 0;  // the list holds after it
    ListId open;
  };

  ListId read(ir::BlockId block, ListId open);
  ListId list_at(ProgramPoint at) const;
  OpenContext context_of(ir::ExprId value) const;

  const ProjectIndex& index_;
  const FunctionKey function_;
  const ir::Function& ir_;
  const FlowGraph& graph_;
  IdVector<ListId, OpenList> lists_;
  std::vector<ListId> at_end_;                // by block
  std::vector<std::vector<Change>> changes_;  // by block, in their order
  std::map<Symbol, ir::ExprId> called_;       // what the last call that gives a name its value calls
};

// Around the call that is written there.
std::vector<OpenContext> open_contexts(const ProjectIndex& index, const Summary& summary, SourceRange call);

}  // namespace ranklint
