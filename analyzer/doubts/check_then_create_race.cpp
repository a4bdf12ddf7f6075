// On one file system all ranks see the same files, so a test whether one exists is mostly alike on all of them. Not
// where rank 0 writes that very file after its own test:
//
//     if not os.path.exists(path):
//         if rank == 0: download(url, path)
//         dist.barrier()
//
// A rank that reaches the test when the file is there already skips the barrier in which rank 0 waits for it. The same
// holds where the folder of the file is the argument of a download, or a method of the same object writes it; and where
// the function reads and returns the file and makes it only later, also when the reading fails. Not where a folder is
// made and the leaving ranks have found something in it as well. Where ranks meet between the test and the making, none
// comes late; and a path that is made a folder is never a file.
//
// The making may stand in a function that is called with the path, or with the object that has it, and the wait may
// come where a `with` block around the making ends.
//
// The opposite too: rank 0 removes what its own test found, and a rank that comes late finds nothing.
#include "analyzer/doubts/check_then_create_race.h"

#include <algorithm>

#include "analyzer/doubts/file_calls.h"
#include "analyzer/ir/expr_printer.h"
#include "analyzer/questions/callee.h"
#include "analyzer/questions/rank_guard.h"

namespace ranklint {
namespace {

// A path as it is written, the folder that it begins with, which is empty where it is not written as something in a
// folder, and whether a test found it.
struct Asked {
  std::string path, folder;
  bool exists = false;
};

// How deep the calls lie in which the making is looked for.
constexpr int kMostCalls = 2;

class Meanwhile {
 public:
  Meanwhile(const Query& in, const Summary& s, const WaitPlace& wait, int depth = 0)
      : in_(in),
        summary_(s),
        code_(in.index(), s),
        references_(code_.text),
        print_(references_, code_.ir),
        wait_(wait),
        depth_(depth) {}

  bool is_changed(ir::BlockId guard) const {
    const ir::Block& at = code_.ir.blocks[guard];
    const ProgramPoint place{guard, static_cast<uint32_t>(at.instructions.size())};
    for (const bool side : {true, false}) {
      std::vector<Asked> paths;
      collect_asked(at.terminator.value, place, side, paths);
      if (!paths.empty() && is_changed_on(at.terminator.successors[side ? 0 : 1], guard, paths)) return true;
    }
    return false;
  }

  // Whether some ranks alone change one of the paths below a block before they wait.
  bool is_changed_below(ir::BlockId top, const std::vector<Asked>& paths) const {
    for (ir::BlockId b : code_.graph().order()) {
      if (!code_.graph().dominates(top, b)) continue;
      const ir::BlockId by_rank = rank_guard_of(in_, summary_, b);
      const bool is_by_some = by_rank.valid() && code_.graph().dominates(top, by_rank);
      const auto& instructions = code_.ir.blocks[b].instructions;
      for (uint32_t i = 0; i < instructions.size(); ++i) {
        const ir::Instruction& call = instructions[i];
        if (call.kind != ir::InstructionKind::Call || meet_before(b, call.range, top)) continue;
        if (is_by_some && comes_before_wait(b, call.range) && changes(call, {b, i}, paths)) return true;
        if ((call.range == wait_.range || comes_before_wait(b, call.range)) && is_changed_in(call, {b, i}, paths))
          return true;
      }
    }
    return false;
  }

 private:
  bool is_changed_on(ir::BlockId side, ir::BlockId guard, const std::vector<Asked>& paths) const {
    // If reading the file may fail, the failure leads to the same block that makes the file. Then everything after the
    // test counts.
    if (code_.graph().predecessors(side).size() != 1) side = fails_into(side, guard) ? side : ir::BlockId{};
    return side.valid() && is_changed_below(side, paths);
  }

  // At the end of a `with` block the wait is written before what it waits for.
  bool comes_before_wait(ir::BlockId block, SourceRange at) const {
    if (!wait_.block.valid() || at < wait_.range) return true;
    const auto& order = code_.graph().order();
    return block != wait_.block && std::ranges::find(order, block) < std::ranges::find(order, wait_.block);
  }

