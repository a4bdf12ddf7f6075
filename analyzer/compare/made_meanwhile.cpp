// On one file system all ranks see the same files, so a test whether one exists is mostly alike on all of them. Not where
// rank 0 writes that very file behind its own test:
//
//     if not os.path.exists(path):
//         if rank == 0: download(url, path)
//         dist.barrier()
//
// A rank that comes to the test when the file is there already skips the barrier in which rank 0 waits for it. Where ranks
// meet between the test and the making, none comes late; and what is made a folder is no file at any time.
#include "analyzer/compare/made_meanwhile.h"

#include <algorithm>
#include <array>

#include "analyzer/base/among.h"
#include "analyzer/compare/code.h"
#include "analyzer/compare/rank_guard.h"
#include "analyzer/ir/expr_printer.h"
#include "analyzer/resolve/dotted.h"

namespace ranklint {
namespace {

constexpr std::array<std::string_view, 6> kTests{"exists", "isfile", "isdir", "is_file", "is_dir", "lexists"};

// Keywords under which a call is told where something comes from, not where it goes to.
constexpr std::array<std::string_view, 5> kOrigins{"repo_id", "url", "src", "source", "pretrained_model_name_or_path"};
constexpr std::array<std::string_view, 2> kFolderMakers{"mkdir", "makedirs"};

bool is_test(std::string_view name) { return among(name, kTests); }
bool asks_for_file(std::string_view test) { return test == "isfile" || test == "is_file"; }

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
        if (i.kind == ir::InstructionKind::Call && i.range < before && makes(i, paths) && !meet_before(b, i.range, side)) return true;
    }
    return false;
  }

  // Whether ranks that found the path missing communicate before one of them makes it.
  bool meet_before(ir::BlockId making, SourceRange at, ir::BlockId side) const {
    for (ir::BlockId b : code_.graph.order())
      if (b != making && summary_.block_relevant[b.index] && code_.graph.dominates(side, b) && code_.graph.dominates(b, making)) return true;
    const std::vector<Step>& steps = summary_.blocks[making.index].steps;
    return std::any_of(steps.begin(), steps.end(), [&](const Step& step) { return step.event && step.range < at; });
  }

  bool is_made_a_folder(const std::string& path) const {
    for (ir::BlockId b : code_.graph.order())
      for (const ir::Instruction& i : code_.ir.blocks[b].instructions)
        if (i.kind == ir::InstructionKind::Call && among(name_of(i), kFolderMakers) && names_folder(i, path)) return true;
    return false;
  }

  // os.makedirs(path), path.mkdir(), Path(path).mkdir()
  bool names_folder(const ir::Instruction& call, const std::string& path) const {
    const auto arguments = ir::arguments(code_.ir, call);
    if (!arguments.empty() && arguments.front().value.valid() && print_.text(arguments.front().value) == path) return true;
    if (code_.ir.exprs[call.value].kind != ir::ExprKind::Attribute) return false;
    const std::string object = print_.text(ir::children(code_.ir, call.value)[0]);
    if (object == path) return true;
    for (ir::BlockId b : code_.graph.order())
      for (const ir::Instruction& i : code_.ir.blocks[b].instructions)
        if (i.kind == ir::InstructionKind::Call && i.target.valid() && print_.text(i.target) == object) return subject(i) == path;
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
          if (std::string path = subject(*d.instruction); !path.empty() && !(asks_for_file(name_of(*d.instruction)) && is_made_a_folder(path)))
            paths.push_back(std::move(path));
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
    if (std::any_of(arguments.begin(), arguments.end(), [&](const ir::Argument& a) {
          return a.value.valid() && !(a.keyword.valid() && among(code_.text.text(a.keyword), kOrigins)) && wanted(a.value);
        }))
      return true;
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
