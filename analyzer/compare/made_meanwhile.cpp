// On one file system all ranks see the same files, so a test whether one exists is mostly alike on all of them. Not where
// rank 0 writes that very file behind its own test:
//
//     if not os.path.exists(path):
//         if rank == 0: download(url, path)
//         dist.barrier()
//
// A rank that comes to the test when the file is there already skips the barrier in which rank 0 waits for it.
#include "analyzer/compare/made_meanwhile.h"

#include <algorithm>
#include <array>

#include "analyzer/compare/code.h"
#include "analyzer/compare/rank_guard.h"
#include "analyzer/ir/expr_printer.h"
#include "analyzer/resolve/dotted.h"

namespace ranklint {
namespace {

constexpr std::array<std::string_view, 6> kTests{"exists", "isfile", "isdir", "is_file", "is_dir", "lexists"};

bool is_test(std::string_view name) { return std::find(kTests.begin(), kTests.end(), name) != kTests.end(); }

class Meanwhile {
 public:
  Meanwhile(Interpreter& in, const Summary& s) : in_(in), summary_(s), code_(in.index(), s), references_(code_.text), print_(references_, code_.ir) {}

  bool is_made(ir::BlockId guard, SourceRange before) {
    const ir::Block& at = code_.ir.blocks[guard];
    const Place place{guard, static_cast<uint32_t>(at.instructions.size())};
    for (const bool side : {true, false}) {
      std::vector<std::string> paths;
      missing(at.terminator.value, place, side, paths);
      if (!paths.empty() && is_made_on(at.terminator.successors[side ? 0 : 1], before, paths)) return true;
    }
    return false;
  }

 private:
  bool is_made_on(ir::BlockId side, SourceRange before, const std::vector<std::string>& paths) {
    if (code_.graph.predecessors(side).size() != 1) return false;
    for (ir::BlockId b : code_.graph.order()) {
      if (!code_.graph.dominates(side, b)) continue;
      const ir::BlockId by_rank = rank_guard_of(in_, summary_, b);
      if (!by_rank.valid() || !code_.graph.dominates(side, by_rank)) continue;
      for (const ir::Instruction& i : code_.ir.blocks[b].instructions)
        if (i.kind == ir::InstructionKind::Call && i.range < before && makes(i, paths)) return true;
    }
    return false;
  }

  // The paths that do not exist where the condition comes out as `holds`.
  void missing(ir::ExprId e, Place at, bool holds, std::vector<std::string>& paths) {
    if (!e.valid()) return;
    const ir::Expr& expr = code_.ir.exprs[e];
    if (expr.kind == ir::ExprKind::Unary && expr.op == ir::Operator::Not) holds = !holds;
    if (expr.kind == ir::ExprKind::Name && !holds)
      for (const Definition& d : code_.reaching(expr.symbol, at).definitions)
        if (d.instruction && d.instruction->kind == ir::InstructionKind::Call && is_test(name_of(*d.instruction)))
          if (std::string path = subject(*d.instruction); !path.empty()) paths.push_back(std::move(path));
    for (ir::ExprId child : ir::children(code_.ir, e)) missing(child, at, holds, paths);
  }

  std::string_view name_of(const ir::Instruction& call) const {
    const ir::Expr& callee = code_.ir.exprs[call.value];
    return callee.kind == ir::ExprKind::Attribute || callee.kind == ir::ExprKind::Name ? code_.text.text(callee.symbol) : std::string_view();
  }

  // `path` of os.path.exists(path) and of path.exists().
  std::string subject(const ir::Instruction& call) const {
    const auto arguments = ir::arguments(code_.ir, call);
    if (!arguments.empty()) return print_.text(arguments.front().value);
    return code_.ir.exprs[call.value].kind == ir::ExprKind::Attribute ? print_.text(ir::children(code_.ir, call.value)[0]) : std::string();
  }

  bool makes(const ir::Instruction& call, const std::vector<std::string>& paths) const {
    if (is_test(name_of(call))) return false;
    const auto wanted = [&](ir::ExprId e) { return std::find(paths.begin(), paths.end(), print_.text(e)) != paths.end(); };
    const auto arguments = ir::arguments(code_.ir, call);
    if (std::any_of(arguments.begin(), arguments.end(), [&](const ir::Argument& a) { return a.value.valid() && wanted(a.value); })) return true;
    return code_.ir.exprs[call.value].kind == ir::ExprKind::Attribute && wanted(ir::children(code_.ir, call.value)[0]);
  }

  Interpreter& in_;
  const Summary& summary_;
  const FunctionCode code_;
  const ir::References references_;
  const ir::ExprPrinter print_;
};

}  // namespace

bool is_made_meanwhile(Interpreter& interpreter, const Summary& summary, ir::BlockId guard, SourceRange before) {
  return Meanwhile(interpreter, summary).is_made(guard, before);
}

}  // namespace ranklint
