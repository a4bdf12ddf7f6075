#include "rules/loading/grown_lists.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "analyzer/questions/identifier_words.h"
#include "analyzer/resolve/builtins.h"

namespace ranklint {
namespace {

bool is_name(const FunctionCode& code, ir::ExprId e, Symbol name) {
  return e.valid() && code.ir.exprs[e].kind == ir::ExprKind::Name && code.ir.exprs[e].symbol == name;
}

bool is_empty_list(const FunctionCode& code, const ir::Instruction& i) {
  return i.kind == ir::InstructionKind::Assign && code.ir.exprs[i.value].kind == ir::ExprKind::List &&
         ir::children(code.ir, i.value).empty();
}

// Something that makes the list longer: by one element, or by all of `added`.
struct Growth {
  ProgramPoint place;
  ir::ExprId added;
  bool by_one = false;
};

// `list = list + x`, `list = list + [x]`.
std::optional<Growth> growth_by_assignment(const FunctionCode& code, const Definition& d, Symbol list) {
  const ir::Instruction& i = *d.instruction;
  if (i.kind != ir::InstructionKind::Assign || code.ir.exprs[i.value].kind != ir::ExprKind::Binary ||
      code.ir.exprs[i.value].op != ir::Operator::Add)
    return {};
  const auto sides = ir::children(code.ir, i.value);
  if (!is_name(code, sides[0], list)) return {};
  return Growth{.place = d.place, .added = sides[1], .by_one = code.ir.exprs[sides[1]].kind == ir::ExprKind::List};
}

// The name of the list's method that is called; empty: another call.
std::string_view method_called(const FunctionCode& code, const ir::Instruction& i, Symbol list) {
  if (i.kind != ir::InstructionKind::Call) return {};
  const ir::Expr& callee = code.ir.exprs[i.value];
  const bool is_method =
      callee.kind == ir::ExprKind::Attribute && is_name(code, ir::children(code.ir, i.value)[0], list);
  return is_method ? code.text.text(callee.symbol) : std::string_view{};
}

template <typename Seen>
void each_instruction(const FunctionCode& code, Seen seen) {
  for (ir::BlockId b : code.graph().order())
    for (uint32_t i = 0; i < code.ir.blocks[b].instructions.size(); ++i)
      seen(code.ir.blocks[b].instructions[i], ProgramPoint{b, i});
}

// `list.append(x)`, `list.extend(x)`.
std::vector<Growth> growths_by_call(const Roles& roles, const FunctionCode& code, Symbol list) {
  std::vector<Growth> found;
  each_instruction(code, [&](const ir::Instruction& i, ProgramPoint at) {
    const std::string_view method = method_called(code, i, list);
    const auto arguments = ir::arguments(code.ir, i);
    if (roles.play(method, Role::AddsElement) && arguments.size() == 1)
      found.push_back({.place = at, .added = arguments[0].value, .by_one = !roles.play(method, Role::AddsElements)});
  });
  return found;
}

// The innermost `for` around the block; invalid: none.
ir::BlockId round_of(const FunctionCode& code, ir::BlockId block) {
  const ir::BlockId header = code.graph().loop_around(block);
  return header.valid() && code.ir.blocks[header].terminator.kind == ir::TerminatorKind::Iterate ? header
                                                                                                 : ir::BlockId{};
}

bool is_left_early(const FunctionCode& code, ir::BlockId header) {
  const auto blocks = code.graph().loop_blocks(header);
  return std::any_of(blocks.begin(), blocks.end(), [&](ir::BlockId b) {
    if (b == header) return false;
    const auto next = FlowGraph::successors(code.ir.blocks[b]);
    return next.empty() ||
           std::any_of(next.begin(), next.end(), [&](ir::BlockId n) { return !code.graph().lies_in_loop(n, header); });
  });
}

// Whether some round of the loop passes the block by.
bool is_passed_by(const FunctionCode& code, ir::BlockId block, ir::BlockId header) {
  return std::any_of(code.graph().predecessors(header).begin(), code.graph().predecessors(header).end(),
                     [&](ir::BlockId before) {
                       return code.graph().lies_in_loop(before, header) && !code.graph().dominates(block, before);
                     });
}

// Whether what is added has a length that a call decides.
bool is_given_by_call(const FunctionCode& code, ir::ExprId added, ProgramPoint at) {
  if (code.ir.exprs[added].kind != ir::ExprKind::Name) return false;
  const Reaching reaching = code.reaching(code.ir.exprs[added].symbol, at);
  return !reaching.entry &&
         std::all_of(reaching.definitions.begin(), reaching.definitions.end(), [](const Definition& d) {
           return d.instruction && d.instruction->kind == ir::InstructionKind::Call;
         });
}

bool cares_for_length(const Roles& roles, const FunctionCode& code, const ir::Instruction& i, Symbol list) {
  if (i.kind == ir::InstructionKind::Delete) return code.mentions(i.target, list);
  const std::string_view method = method_called(code, i, list);
  if (roles.play(method, Role::ChangesElements) || roles.play(method, Role::TellsSize)) return true;
  const auto arguments = ir::arguments(code.ir, i);
  return i.kind == ir::InstructionKind::Call && is_builtin(code.name(i.value), Builtin::Len) && arguments.size() == 1 &&
         is_name(code, arguments[0].value, list);
}

// `list[:n]`, `tensor.shape`.
bool reads_part(const Roles& roles, const FunctionCode& code, Symbol list) {
  for (uint32_t e = 0; e < code.ir.exprs.size(); ++e) {
    const ir::Expr& expr = code.ir.exprs[ir::ExprId{e}];
    const bool asks =
        expr.kind == ir::ExprKind::Subscript ||
        (expr.kind == ir::ExprKind::Attribute && roles.play(code.text.text(expr.symbol), Role::TellsShape));
    if (asks && is_name(code, ir::children(code.ir, ir::ExprId{e})[0], list)) return true;
  }
  return false;
}

// The words of a growth by an unknown number of elements; empty: their number may be known.
std::string words_of_growth(const FunctionCode& code, const Growth& g) {
  const ir::BlockId round = round_of(code, g.place.block);
  if (!round.valid() || is_left_early(code, round)) return {};
  if (g.by_one ? !is_passed_by(code, g.place.block, round) : !is_given_by_call(code, g.added, g.place)) return {};
  const ir::Block& header = code.ir.blocks[round];
  return identifier_words(code, g.added, g.place) +
         identifier_words(code, header.terminator.value, {round, static_cast<uint32_t>(header.instructions.size())});
}

}  // namespace

bool cares_for_length(const Roles& roles, const FunctionCode& code, Symbol name) {
  bool cares = reads_part(roles, code, name);
  each_instruction(code,
                   [&](const ir::Instruction& i, ProgramPoint) { cares |= cares_for_length(roles, code, i, name); });
  return cares;
}

std::string words_of_open_growth(const Roles& roles, const FunctionCode& code, Symbol name, ProgramPoint at) {
  const Reaching reaching = code.reaching(name, at);
  std::vector<Growth> growths = growths_by_call(roles, code, name);
  bool begins_empty = false;
  for (const Definition& d : reaching.definitions) {
    if (!d.instruction || !d.direct) return {};
    if (is_empty_list(code, *d.instruction))
      begins_empty = true;
    else if (const auto growth = growth_by_assignment(code, d, name))
      growths.push_back(*growth);
    else
      return {};
  }
  if (reaching.entry || !begins_empty || cares_for_length(roles, code, name)) return {};
  std::string words;
  for (const Growth& g : growths) words += words_of_growth(code, g);
  return words;
}

}  // namespace ranklint
