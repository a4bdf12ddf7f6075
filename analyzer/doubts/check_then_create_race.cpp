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
#include "analyzer/questions/callee.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/questions/rank_guard.h"
#include "analyzer/questions/value_numbers.h"

namespace ranklint {
namespace {

// A path, the folder that it begins with, which is invalid where it is not made as something in a folder, and whether a
// test found it.
struct Asked {
  ValueNumber path, folder;
  bool exists = false;
};

// How deep the calls lie in which the making is looked for.
constexpr int kMostCalls = 2;

class Meanwhile {
 public:
  Meanwhile(const Query& in, ValueNumbers& numbers, const Summary& s, const WaitPlace& wait, int depth = 0)
      : in_(in), numbers_(numbers), summary_(s), code_(in.index(), s), wait_(wait), depth_(depth) {}

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
    return !given.empty() && Meanwhile(in_, numbers_, *callee,
                                       WaitPlace{.range = {}, .block = {}, .finds_more = wait_.finds_more}, depth_ + 1)
                                 .is_changed_below(callee->graph().order().front(), given);
  }

  // The paths as the callee knows them: a parameter, or a part of the object that it is a method of.
  std::vector<Asked> given_paths(const ir::Instruction& call, ProgramPoint at, const FunctionCode& callee,
                                 const std::vector<Asked>& paths) const {
    const bool is_method = is_called_on_object(call, callee.key);
    std::map<ValueNumber, ValueNumber> handed;
    for (size_t p = 0; p < callee.ir.parameters.size(); ++p) {
      const ir::ExprId value = is_method && p == 0
                                   ? ir::children(code_.ir, call.value)[0]
                                   : argument_for(code_, call, in_.index(), callee.key, static_cast<int>(p), is_method);
      if (value.valid()) handed.emplace(numbers_.of(code_, value, at), numbers_.of_parameter(callee.key, p));
    }
    std::vector<Asked> given;
    for (const Asked& asked : paths)
      if (const ValueNumber path = numbers_.in_callee(code_, at, asked.path, handed); path.valid())
        given.push_back({.path = path, .folder = {}, .exists = asked.exists});
    return given;
  }

  bool is_called_on_object(const ir::Instruction& call, FunctionKey callee) const {
    const ir::Expr& written = code_.ir.exprs[call.value];
    if (written.kind != ir::ExprKind::Attribute || !in_.index().functions()[callee].owner.valid()) return false;
    const Entity object = in_.index().resolve(code_.module, code_.ir, ir::children(code_.ir, written)[0]);
    return !in_.program().flags(callee).is_static && object.kind != Entity::Kind::Class;
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

  bool is_made_a_folder(ValueNumber path) const {
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
  bool names_folder(const ir::Instruction& call, ProgramPoint at, ValueNumber path) const {
    const auto arguments = ir::arguments(code_.ir, call);
    if (!arguments.empty() && arguments.front().value.valid() && number(arguments.front().value, at) == path)
      return true;
    if (code_.ir.exprs[call.value].kind != ir::ExprKind::Attribute) return false;
    const ir::ExprId object = ir::children(code_.ir, call.value)[0];
    if (number(object, at) == path) return true;
    const std::optional<Definition> made = code_.only_definition(object, at);
    return made && made->instruction->kind == ir::InstructionKind::Call &&
           subject(*made->instruction, made->place) == path;
  }

  // The paths that do or do not exist where the condition comes out as `holds`.
  void collect_asked(ir::ExprId e, ProgramPoint at, bool holds, std::vector<Asked>& paths) const {
    if (!e.valid()) return;
    const ir::Expr& expr = code_.ir.exprs[e];
    if (expr.kind == ir::ExprKind::Unary && expr.op == ir::Operator::Not) holds = !holds;
    if (expr.kind == ir::ExprKind::Name)
      for (const Definition& d : code_.reaching(expr.symbol, at).definitions)
        if (d.instruction && d.instruction->kind == ir::InstructionKind::Call && is_test(*d.instruction))
          if (const ValueNumber path = subject(*d.instruction, d.place);
              path.valid() &&
              (holds || !(plays(in_, code_, *d.instruction, Role::TestsFile) && is_made_a_folder(path))))
            paths.push_back({.path = path, .folder = numbers_.beginning(path), .exists = holds});
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

  ValueNumber number(ir::ExprId e, ProgramPoint at) const { return numbers_.of(code_, e, at); }

  ValueNumber subject(const ir::Instruction& call, ProgramPoint at) const {
    const ir::ExprId path = asked_for(call);
    return path.valid() ? number(path, at) : ValueNumber{};
  }

  // Makes what is missing, or removes what is there.
  bool changes(const ir::Instruction& call, ProgramPoint at, const std::vector<Asked>& paths) const {
    if (is_test(call) || plays(in_, code_, call, Role::JoinsPaths)) return false;
    if (wait_.finds_more && plays(in_, code_, call, Role::MakesFolder)) return false;
    const bool fills = plays(in_, code_, call, Role::FillsFolder), removes = plays(in_, code_, call, Role::RemovesPath);
    const auto wanted = [&](ir::ExprId e) {
      return std::ranges::any_of(paths, [&](const Asked& asked) {
        if (asked.exists != removes) return false;
        const ValueNumber given = number(e, at);
        return given == asked.path || (fills && given == asked.folder);
      });
    };
    if (std::ranges::any_of(
            paths, [&](const Asked& asked) { return !asked.exists && writes_in_method(call, at, asked.path); }))
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
  bool writes_in_method(const ir::Instruction& call, ProgramPoint at, ValueNumber path) const {
    const FunctionKey method = function_named(in_.index(), code_, call.value);
    const Summary* callee = method.valid() ? in_.summary(method) : nullptr;
    if (!callee) return false;
    const FunctionCode code(in_.index(), *callee);
    const std::vector<Asked> given = given_paths(call, at, code, {{.path = path, .folder = {}}});
    if (given.empty()) return false;
    return std::ranges::any_of(code.graph().order(), [&](ir::BlockId b) {
      const auto& instructions = code.ir.blocks[b].instructions;
      for (uint32_t i = 0; i < instructions.size(); ++i)
        if (instructions[i].kind == ir::InstructionKind::Call && writes_file(in_, code, instructions[i]))
          for (const ir::Argument& a : ir::arguments(code.ir, instructions[i]))
            if (a.value.valid() && numbers_.of(code, a.value, {b, i}) == given.front().path) return true;
      return false;
    });
  }

  const Query& in_;
  ValueNumbers& numbers_;
  const Summary& summary_;
  const FunctionCode code_;
  const WaitPlace wait_;  // without a block: nothing is known of it
  const int depth_;
};

}  // namespace

bool is_changed_meanwhile(const Query& query, const Summary& summary, ir::BlockId guard, const WaitPlace& wait) {
  ValueNumbers numbers(query);
  return Meanwhile(query, numbers, summary, wait).is_changed(guard);
}

}  // namespace ranklint
