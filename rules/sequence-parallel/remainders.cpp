#include "rules/sequence-parallel/remainders.h"

#include <algorithm>
#include <set>

#include "analyzer/flow/reached.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/questions/identifier_words.h"
#include "analyzer/resolve/dotted.h"

namespace ranklint {

namespace {

constexpr int kMostCallersOfRemainder = 4;  // one above the other

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

int parameter_of(const FunctionCode& code, ir::ExprId e) {
  return code.name(e).empty() ? -1 : code.parameter(code.ir.exprs[e].symbol);
}

// Whether functions speak of one of some names. Spellings are compared once for each module, as its functions come one
// after the other.
class Speakers {
 public:
  Speakers(const ProjectIndex& index, const std::set<std::string_view>& names) : index_(index), names_(names) {}

  bool has(FunctionKey f) {
    const ModuleKey module = index_.functions()[f].module;
    if (module != of_) look_up(module);
    return !symbols_.empty() && std::ranges::any_of(index_.function(f).exprs, [&](const ir::Expr& e) {
      return (e.kind == ir::ExprKind::Name || e.kind == ir::ExprKind::Attribute) && symbols_.contains(e.symbol);
    });
  }

 private:
  void look_up(ModuleKey module) {
    of_ = module;
    symbols_.clear();
    for (const std::string_view name : names_)
      if (const Symbol symbol = index_.modules()[module].symbols.find(name); symbol.valid()) symbols_.insert(symbol);
  }