  // Whether the callee changes a path that it is given.
  bool is_changed_in(const ir::Instruction& call, ProgramPoint at, const std::vector<Asked>& paths) const {
    if (depth_ == kMostCalls) return false;
    const FunctionKey f = function_named(in_.index(), code_, call.value);
    const Summary* callee = f.valid() ? in_.summary(f) : nullptr;
    if (!callee || callee->graph().order().empty()) return false;
    const std::vector<Asked> given = given_paths(call, at, FunctionCode(in_.index(), *callee), paths);
    return !given.empty() &&
           Meanwhile(in_, *callee, WaitPlace{.range = {}, .block = {}, .finds_more = wait_.finds_more}, depth_ + 1)
               .is_changed_below(callee->graph().order().front(), given);
  }

  // The paths as the callee calls them: by a parameter, or as a part of the object that it is a method of.
  std::vector<Asked> given_paths(const ir::Instruction& call, ProgramPoint at, const FunctionCode& callee,
                                 const std::vector<Asked>& paths) const {
    std::vector<Asked> given;
    if (callee.ir.parameters.empty()) return given;
    const bool is_method =
        code_.ir.exprs[call.value].kind == ir::ExprKind::Attribute && in_.index().functions()[callee.key].owner.valid();
    const std::string object = is_method ? print_.text(ir::children(code_.ir, call.value)[0]) + "." : std::string();
    const auto arguments = ir::arguments(code_.ir, call);
    for (const Asked& asked : paths) {
      if (is_method && asked.path.starts_with(object))
        given.push_back({.path = std::string(callee.text.text(callee.ir.parameters.front().name)) + "." +
                                 asked.path.substr(object.size()),
                         .folder = {},
                         .exists = asked.exists});
      for (size_t k = 0; k < arguments.size(); ++k) {
        const size_t position = k + (is_method ? 1 : 0);
        if (!arguments[k].value.valid() || spelled(arguments[k].value, at) != asked.path) continue;
        const Symbol parameter = arguments[k].keyword.valid()             ? arguments[k].keyword
                                 : position < callee.ir.parameters.size() ? callee.ir.parameters[position].name
                                                                          : Symbol{};
        if (!parameter.valid()) continue;
        const ir::Module& named_in = arguments[k].keyword.valid() ? code_.text : callee.text;
        given.push_back({.path = std::string(named_in.text(parameter)), .folder = {}, .exists = asked.exists});
      }
    }
    return given;
  }

  // Whether the block is come to from the test and otherwise from handlers of exceptions only.
  bool fails_into(ir::BlockId block, ir::BlockId guard) const {
    const auto& before = code_.graph().predecessors(block);
    return std::ranges::all_of(before, [&](ir::BlockId b) { return b == guard || follows_handler(b, guard); });
  }

  bool follows_handler(ir::BlockId block, ir::BlockId guard) const {
    for (ir::BlockId b = block; b.valid() && b != guard; b = code_.graph().dominator(b)) {
      const auto& instructions = code_.ir.blocks[b].instructions;
      if (!instructions.empty() && instructions.front().kind == ir::InstructionKind::Catch) return true;
    }
    return false;
  }

  // Whether ranks that found the path as it was communicate before one of them makes or removes it.
  bool meet_before(ir::BlockId making, SourceRange at, ir::BlockId side) const {
    for (ir::BlockId b : code_.graph().order())
      if (b != making && summary_.blocks[b.index].may_communicate && code_.graph().dominates(side, b) &&
          (code_.graph().dominates(b, making) || is_looped_before(b, making)))
        return true;
    const CompactVector<Step>& steps = summary_.blocks[making.index].steps;
    return std::any_of(steps.begin(), steps.end(), [&](const Step& step) { return step.event && step.range < at; });
  }

  // In a loop that is over before the making, and that has something to go over.
  bool is_looped_before(ir::BlockId block, ir::BlockId making) const {
    for (ir::BlockId header = block; header.valid(); header = code_.graph().dominator(header))
      if (code_.graph().is_loop_header(header) && code_.graph().lies_in_loop(block, header) &&
          !code_.graph().lies_in_loop(making, header))
        return code_.graph().dominates(header, making);
    return false;
  }

