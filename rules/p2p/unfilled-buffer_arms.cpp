// A buffer that a branch on one of its properties receives into on one side only.
//
// Other branches say little: code that tests the rank, a size or an option may know that what is not received is never
// read. But the device or the type of a buffer decides how it is filled, and not whether.
#include <algorithm>
#include <optional>
#include <set>

#include "analyzer/flow/reached.h"
#include "rules/p2p/unfilled-buffer.h"

namespace ranklint::unfilled_buffer {
namespace {

bool tells_form(const Query& in, const FunctionCode& code, const ir::Expr& member) {
  return in.roles().play(code.text.text(member.symbol), Role::TellsForm);
}

class Arms {
 public:
  Arms(const Query& in, const FunctionCode& code, Symbol buffer, ProgramPoint made)
      : in_(in), code_(code), summary_(*in.summary(code.key)), buffer_(buffer), made_(made) {}

  std::optional<UnfilledArm> of_branch(ir::BlockId branch) const {
    const ir::Block& block = code_.ir.blocks[branch];
    const ir::BlockId join = code_.graph().join(branch);
    if (block.terminator.kind != ir::TerminatorKind::Branch || block.terminator.is_loop || !join.valid() ||
        !code_.graph().dominates(made_.block, branch) || !tests_kind(block.terminator.value) || is_used_before(branch))
      return std::nullopt;
    int filled = 0, idle = 0;
    for (const ir::BlockId side : FlowGraph::successors(block)) {
      const std::set<ir::BlockId> blocks = between(side, join);
      const auto any = [&](auto such) { return std::ranges::any_of(blocks, such); };
      filled += any([&](ir::BlockId b) { return receives(b); });
      idle += !any([&](ir::BlockId b) { return uses(b, 0); }) && leads_to(blocks, side, join);
    }
    if (filled != 1 || idle != 1) return std::nullopt;
    const std::optional<SourceRange> read = first_use(join);
    return read ? std::optional<UnfilledArm>({block.terminator.range, *read}) : std::nullopt;
  }

 private:
  bool is_buffer(ir::ExprId e) const {
    return e.valid() && code_.ir.exprs[e].kind == ir::ExprKind::Name && code_.ir.exprs[e].symbol == buffer_;
  }

  // `buffer.is_cpu`, `buffer.device.type == "cpu"`: not how much there is of it.
  bool tests_kind(ir::ExprId condition) const {
    const ir::Expr& e = code_.ir.exprs[condition];
    const auto parts = ir::children(code_.ir, condition);
    if (e.kind == ir::ExprKind::Unary) return e.op == ir::Operator::Not && tests_kind(parts[0]);
    if (e.kind == ir::ExprKind::Binary)
      return ir::is_equality(e.op) && tests_kind(parts[0]) && code_.ir.exprs[parts[1]].kind != ir::ExprKind::Integer;
    if (e.kind != ir::ExprKind::Attribute) return false;
    return (is_buffer(parts[0]) && tells_form(in_, code_, e)) || tests_kind(parts[0]);
  }

  // From a side of the branch up to where both meet.
  std::set<ir::BlockId> between(ir::BlockId side, ir::BlockId join) const {
    std::set<ir::BlockId> blocks = reached_from({side}, [&](ir::BlockId at) {
      return at == join ? std::vector<ir::BlockId>() : FlowGraph::successors(code_.ir.blocks[at]);
    });
    blocks.erase(join);
    return blocks;
  }

  bool leads_to(const std::set<ir::BlockId>& blocks, ir::BlockId side, ir::BlockId join) const {
    return side == join || std::ranges::any_of(code_.graph().predecessors(join),
                                               [&](ir::BlockId before) { return blocks.contains(before); });
  }

