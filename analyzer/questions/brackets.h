// Calls that open something and calls that close it again, inside one function: how many are open where.
//
// ncclGroupStart and ncclGroupEnd count per thread; between them calls are gathered. What is open at a place is a set
// of depths, one for each way there: forward over the blocks, joined by union, up to three deep, so it ends. Ways on
// which a checked call has failed (`if (result != ncclSuccess) return result;`) are not followed: after a
// failure nothing is gathered any more, and every checking macro has such a way out.
#pragma once

#include <string_view>
#include <vector>

#include "analyzer/flow/graph.h"
#include "analyzer/resolve/index.h"

namespace ranklint {

class Brackets {
 public:
  Brackets(const ProjectIndex& index, FunctionKey function, std::string_view open, std::string_view close);

  bool opens() const { return !opening_.empty(); }
  bool closes() const { return closes_; }
  // Whether the way to the instruction is surely outside of all brackets; of unreachable places too.
  bool surely_outside(ir::BlockId block, uint32_t instruction) const;

  struct Imbalance {
    SourceRange range;   // of the call that opens or closes
    SourceRange leaves;  // of the return that it is open at; no line: the end of the function
  };
  const std::vector<Imbalance>& left_open() const { return left_open_; }
  const std::vector<Imbalance>& closed_too_often() const { return closed_too_often_; }
  const std::vector<SourceRange>& opening() const { return opening_; }

 private:
  using Depths = uint8_t;  // bit d: d are open on some way

  Depths after(Depths before, const ir::Instruction& instruction) const;
  std::vector<std::pair<ir::ExprId, bool>> guards_of(const FlowGraph& graph, ir::BlockId block) const;
  bool opened_and_closed_under_one_guard();
  void solve();
  void collect();
  bool is_call_of(const ir::Instruction& instruction, std::string_view name) const;

  const ir::Module& module_;
  const ir::Function& function_;
  std::string_view open_, close_;
  std::vector<Depths> entry_;  // by block
  std::vector<SourceRange> opening_;
  bool closes_ = false;
  bool correlated_ = false;  // opened and closed under conditions that hold together: nothing is said
  std::vector<Imbalance> left_open_, closed_too_often_;
};

// The way on when a library's call has succeeded, where a branch asks for that; invalid: it asks for something else.
ir::BlockId success_of(const ir::Module& module, const ir::Function& function, const ir::Terminator& end);

}  // namespace ranklint