  bool is_made_a_folder(const std::string& path) const {
    for (ir::BlockId b : code_.graph().order()) {
      const auto& instructions = code_.ir.blocks[b].instructions;
      for (uint32_t i = 0; i < instructions.size(); ++i)
        if (instructions[i].kind == ir::InstructionKind::Call &&
            plays(in_, code_, instructions[i], Role::MakesFolder) && names_folder(instructions[i], {b, i}, path))
          return true;
    }
    return false;
  }

  // os.makedirs(path), path.mkdir(), Path(path).mkdir()
  bool names_folder(const ir::Instruction& call, ProgramPoint at, const std::string& path) const {
    const auto arguments = ir::arguments(code_.ir, call);
    if (!arguments.empty() && arguments.front().value.valid() && spelled(arguments.front().value, at) == path)
      return true;
    if (code_.ir.exprs[call.value].kind != ir::ExprKind::Attribute) return false;
    const std::string object = print_.text(ir::children(code_.ir, call.value)[0]);
    if (object == path) return true;
    for (ir::BlockId b : code_.graph().order())
      for (const ir::Instruction& i : code_.ir.blocks[b].instructions)
        if (i.kind == ir::InstructionKind::Call && i.target.valid() && print_.text(i.target) == object)
          return subject(i, {b, 0}) == path;
    return false;
  }

  // The paths that do or do not exist where the condition comes out as `holds`.
  void collect_asked(ir::ExprId e, ProgramPoint at, bool holds, std::vector<Asked>& paths) const {
    if (!e.valid()) return;
    const ir::Expr& expr = code_.ir.exprs[e];
    if (expr.kind == ir::ExprKind::Unary && expr.op == ir::Operator::Not) holds = !holds;
    if (expr.kind == ir::ExprKind::Name)
      for (const Definition& d : code_.reaching(expr.symbol, at).definitions)
        if (d.instruction && d.instruction->kind == ir::InstructionKind::Call && is_test(*d.instruction))
          if (std::string path = subject(*d.instruction, d.place);
              !path.empty() &&
              (holds || !(plays(in_, code_, *d.instruction, Role::TestsFile) && is_made_a_folder(path))))
            paths.push_back({.path = std::move(path), .folder = folder_of(*d.instruction, d.place), .exists = holds});
    for (ir::ExprId child : ir::children(code_.ir, e)) collect_asked(child, at, holds, paths);
  }

  bool is_test(const ir::Instruction& call) const { return plays(in_, code_, call, Role::TestsPath); }

  // `path` of os.path.exists(path) and of path.exists(). Invalid: neither.
  ir::ExprId asked_for(const ir::Instruction& call) const {
    const auto arguments = ir::arguments(code_.ir, call);
    if (!arguments.empty()) return arguments.front().value;
    return code_.ir.exprs[call.value].kind == ir::ExprKind::Attribute ? ir::children(code_.ir, call.value)[0]
                                                                      : ir::ExprId{};
  }

  std::string subject(const ir::Instruction& call, ProgramPoint at) const {
    const ir::ExprId path = asked_for(call);
    return path.valid() ? spelled(path, at) : std::string();
  }

  // The one instruction that gave a variable its value.
  const ir::Instruction* definition_of(ir::ExprId e, ProgramPoint at) const {
    if (code_.ir.exprs[e].kind != ir::ExprKind::Name) return nullptr;
    const Reaching reaching = code_.reaching(code_.ir.exprs[e].symbol, at);
    const bool single = !reaching.entry && reaching.definitions.size() == 1 && reaching.definitions.front().direct;
    return single ? reaching.definitions.front().instruction : nullptr;
  }

  // A variable as the one call that gave it its value, `os.path.join(root, name)`; anything else as it is written.
  std::string spelled(ir::ExprId e, ProgramPoint at) const {
    const ir::Instruction* made = definition_of(e, at);
    return made && joins(*made) ? joined(*made) : print_.text(e);
  }