  // Whether a message or a collective of the block is given the buffer.
  bool receives(ir::BlockId block) const {
    const BlockSteps& steps = summary_.blocks[block.index];
    const auto is_given = [&](const Step& step) {
      const uint32_t at = in_.site(step.site).instruction;
      const auto& instructions = code_.ir.blocks[block].instructions;
      if ((!step.event && !step.transfer) || at >= instructions.size()) return false;
      return std::ranges::any_of(ir::arguments(code_.ir, instructions[at]),
                                 [&](const ir::Argument& a) { return is_buffer(a.value); });
    };
    return std::ranges::any_of(steps.steps, is_given) || std::ranges::any_of(steps.point_to_point, is_given);
  }

  bool uses(const ir::Instruction& i) const {
    return reads_content(in_, code_, i.value, buffer_) || code_.mentions(i.target, buffer_) ||
           std::ranges::any_of(ir::arguments(code_.ir, i),
                               [&](const ir::Argument& a) { return reads_content(in_, code_, a.value, buffer_); });
  }

  // Whether something is done with the buffer in the block, from an instruction on.
  bool uses(ir::BlockId block, uint32_t from) const {
    const auto& instructions = code_.ir.blocks[block].instructions;
    return std::any_of(instructions.begin() + from, instructions.end(),
                       [&](const ir::Instruction& i) { return uses(i); }) ||
           reads_content(in_, code_, code_.ir.blocks[block].terminator.value, buffer_);
  }

  // Whether something is done with it on a way from where it is made to the branch.
  bool is_used_before(ir::BlockId branch) const {
    std::set<ir::BlockId> met;
    std::vector<ir::BlockId> work{branch};
    while (!work.empty()) {
      const ir::BlockId at = work.back();
      work.pop_back();
      if (!met.insert(at).second) continue;
      if (uses(at, at == made_.block ? made_.instruction + 1 : 0)) return true;
      if (at == made_.block) continue;
      const std::vector<ir::BlockId>& before = code_.graph().predecessors(at);
      work.insert(work.end(), before.begin(), before.end());
    }
    return false;
  }

  // Where it is read or returned; nothing: it is received into, or given something else, before.
  std::optional<SourceRange> first_use(ir::BlockId from) const {
    std::set<ir::BlockId> met;
    std::vector<ir::BlockId> work{from};
    while (!work.empty()) {
      const ir::BlockId at = work.back();
      work.pop_back();
      if (at == made_.block || !met.insert(at).second) continue;
      const ir::Block& block = code_.ir.blocks[at];
      const auto used = std::ranges::find_if(block.instructions, [&](const ir::Instruction& i) { return uses(i); });
      if (used != block.instructions.end())
        return receives(at) || code_.mentions(used->target, buffer_) ? std::nullopt : std::optional(used->range);
      if (reads_content(in_, code_, block.terminator.value, buffer_)) return block.terminator.range;
      const std::vector<ir::BlockId> next = FlowGraph::successors(block);
      work.insert(work.end(), next.begin(), next.end());
    }
    return std::nullopt;
  }

  const Query& in_;
  const FunctionCode& code_;
  const Summary& summary_;
  const Symbol buffer_;
  const ProgramPoint made_;
};

}  // namespace

bool reads_content(const Query& in, const FunctionCode& code, ir::ExprId e, Symbol buffer) {
  if (!e.valid()) return false;
  const ir::Expr& expr = code.ir.exprs[e];
  if (expr.kind == ir::ExprKind::Name) return expr.symbol == buffer;
  if (expr.kind == ir::ExprKind::Attribute && tells_form(in, code, expr)) return false;
  const auto parts = ir::children(code.ir, e);
  return std::ranges::any_of(parts, [&](ir::ExprId part) { return reads_content(in, code, part, buffer); });
}

std::vector<UnfilledArm> unfilled_arms(const Query& in, const FunctionCode& code, Symbol buffer, ProgramPoint made) {
  std::vector<UnfilledArm> found;
  const Arms arms(in, code, buffer, made);
  for (const ir::BlockId b : code.graph().order())
    if (std::optional<UnfilledArm> arm = arms.of_branch(b)) found.push_back(*arm);
  return found;
}

}  // namespace ranklint::unfilled_buffer
