#include "rules/loading/rank_names.h"

#include <algorithm>

#include "analyzer/flow/side_of_branch.h"
#include "analyzer/program/handed.h"
#include "analyzer/questions/callee.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/variance/local_source.h"

namespace ranklint {

constexpr size_t kMostPartsOfPath = 64;  // of what a path is made of; of more, one may be the rank

// Whether a loop gives one of the names its value, and not by counting: an element of what may be the rank's share.
bool RankNames::names_element(const FunctionCode& code, const std::set<Symbol>& names) const {
  return std::ranges::any_of(code.graph().order(), [&](ir::BlockId b) {
    const ir::Block& block = code.ir.blocks[b];
    const ir::Terminator& loop = block.terminator;
    if (loop.kind != ir::TerminatorKind::Iterate || !loop.target.valid()) return false;
    const bool gives = ir::any_part(code.ir, loop.target, [&](ir::ExprId part) {
      const ir::Expr& expr = code.ir.exprs[part];
      return expr.kind == ir::ExprKind::Name && names.contains(expr.symbol);
    });
    const Derivation over = derivation_of(code, loop.value, {b, static_cast<uint32_t>(block.instructions.size())});
    const auto counts = [&](const ProgramPoint& p) {
      return plays(in_, code, code.ir.blocks[p.block].instructions[p.instruction], Role::CountsUp);
    };
    return gives && (over.calls.empty() || !std::ranges::all_of(over.calls, counts));
  });
}

bool asks_environment(const Query& in, const FunctionCode& code, ir::ExprId asked) {
  const ir::Expr& e = code.ir.exprs[asked];
  if (e.kind != ir::ExprKind::Binary || !ir::is_membership(e.op)) return false;
  const auto sides = ir::children(code.ir, asked);
  return code.ir.exprs[sides[0]].kind == ir::ExprKind::String &&
         in.roles().play(in.index().dotted(code.module, code.ir, sides[1]), Role::HoldsEnvironment);
}

bool RankNames::tests_rank(const FunctionCode& code, ir::ExprId condition, ProgramPoint at) const {
  if (mentions_rank(code, condition)) return true;
  const Derivation from = derivation_of(code, condition, at);
  return std::ranges::any_of(from.calls, [&](const ProgramPoint& p) {
    return mentions_rank(code, code.ir.blocks[p.block].instructions[p.instruction].value);
  });
}

bool RankNames::mentions_rank(const FunctionCode& code, ir::ExprId e) const {
  return ir::any_part(code.ir, e, [&](ir::ExprId part) {
    const ir::Expr* expr = &code.ir.exprs[part];
    // `state["rank"]` is named as `state.rank` is. But `"RANK" in os.environ` asks whether there is a job.
    const bool is_entry = expr->kind == ir::ExprKind::Subscript;
    const bool is_asked =
        expr->kind == ir::ExprKind::Binary && ir::is_membership(expr->op) && !asks_environment(in_, code, part);
    if (is_entry || is_asked) expr = &code.ir.exprs[ir::children(code.ir, part)[is_entry ? 1 : 0]];
    const bool is_key = (is_entry || is_asked) && expr->kind == ir::ExprKind::String;
    return (is_key || expr->kind == ir::ExprKind::Name || expr->kind == ir::ExprKind::Attribute) &&
           (in_.priors().suggest(code.text.text(expr->symbol), NameMeaning::SomeRanks) || is_given_rank(code, *expr));
  });
}

// Whether the project gives attributes of that name the rank, or what a comparison says of it: `args.gpu = gpu`.
bool RankNames::is_given_rank(const FunctionCode& code, const ir::Expr& attribute) const {
  if (attribute.kind != ir::ExprKind::Attribute) return false;
  if (!attributes_) {
    attributes_ = attributes_given_rank();
    add_flags_of_ranks();  // under conditions on those, too
  }
  return attributes_->contains(in_.index().name(code.module, attribute.symbol));
}

void RankNames::each_given(const std::function<void(const Summary&, ir::BlockId, Symbol, ValueId)>& see) const {
  for (FunctionKey f{0}; f.index < in_.index().functions().size(); ++f.index) {
    const Summary* s = in_.program().called_for(f) == f ? in_.summary(f) : nullptr;
    if (!s || !s->named) continue;
    for (const auto& [place, value] : s->named->of_attributes)
      if (value.valid()) see(*s, ir::BlockId{std::get<0>(place)}, std::get<Symbol>(place), value);
  }
}

// `self.verbose = True`, and `self.verbose = False` where `rank != 0`.
void RankNames::add_flags_of_ranks() const {
  const ValueStore& values = in_.values();
  std::set<Symbol> flags, others;
  each_given([&](const Summary& s, ir::BlockId block, Symbol name, ValueId value) {
    if (!values.is_constant(value) && values[value].kind != ValueKind::None)
      others.insert(name);
    else if (is_under_named_rank(FunctionCode(in_.index(), s), block))
      flags.insert(name);
  });
  for (const Symbol flag : flags)
    if (!others.contains(flag)) attributes_->insert(flag);
}

bool RankNames::is_under_named_rank(const FunctionCode& code, ir::BlockId block) const {
  for (ir::BlockId above = block; above.valid(); above = code.graph().dominator(above)) {
    const ir::Terminator& end = code.ir.blocks[above].terminator;
    if (end.kind == ir::TerminatorKind::Branch && end.value.valid() &&
        side_of_branch(code.graph(), code.ir, above, block) && mentions_rank(code, end.value))
      return true;
  }
  return false;
}

std::set<Symbol> RankNames::attributes_given_rank() const {
  const ValueStore& values = in_.values();
  const auto compares = [](const Value& v) {
    return (v.kind == ValueKind::Binary && (ir::is_equality(v.op) || ir::is_order(v.op))) ||
           v.kind == ValueKind::Unary || v.kind == ValueKind::And || v.kind == ValueKind::Or;
  };
  const auto is_rank = [&](ValueId value) {
    const Value& v = values[value];
    if (v.kind == ValueKind::Subscript) {  // `config["local_rank"]`
      const Value& key = values[values.child(value, 1)];
      return key.kind == ValueKind::Text &&
             in_.priors().suggest(in_.index().names().text(Symbol{key.a}), NameMeaning::SomeRanks);
    }
    return v.exact && (v.kind == ValueKind::Coordinate || compares(v));
  };
  const auto is_open = [&](ValueId value) {
    return values.is_constant(value) || values.of_unknown_origin(value) || values[value].kind == ValueKind::Believed;
  };
  // A name that is also given something else says nothing.
  std::set<Symbol> names, others;
  each_given([&](const Summary&, ir::BlockId, Symbol name, ValueId value) {
    if (is_rank(value))
      names.insert(name);
    else if (!is_open(value))
      others.insert(name);
  });
  std::erase_if(names, [&](Symbol name) { return others.contains(name); });
  return names;
}

// Whether a call in sight passes for one of the parameters what has a rank's name in it, or what a loop takes out.
bool RankNames::are_given_of_rank(FunctionKey f, const Parameters& parameters) const {
  if (parameters.empty()) return false;
  if (!places_) places_.emplace(in_.index());
  return std::ranges::any_of(places_->of(in_.program().original_of(f)), [&](const CallPlace& place) {
    const Summary* s = in_.summary(place.within);
    if (!s) return false;
    const FunctionCode code(in_.index(), *s);
    const ProgramPoint at{place.block, place.instruction};
    return std::ranges::any_of(
        handed_arguments(in_.index(), place.within, code.instruction(at)), [&](const HandedArgument& a) {
          return in_.program().called_for(a.callee) == f && parameters.contains(static_cast<int>(a.parameter)) &&
                 !parts_of(code, a.value, at);
        });
  });
}

// Whether it has an attribute of the function's object that another method makes of a rank's name or of the process,
// or of what a loop that calls the method takes out.
bool RankNames::is_kept_of_rank(const FunctionCode& code, ir::ExprId e) const {
  const auto is_made_so = [&](const AttributeSite& site) {
    const Summary* s = site.function == code.key ? nullptr : in_.summary(site.function);
    if (!s) return false;
    const FunctionCode there(in_.index(), *s);
    const ir::Instruction& made = there.ir.blocks[site.block].instructions[site.instruction];
    const ProgramPoint at{site.block, site.instruction};
    const auto names_rank = [&](ir::ExprId part) {
      const std::optional<MadeOf> made_of = parts_of(there, part, at);
      return !made_of || are_given_of_rank(site.function, made_of->parameters);
    };
    if (names_rank(made.value) ||
        (made.kind == ir::InstructionKind::Call &&
         std::ranges::any_of(ir::arguments(there.ir, made), names_rank, &ir::Argument::value)))
      return true;
    const Derivation from = derivation_of(there, made.value, at);
    const auto tells_process = [&](const ProgramPoint& p) {
      const ir::Instruction& call = there.ir.blocks[p.block].instructions[p.instruction];
      const Model* model = in_.models().find(foreign_name(in_.index(), there.module, there.ir, call.value));
      return mentions_rank(there, call.value) ||
             (model && model->kind == ModelKind::LocalSource && local_source_named(model->op) == LocalSource::Host);
    };
    return std::ranges::any_of(from.calls, tells_process);
  };
  return ir::any_part(code.ir, e, [&](ir::ExprId part) {
    if (code.ir.exprs[part].kind != ir::ExprKind::Attribute) return false;
    const ir::Expr& object = code.ir.exprs[ir::children(code.ir, part)[0]];
    const ClassKey c =
        object.kind == ir::ExprKind::Name ? in_.index().class_of_self(code.key, object.symbol) : ClassKey{};
    if (!c.valid()) return false;
    const Symbol name = in_.index().name(code.module, code.ir.exprs[part].symbol);
    const auto sites = in_.index().classes()[c].attributes.find(name);
    return sites != in_.index().classes()[c].attributes.end() && std::ranges::any_of(sites->second, is_made_so);
  });
}

std::optional<RankNames::Parameters> RankNames::parameters_of(const FunctionCode& code, ir::ExprId e,
                                                              ProgramPoint at) const {
  const std::optional<MadeOf> made_of = parts_of(code, e, at);
  const auto is_of_rank = [&](ir::ExprId part) { return is_kept_of_rank(code, part); };
  if (!made_of || std::ranges::any_of(made_of->parts, is_of_rank)) return std::nullopt;
  return made_of->parameters;
}

std::optional<RankNames::MadeOf> RankNames::parts_of(const FunctionCode& code, ir::ExprId e, ProgramPoint at) const {
  const auto ranked = [&](Symbol s) { return in_.priors().suggest(code.text.text(s), NameMeaning::Rank); };
  MadeOf made_of;
  std::set<std::pair<ir::ExprId, ProgramPoint>> seen;
  std::vector<std::pair<ir::ExprId, ProgramPoint>> work{{e, at}};
  while (!work.empty()) {
    const auto [part, place] = work.back();
    work.pop_back();
    if (!seen.emplace(part, place).second) continue;
    if (seen.size() > kMostPartsOfPath) return std::nullopt;
    const Derivation from = derivation_of(code, part, place);
    if (std::ranges::any_of(from.names, ranked) || std::ranges::any_of(from.free, ranked)) return std::nullopt;
    if (names_element(code, from.names) || mentions_rank(code, part)) return std::nullopt;
    made_of.parts.push_back(part);
    made_of.parts.insert(made_of.parts.end(), from.attributes.begin(), from.attributes.end());
    made_of.parameters.insert(from.parameters.begin(), from.parameters.end());
    work.insert(work.end(), from.keys.begin(), from.keys.end());
    // It derives from the first argument of a call; here each counts.
    for (const ProgramPoint& p : from.calls) {
      const ir::Instruction& call = code.ir.blocks[p.block].instructions[p.instruction];
      if (mentions_rank(code, call.value)) return std::nullopt;
      for (const ir::Argument& a : ir::arguments(code.ir, call)) work.emplace_back(a.value, p);
    }
  }
  return made_of;
}

}  // namespace ranklint