  // `root` of `root + name`, `root / name` and os.path.join(root, name).
  std::string folder_of(const ir::Instruction& test, ProgramPoint at) const {
    ir::ExprId path = asked_for(test);
    if (const ir::Instruction* made = path.valid() ? definition_of(path, at) : nullptr) {
      if (joins(*made)) {
        const ir::ExprId root = ir::arguments(code_.ir, *made).front().value;
        return root.valid() ? print_.text(root) : std::string();
      }
      if (made->kind == ir::InstructionKind::Assign) path = made->value;
    }
    bool begins = false;
    for (; path.valid() && code_.ir.exprs[path].kind == ir::ExprKind::Binary; path = ir::children(code_.ir, path)[0])
      begins = true;
    return begins ? print_.text(path) : std::string();
  }

  bool joins(const ir::Instruction& i) const {
    return i.kind == ir::InstructionKind::Call && plays(in_, code_, i, Role::JoinsPaths) &&
           !ir::arguments(code_.ir, i).empty();
  }

  std::string joined(const ir::Instruction& call) const {
    std::string text(name_of_callee(code_, call));
    for (const ir::Argument& a : ir::arguments(code_.ir, call))
      text += "," + (a.value.valid() ? print_.text(a.value) : std::string());
    return text;
  }

  // Makes what is missing, or removes what is there.
  bool changes(const ir::Instruction& call, ProgramPoint at, const std::vector<Asked>& paths) const {
    if (is_test(call) || plays(in_, code_, call, Role::JoinsPaths)) return false;
    if (wait_.finds_more && plays(in_, code_, call, Role::MakesFolder)) return false;
    const bool fills = plays(in_, code_, call, Role::FillsFolder), removes = plays(in_, code_, call, Role::RemovesPath);
    const auto wanted = [&](ir::ExprId e) {
      return std::ranges::any_of(paths, [&](const Asked& asked) {
        if (asked.exists != removes) return false;
        return spelled(e, at) == asked.path || (fills && !asked.folder.empty() && print_.text(e) == asked.folder);
      });
    };
    if (std::ranges::any_of(paths,
                            [&](const Asked& asked) { return !asked.exists && writes_in_method(call, asked.path); }))
      return true;
    const auto arguments = ir::arguments(code_.ir, call);
    if (std::any_of(arguments.begin(), arguments.end(), [&](const ir::Argument& a) {
          return a.value.valid() &&
                 !(a.keyword.valid() && in_.priors().suggest(code_.text.text(a.keyword), NameMeaning::Origin)) &&
                 wanted(a.value);
        }))
      return true;
    return code_.ir.exprs[call.value].kind == ir::ExprKind::Attribute && wanted(ir::children(code_.ir, call.value)[0]);
  }

  // `self.build()` that hands on `self.path`.
  bool writes_in_method(const ir::Instruction& call, const std::string& path) const {
    if (code_.ir.exprs[call.value].kind != ir::ExprKind::Attribute || code_.ir.parameters.empty()) return false;
    const std::string self(code_.text.text(code_.ir.parameters.front().name));
    if (print_.text(ir::children(code_.ir, call.value)[0]) != self || !path.starts_with(self + ".")) return false;
    const FunctionKey method = function_named(in_.index(), code_, call.value);
    const Summary* callee = method.valid() ? in_.summary(method) : nullptr;
    if (!callee) return false;
    const FunctionCode code(in_.index(), *callee);
    if (code.ir.parameters.empty() || code.text.text(code.ir.parameters.front().name) != self) return false;
    const ir::References references(code.text);
    const ir::ExprPrinter print(references, code.ir);
    return std::ranges::any_of(code.graph().order(), [&](ir::BlockId b) {
      return std::ranges::any_of(code.ir.blocks[b].instructions, [&](const ir::Instruction& i) {
        if (i.kind != ir::InstructionKind::Call || !writes_file(in_, code, i)) return false;
        const auto arguments = ir::arguments(code.ir, i);
        return std::ranges::any_of(
            arguments, [&](const ir::Argument& a) { return a.value.valid() && print.text(a.value) == path; });
      });
    });
  }

  const Query& in_;
  const Summary& summary_;
  const FunctionCode code_;
  const ir::References references_;
  const ir::ExprPrinter print_;
  const WaitPlace wait_;  // without a block: nothing is known of it
  const int depth_;
};

}  // namespace

bool is_changed_meanwhile(const Query& query, const Summary& summary, ir::BlockId guard, const WaitPlace& wait) {
  return Meanwhile(query, summary, wait).is_changed(guard);
}

}  // namespace ranklint
