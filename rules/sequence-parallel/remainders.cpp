#include "rules/sequence-parallel/remainders.h"

#include <algorithm>
#include <set>

#include "analyzer/questions/size_words.h"
#include "analyzer/resolve/dotted.h"

namespace ranklint {

namespace {

bool is_remainder(const ir::Expr& e) { return e.kind == ir::ExprKind::Binary && e.op == ir::Operator::Modulo; }

bool is_comparison(const ir::Expr& e) {
  return e.kind == ir::ExprKind::Binary && (e.op == ir::Operator::Equal || e.op == ir::Operator::NotEqual);
}

bool has_product(const FunctionCode& code, ir::ExprId e) {
  const ir::Expr& expr = code.ir.exprs[e];
  if (expr.kind == ir::ExprKind::Binary && expr.op == ir::Operator::Multiply) return true;
  const auto children = ir::children(code.ir, e);
  return std::any_of(children.begin(), children.end(), [&](ir::ExprId child) { return has_product(code, child); });
}

bool leads_to(const FunctionCode& code, ir::BlockId from, ir::BlockId to) {
  std::set<ir::BlockId> seen{from};
  std::vector<ir::BlockId> work{from};
  while (!work.empty()) {
    const ir::BlockId block = work.back();
    work.pop_back();
    if (block == to) return true;
    for (ir::BlockId next : FlowGraph::successors(code.ir.blocks[block]))
      if (seen.insert(next).second) work.push_back(next);
  }
  return false;
}

}  // namespace

std::string_view name_of_callee(const FunctionCode& code, const ir::Instruction& call) {
  const ir::Expr& callee = code.ir.exprs[call.value];
  return callee.kind == ir::ExprKind::Attribute || callee.kind == ir::ExprKind::Name ? code.text.text(callee.symbol)
                                                                                     : std::string_view();
}

Remainders::Remainders(const Query& in) : in_(in), index_(in.index()) {
  in_.for_each_judged("divisibility", [&](FunctionKey key) {
    const ir::Function& function = index_.function(key);
    const bool any = std::any_of(function.exprs.begin(), function.exprs.end(),
                                 [](const ir::Expr& e) { return is_remainder(e) || is_comparison(e); });
    const Summary* s = any ? in_.summary(key) : nullptr;
    if (!s) return;
    const FunctionCode code(index_, *s);
    for_each_expression(code, [&](ir::ExprId e, Place at) { note(code, e, at); });
  });
}

void Remainders::note(const FunctionCode& code, ir::ExprId e, Place at) {
  const ir::Expr& expr = code.ir.exprs[e];
  if (!is_remainder(expr) && !is_comparison(expr)) return;
  const std::string left = words_of(code, ir::children(code.ir, e)[0], at),
                    right = words_of(code, ir::children(code.ir, e)[1], at);
  OfFunction& known = remainders_[code.key];
  if (is_remainder(expr)) {
    known.by_sequence |= says_sequence_size(right) && !says_heads(left);
    known.of_heads |= says_heads(left) && says_sequence_size(right);
    // What another degree leaves over counts where it is one that the world was cut by: `fsdp_size % sp_size`.
    if (says_world_size(left) || (says_degree(left) && says_sequence_size(right))) known.of_world.push_back({at, {}});
  } else {
    const bool product =
        has_product(code, ir::children(code.ir, e)[0]) || has_product(code, ir::children(code.ir, e)[1]);
    if (product && (says_world_size(left) || says_world_size(right))) known.of_world.push_back({at, left + right});
  }
}

bool Remainders::is_checked(const FunctionCode& code, bool OfFunction::* kind) const {
  for (FunctionKey f = code.key; f.valid(); f = index_.functions()[f].parent)
    if (has(f, kind)) return true;
  for (const auto& [f, remainders] : remainders_) {
    if (!(remainders.*kind)) continue;
    const FunctionInfo& info = index_.functions()[f];
    const bool of_model = kind == &OfFunction::of_heads && info.owner.valid() && is_setting_up(f);
    if (info.module == code.module || of_model) return true;
  }
  bool checked = false;
  for_each_call(code, [&](const ir::Instruction& call, Place) {
    const Entity entity = index_.resolve(code.module, code.ir, call.value);
    if (entity.kind == Entity::Kind::Function)
      checked |= has(entity.function, kind) || calls_one_with(entity.function, kind);
  });
  return checked;
}

bool Remainders::is_world_checked(const FunctionCode& code, Place at, const std::string& divisor) const {
  bool by_callee = false;
  for_each_call(code, [&](const ir::Instruction& call, Place) {
    const Entity entity = index_.resolve(code.module, code.ir, call.value);
    const auto found = entity.kind == Entity::Kind::Function ? remainders_.find(entity.function) : remainders_.end();
    by_callee |= found != remainders_.end() && !found->second.of_world.empty();
  });
  if (by_callee) return true;
  for (const auto& [f, remainders] : remainders_) {
    if (index_.functions()[f].module != code.module || remainders.of_world.empty()) continue;
    if (f != code.key) return true;
    for (const OfFunction::WorldCheck& check : remainders.of_world) {
      const bool about_it = check.factors.empty() || check.factors.find(" " + divisor + " ") != std::string::npos;
      if (about_it && (leads_to(code, at.block, check.place.block) || leads_to(code, check.place.block, at.block)))
        return true;
    }
  }
  return false;
}

bool Remainders::has(FunctionKey f, bool OfFunction::* kind) const {
  const auto found = remainders_.find(f);
  return found != remainders_.end() && found->second.*kind;
}

bool Remainders::calls_one_with(FunctionKey f, bool OfFunction::* kind) const {
  const Summary* s = in_.summary(f);
  if (!s) return false;
  const FunctionCode code(index_, *s);
  bool found = false;
  for_each_call(code, [&](const ir::Instruction& call, Place) {
    const Entity entity = index_.resolve(code.module, code.ir, call.value);
    found |= entity.kind == Entity::Kind::Function && has(entity.function, kind);
  });
  return found;
}

// A configuration that checks itself speaks for the whole program.
bool Remainders::is_setting_up(FunctionKey f) const {
  const std::string_view name = last_part(index_.qualified_name(f));
  return name == "__init__" || name == "__post_init__" || name.find("valid") != name.npos ||
         name.find("check") != name.npos || name.find("verify") != name.npos;
}

}  // namespace ranklint