  const ProjectIndex& index_;
  const std::set<std::string_view>& names_;
  ModuleKey of_;
  std::set<Symbol> symbols_;  // of the names, in that module
};

}  // namespace

Remainders::Remainders(const Query& in) : in_(in), index_(in.index()) {
  in_.for_each_function_to_check("divisibility", [&](FunctionKey key) {
    const ir::Function& function = index_.function(key);
    const bool any = std::any_of(function.exprs.begin(), function.exprs.end(),
                                 [](const ir::Expr& e) { return is_remainder(e) || is_comparison(e); });
    const Summary* s = any ? in_.summary(key) : nullptr;
    if (!s) return;
    const FunctionCode code(index_, *s);
    for_each_expression(code, [&](ir::ExprId e, ProgramPoint at) { note(code, e, at); });
    note_divisions(code);
  });
  // `divide(heads, size)`, which ensures that it divides and then divides: once is as deep as it goes.
  for (bool again = !divisions_.empty(), first = true; again; first = false) {
    bool more = false;
    const std::set<std::string_view> names = names_of_divisions();
    Speakers speakers(index_, names);
    in_.for_each_function_to_check("divisibility", [&](FunctionKey key) {
      const Summary* s = speakers.has(key) ? in_.summary(key) : nullptr;
      if (s && !index_.function(key).blocks.empty()) more |= note_handed_on(FunctionCode(index_, *s));
    });
    again = more && first;
  }
}

void Remainders::note(const FunctionCode& code, ir::ExprId e, ProgramPoint at) {
  const ir::Expr& expr = code.ir.exprs[e];
  if (!is_remainder(expr) && !is_comparison(expr)) return;
  const auto has_a_product = [&](ir::ExprId side) { return has_product(code, side); };
  if (is_comparison(expr) && std::ranges::none_of(ir::children(code.ir, e), has_a_product)) return;
  const std::string left = identifier_words(code, ir::children(code.ir, e)[0], at),
                    right = identifier_words(code, ir::children(code.ir, e)[1], at);
  if (is_remainder(expr)) return note_remainder(remainders_[code.key], at, left, right);
  const auto of_world = [&](std::string_view words) {
    return any_suggests(in_.priors(), words, NameMeaning::WorldDegree);
  };
  if (of_world(left) || of_world(right)) remainders_[code.key].of_world.push_back({at, left + right});
}

void Remainders::note_remainder(OfFunction& known, ProgramPoint at, const std::string& number, const std::string& by) {
  const NamePriors& priors = in_.priors();
  const bool by_sequence = name_suggests_sequence_size(priors, by),
             of_heads = any_suggests(priors, number, NameMeaning::Heads);
  known.by_sequence |= by_sequence && !of_heads;
  known.of_heads |= by_sequence && of_heads;
  // What another degree leaves over counts where it is one that the world was cut by: `fsdp_size % sp_size`.
  if (any_suggests(priors, number, NameMeaning::WorldDegree) || (by_sequence && name_suggests_degree(priors, number)))
    known.of_world.push_back({at, {}});
}

bool Remainders::add_division(FunctionKey f, Division division) {
  if (division.number < 0 || division.by < 0) return false;
  std::vector<Division>& known = divisions_[f];
  if (std::ranges::find(known, division) != known.end()) return false;
  known.push_back(division);
  return true;
}

void Remainders::note_divisions(const FunctionCode& code) {
  for_each_expression(code, [&](ir::ExprId e, ProgramPoint) {
    if (!is_remainder(code.ir.exprs[e])) return;
    const auto sides = ir::children(code.ir, e);
    add_division(code.key, {parameter_of(code, sides[0]), parameter_of(code, sides[1])});
  });
}

// The names of the functions that divide: a function that names none of them calls none.
std::set<std::string_view> Remainders::names_of_divisions() const {
  std::set<std::string_view> names;
  for (const auto& [f, divisions] : divisions_) names.insert(last_part(index_.qualified_name(f)));
  return names;
}

bool Remainders::note_handed_on(const FunctionCode& code) {
  bool more = false;
  for_each_call(code, [&](const ir::Instruction& call, ProgramPoint at) {
    const FunctionKey callee = function_named(index_, code, call.value);
    const auto known = callee.valid() ? divisions_.find(callee) : divisions_.end();
    if (known == divisions_.end() || callee == code.key) return;
    for (const Division& division : std::vector<Division>(known->second)) {
      const bool is_method = index_.functions()[callee].owner.valid();
      const ir::ExprId number = argument_for(code, call, index_, callee, division.number, is_method),
                       by = argument_for(code, call, index_, callee, division.by, is_method);
      if (!number.valid() || !by.valid()) continue;
      note_remainder(handed_on_[code.key], at, identifier_words(code, number, at), identifier_words(code, by, at));
      more |= add_division(code.key, {parameter_of(code, number), parameter_of(code, by)});
    }
  });
  return more;
}

bool Remainders::is_checked(const FunctionCode& code, bool OfFunction::* kind) const {
  for (FunctionKey f = code.key; f.valid(); f = index_.functions()[f].parent)
    if (has(f, kind)) return true;
  const auto is_of_model = [&](FunctionKey f) {
    return kind == &OfFunction::of_heads && index_.functions()[f].owner.valid() && is_setting_up(f);
  };
  const auto speaks_for_all = [&](const auto& known) { return known.second.*kind && is_of_model(known.first); };
  const auto is_of_file = [&](const auto& known) {
    return known.second.*kind && index_.functions()[known.first].module == code.module;
  };
  if (std::ranges::any_of(remainders_, speaks_for_all) || std::ranges::any_of(handed_on_, speaks_for_all) ||
      std::ranges::any_of(remainders_, is_of_file))
    return true;
  bool checked = false;
  for_each_call(code, [&](const ir::Instruction& call, ProgramPoint) {
    const Entity entity = index_.resolve(code.module, code.ir, call.value);
    if (entity.kind == Entity::Kind::Function)
      checked |= has(entity.function, kind) || calls_one_with(entity.function, kind);
  });
  return checked;
}

bool Remainders::is_world_checked(const FunctionCode& code, ProgramPoint at, const std::string& divisor) const {
  bool by_callee = false;
  for_each_call(code, [&](const ir::Instruction& call, ProgramPoint) {
    const Entity entity = index_.resolve(code.module, code.ir, call.value);
    if (entity.kind == Entity::Kind::Function)
      by_callee |= !checks_in(remainders_, entity.function).empty() || !checks_in(handed_on_, entity.function).empty();
  });
  if (by_callee) return true;
  for (const auto& [f, remainders] : remainders_)
    if (f != code.key && index_.functions()[f].module == code.module && !remainders.of_world.empty()) return true;
  return is_looked_at(checks_in(remainders_, code.key), code, at, divisor) ||
         is_looked_at(checks_in(handed_on_, code.key), code, at, divisor) ||
         is_checked_by_callers(code.key, divisor, kMostCallersOfRemainder);
}

// A product that is compared with the number of ranks, of which the divisor is a factor, ends all ranks alike where it
// differs: functions that are called after it need not test again.
bool Remainders::is_checked_by_callers(FunctionKey f, const std::string& divisor, int depth) const {
  if (!calls_) calls_.emplace(index_);
  const std::span<const CallPlace> calls = calls_->of(f);
  return depth > 0 && !calls.empty() && std::ranges::all_of(calls, [&](const CallPlace& call) {
           const Summary* s = in_.summary(call.within);
           if (!s) return false;
           const FunctionCode caller(index_, *s);
           return is_looked_at(checks_in(remainders_, caller.key), caller, {call.block, call.instruction}, divisor) ||
                  is_checked_by_callers(caller.key, divisor, depth - 1);
         });
}

std::span<const Remainders::OfFunction::WorldCheck> Remainders::checks_in(const std::map<FunctionKey, OfFunction>& all,
                                                                          FunctionKey f) {
  const auto found = all.find(f);
  return found == all.end() ? std::span<const OfFunction::WorldCheck>() : found->second.of_world;
}

// Whether one of them is about the divisor, and on a way through the place.
bool Remainders::is_looked_at(std::span<const OfFunction::WorldCheck> checks, const FunctionCode& code, ProgramPoint at,
                              const std::string& divisor) {
  const auto comes_to = [&](ir::BlockId from, ir::BlockId to) {
    return leads_to(code.ir, from, [&](ir::BlockId b) { return b == to; });
  };
  return std::ranges::any_of(checks, [&](const OfFunction::WorldCheck& check) {
    const bool about_it = check.factors.empty() || check.factors.find(" " + divisor + " ") != std::string::npos;
    return about_it && (comes_to(at.block, check.place.block) || comes_to(check.place.block, at.block));
  });
}

bool Remainders::has(FunctionKey f, bool OfFunction::* kind) const {
  const auto plays = [&](const std::map<FunctionKey, OfFunction>& all) {
    const auto found = all.find(f);
    return found != all.end() && found->second.*kind;
  };
  return plays(remainders_) || plays(handed_on_);
}

bool Remainders::calls_one_with(FunctionKey f, bool OfFunction::* kind) const {
  const Summary* s = in_.summary(f);
  if (!s) return false;
  const FunctionCode code(index_, *s);
  bool found = false;
  for_each_call(code, [&](const ir::Instruction& call, ProgramPoint) {
    const Entity entity = index_.resolve(code.module, code.ir, call.value);
    found |= entity.kind == Entity::Kind::Function && has(entity.function, kind);
  });
  return found;
}

// A configuration that checks itself speaks for the whole program.
bool Remainders::is_setting_up(FunctionKey f) const {
  return in_.priors().suggest(last_part(index_.qualified_name(f)), NameMeaning::Validation);
}

}  // namespace ranklint
