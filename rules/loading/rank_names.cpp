#include "rules/loading/rank_names.h"

#include <algorithm>
#include <iterator>

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

// Whether the attribute is given the rank, what a comparison says of it, or a flag by it: `args.gpu = gpu`. Of an
// object whose class is known what its methods give counts, else what any function gives an attribute of that name.
bool RankNames::is_given_rank(const FunctionCode& code, const ir::Expr& attribute) const {
  if (attribute.kind != ir::ExprKind::Attribute) return false;
  if (!given_) find_given();
  const ir::Expr& object = code.ir.exprs[ir::children(code.ir, attribute)[0]];
  const ClassKey of =
      object.kind == ir::ExprKind::Name ? in_.index().class_of_self(code.key, object.symbol) : ClassKey{};
  const Symbol name = in_.index().name(code.module, attribute.symbol);
  const auto [known, is_new] = of_rank_.try_emplace({name, of}, false);  // what asks for itself says nothing
  if (!is_new) return known->second;
  const std::vector<Given> given = given_to(name, of);
  const bool is_of_rank = are_ranks(given) || are_flags_of_ranks(given);
  return of_rank_[{name, of}] = is_of_rank;
}

void RankNames::find_given() const {
  given_.emplace();
  for (FunctionKey f{0}; f.index < in_.index().functions().size(); ++f.index) {
    const Summary* s = in_.program().called_for(f) == f ? in_.summary(f) : nullptr;
    if (!s || !s->named) continue;
    for (const auto& [place, value] : s->named->of_attributes)
      if (value.valid()) (*given_)[std::get<Symbol>(place)].push_back({f, ir::BlockId{std::get<0>(place)}, value});
  }
}

std::vector<RankNames::Given> RankNames::given_to(Symbol name, ClassKey of) const {
  const auto all = given_->find(name);
  if (all == given_->end()) return {};
  if (!of.valid()) return all->second;
  const ProjectIndex& index = in_.index();
  std::vector<Given> own;
  std::ranges::copy_if(all->second, std::back_inserter(own), [&](const Given& given) {
    const ClassKey owner = index.functions()[given.by].owner;
    return owner.valid() && (index.derives_from(of, owner) || index.derives_from(owner, of));
  });
  return own.empty() ? all->second : own;
}

// What is given something else, too, is none.
bool RankNames::are_ranks(const std::vector<Given>& given) const {
  const ValueStore& values = in_.values();
  const auto is_open = [&](const Given& g) {
    return values.is_constant(g.value) || values.of_unknown_origin(g.value) ||
           values[g.value].kind == ValueKind::Believed;
  };
  return std::ranges::all_of(given, [&](const Given& g) { return is_rank(g.value) || is_open(g); }) &&
         std::ranges::any_of(given, [&](const Given& g) { return is_rank(g.value) || is_handed_rank(g.value); });
}

bool RankNames::is_rank(ValueId value) const {
  const ValueStore& values = in_.values();
  const Value& v = values[value];
  if (v.kind == ValueKind::Subscript) {  // `config["local_rank"]`
    const Value& key = values[values.child(value, 1)];
    return key.kind == ValueKind::Text &&
           in_.priors().suggest(in_.index().names().text(Symbol{key.a}), NameMeaning::SomeRanks);
  }
  const bool compares = (v.kind == ValueKind::Binary && (ir::is_equality(v.op) || ir::is_order(v.op))) ||
                        v.kind == ValueKind::Unary || v.kind == ValueKind::And || v.kind == ValueKind::Or;
  return v.exact && (v.kind == ValueKind::Coordinate || compares);
}

// A parameter of a function that is called as `worker(args.local_rank, args)`.
bool RankNames::is_handed_rank(ValueId value) const {
  const Value& v = in_.values()[value];
  return v.kind == ValueKind::Parameter &&
         any_argument_for(FunctionKey{v.a}, {static_cast<int>(v.b)},
                          [&](const FunctionCode& code, ir::ExprId e, ProgramPoint) { return mentions_rank(code, e); });
}

// `self.verbose = True`, and `self.verbose = False` where `rank != 0`.
bool RankNames::are_flags_of_ranks(const std::vector<Given>& given) const {
  const ValueStore& values = in_.values();
  const auto is_flag = [&](const Given& g) {
    return values.is_constant(g.value) || values[g.value].kind == ValueKind::None;
  };
  return std::ranges::all_of(given, is_flag) && std::ranges::any_of(given, [&](const Given& g) {
           return is_under_named_rank(FunctionCode(in_.index(), *in_.summary(g.by)), g.block);
         });
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

// Whether a call in sight passes for one of the parameters what has a rank's name in it, or what a loop takes out.
bool RankNames::are_given_of_rank(FunctionKey f, const Parameters& parameters) const {
  return any_argument_for(
      f, parameters, [&](const FunctionCode& code, ir::ExprId e, ProgramPoint at) { return !parts_of(code, e, at); });
}

bool RankNames::any_argument_for(FunctionKey f, const Parameters& parameters, const AsksArgument& says) const {
  if (parameters.empty()) return false;
  if (!places_) places_.emplace(in_.index());
  return std::ranges::any_of(places_->of(in_.program().original_of(f)), [&](const CallPlace& place) {
    const Summary* s = in_.summary(place.within);
    if (!s) return false;
    const FunctionCode code(in_.index(), *s);
    const ProgramPoint at{place.block, place.instruction};
    return std::ranges::any_of(handed_arguments(in_.index(), place.within, code.instruction(at)),
                               [&](const HandedArgument& a) {
                                 return in_.program().called_for(a.callee) == f &&
                                        parameters.contains(static_cast<int>(a.parameter)) && says(code, a.value, at);
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
