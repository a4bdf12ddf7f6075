// Which calls a declared rule is about, and what it says of them.
#include <algorithm>
#include <span>

#include "analyzer/resolve/dotted.h"
#include "analyzer/summary/query.h"
#include "rules/calls.h"
#include "rules/declarative/declared_rule.h"
#include "rules/replay_templates.h"
#include "rules/wording.h"

namespace ranklint {
namespace {

bool equals(const SeenValue& value, const Literal& literal) {
  switch (literal.kind) {
    case Literal::Kind::None: return value.kind == SeenValue::Kind::None;
    case Literal::Kind::Bool: return value.kind == SeenValue::Kind::Bool && value.integer == literal.integer;
    case Literal::Kind::Integer: return value.kind == SeenValue::Kind::Integer && value.integer == literal.integer;
    case Literal::Kind::Text: return value.kind == SeenValue::Kind::Text && value.text == literal.text;
  }
  return false;
}

bool passes(const SeenValue* value, ValueTest test, bool open_ended) {
  switch (test) {
    case ValueTest::Absent: return !value && !open_ended;
    case ValueTest::Given: return value != nullptr;
    default: break;
  }
  if (!value) return false;
  switch (test) {
    case ValueTest::None: return value->kind == SeenValue::Kind::None;
    case ValueTest::NotNone: return value->kind != SeenValue::Kind::None && value->kind != SeenValue::Kind::Unknown;
    case ValueTest::Constant: return value->is_constant();
    case ValueTest::String: return value->kind == SeenValue::Kind::Text;
    case ValueTest::Integer: return value->kind == SeenValue::Kind::Integer;
    case ValueTest::Known: return value->kind != SeenValue::Kind::Unknown;
    case ValueTest::Unknown: return value->kind == SeenValue::Kind::Unknown;
    case ValueTest::RankDependent: return value->differs_by_rank();
    case ValueTest::Local: return !value->local.empty();
    case ValueTest::Divergent: return value->diverges();
    case ValueTest::Uniform: return !value->diverges();
    case ValueTest::Absent:
    case ValueTest::Given: break;
  }
  return false;
}

SeenValue seen(const Literal& literal) {
  SeenValue value;
  constexpr SeenValue::Kind kKinds[] = {SeenValue::Kind::None, SeenValue::Kind::Bool, SeenValue::Kind::Integer,
                                        SeenValue::Kind::Text};
  value.kind = kKinds[static_cast<int>(literal.kind)];
  value.integer = literal.integer;
  value.text = literal.text;
  return value;
}

bool fits_any(std::string_view text, const std::vector<std::string>& patterns) {
  return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& p) { return fits_pattern(text, p); });
}

bool passes(const CallSite& call, const ArgumentTest& test) {
  const SeenValue* value = call.argument(test.argument);
  for (ValueTest word : test.is)
    if (!passes(value, word, call.open_ended)) return false;
  const bool about_value =
      !test.one_of.empty() || !test.none_of.empty() || !test.matches.empty() || test.less_than || test.greater_than;
  if (!about_value) return true;
  SeenValue meant;
  if (!value && test.default_value && !call.open_ended) {
    meant = seen(*test.default_value);
    value = &meant;
  }
  if (!value) return false;
  const auto is_it = [&](const Literal& literal) { return equals(*value, literal); };
  if (!test.one_of.empty() && std::none_of(test.one_of.begin(), test.one_of.end(), is_it)) return false;
  if (!test.none_of.empty() && (!value->is_constant() || std::any_of(test.none_of.begin(), test.none_of.end(), is_it)))
    return false;
  const bool has_text = value->kind == SeenValue::Kind::Text || value->kind == SeenValue::Kind::Name;
  if (!test.matches.empty() && !(has_text && fits_any(value->text, test.matches))) return false;
  if (!test.less_than && !test.greater_than) return true;
  return value->kind == SeenValue::Kind::Integer && (!test.less_than || value->integer < *test.less_than) &&
         (!test.greater_than || value->integer > *test.greater_than);
}

const SeenGuard* guard_that(const CallSite& call, GuardTest test) {
  for (const SeenGuard& guard : call.guards) {
    if (guard.is_loop || guard.tests_last_round) continue;  // says how often the call is made, not on which ranks
    // All ranks see alike whether a file is there, as far as this guard shows.
    const bool rank = guard.condition.differs_by_rank(),
               local = !guard.condition.local.empty() && guard.condition.local_source != LocalSource::FileSystem;
    if ((test == GuardTest::RankDependent && rank) || (test == GuardTest::Local && local) ||
        (test == GuardTest::Divergent && (rank || local)) ||
        (test == GuardTest::DivergentChoice && (rank || local) && !guard.others_leave))
      return &guard;
  }
  return nullptr;
}

// The functions around a call, from its own outwards.
std::vector<FunctionKey> functions_around(const ProjectIndex& index, FunctionKey f) {
  std::vector<FunctionKey> around;
  for (; f.valid(); f = index.functions()[f].parent) around.push_back(f);
  return around;
}

class PlaceOfCall {
 public:
  PlaceOfCall(const ProjectIndex& index, const CallSite& call)
      : index_(index), call_(call), around_(functions_around(index, call.function)) {}

  bool is_inside(const Surroundings& s) const {
    return (s.function.empty() || in_function(s.function)) && (s.klass.empty() || in_class(s.klass)) &&
           (s.file.empty() || in_file(s.file)) && (s.decorator.empty() || under_decorator(s.decorator)) &&
           (s.context.empty() || in_context(s.context)) && (!s.loop || call_.in_loop() == *s.loop);
  }

  bool is_outside(const Surroundings& s) const {
    return !in_function(s.function) && !in_class(s.klass) && !in_file(s.file) && !under_decorator(s.decorator) &&
           !in_context(s.context) && !(s.loop && call_.in_loop() == *s.loop);
  }

 private:
  bool in_function(const std::vector<std::string>& patterns) const {
    return std::any_of(around_.begin(), around_.end(), [&](FunctionKey f) {
      const std::string_view name = index_.qualified_name(f);
      return fits_any(name, patterns) || fits_any(last_part(name), patterns);
    });
  }

  bool in_class(const std::vector<std::string>& patterns) const {
    const ClassKey owner = index_.functions()[call_.function].owner;
    if (!owner.valid()) return false;
    const auto& names = index_.names();
    for (ClassKey c : index_.linearization(owner)) {
      const ir::Module& module = index_.modules()[index_.classes()[c].module];
      if (fits_any(module.text(index_.klass(c).qualified_name), patterns)) return true;
      for (Symbol base : index_.classes()[c].external_bases)
        if (fits_any(names.text(base), patterns)) return true;
    }
    return false;
  }

  bool in_file(const std::vector<std::string>& patterns) const {
    return fits_any(index_.path(call_.function), patterns);
  }

  bool under_decorator(const std::vector<std::string>& patterns) const {
    return !patterns.empty() && std::any_of(around_.begin(), around_.end(), [&](FunctionKey key) {
      const ir::Function& f = index_.function(key);
      const ModuleKey module = index_.functions()[key].module;
      return std::any_of(f.decorators.begin(), f.decorators.end(), [&](ir::ExprId e) {
        if (f.exprs[e].kind == ir::ExprKind::Call) e = ir::children(f, e)[0];
        const Entity entity = index_.resolve(module, f, e);
        const std::string name = entity.kind == Entity::Kind::External ? std::string(index_.names().text(entity.name))
                                                                       : index_.dotted(module, f, e);
        return fits_any(name, patterns) || fits_any(last_part(name), patterns);
      });
    });
  }

  bool in_context(const std::vector<std::string>& patterns) const {
    return std::any_of(call_.contexts.begin(), call_.contexts.end(), [&](const std::string& name) {
      return fits_any(name, patterns) || fits_any(last_part(name), patterns);
    });
  }

  const ProjectIndex& index_;
  const CallSite& call_;
  std::vector<FunctionKey> around_;
};

// Whether another one of the calls has one of these names and stands in a relation to this one.
template <typename Relation>
bool has_other(std::span<const CallSite> calls, const CallSite& call, const std::vector<std::string>& patterns,
               Relation relation) {
  if (patterns.empty()) return false;
  return std::ranges::any_of(calls, [&](const CallSite& other) {
    return &other != &call && is_call_of_any(other, patterns) && relation(other);
  });
}

bool is_in_order(const Shared& shared, const CallSite& call, const Order& order) {
  const std::span<const CallSite> same = shared.calls.in(call.function);
  const auto in_front = [&](const CallSite& other) { return other.range < call.range; };
  const auto after = [&](const CallSite& other) { return call.range < other.range; };
  return (order.after.empty() ||
          has_other(same, call, order.after, [&](const CallSite& o) { return runs_before(o, call); })) &&
         (order.before.empty() || has_other(same, call, order.before, after)) &&
         !has_other(same, call, order.not_after, in_front) && !has_other(same, call, order.not_before, after) &&
         !has_other(shared.calls.all(), call, order.nowhere, [](const CallSite&) { return true; });
}

// Where the others wait: in what the rule says comes next, or else there.
SourceRange waiting_place(const Shared& shared, const DeclaredRule& rule, const CallSite& call) {
  for (const CallSite& other : shared.calls.in(call.function))
    if (call.range < other.range && is_call_of_any(other, rule.order.before)) return other.range;
  return call.range;
}

ArgumentSpec spec_of(std::string_view word) {
  if (!word.empty() && word.size() <= 3 && word.find_first_not_of("0123456789") == word.npos)
    return {.position = std::stoi(std::string(word)), .keyword = {}};
  return {.position = -1, .keyword = std::string(word)};
}

std::string argument_text(const DeclaredRule& rule, const CallSite& call, std::string_view word) {
  const ArgumentSpec spec = spec_of(word);
  const SeenValue* value = call.argument(spec);
  // A keyword of an argument that the rule also knows by position.
  for (const ArgumentTest& test : rule.arguments)
    if (!value && !spec.keyword.empty() && test.argument.keyword == spec.keyword) value = call.argument(test.argument);
  if (!value) return "nothing";
  if (value->kind == SeenValue::Kind::Text) return value->text;
  if (!value->spelled.empty()) return value->spelled;
  return value->text.empty() ? "..." : value->text;
}

std::string word_text(const DeclaredRule& rule, const Shared& shared, const CallSite& call, std::string_view word) {
  if (word.starts_with("argument:")) return argument_text(rule, call, word.substr(9));
  if (word == "call") return call.callee;
  if (word == "name") return std::string(last_part(call.callee));
  if (word == "operation") return call.op().empty() ? std::string(last_part(call.callee)) : std::string(call.op());
  if (word == "function") return std::string(shared.index->qualified_name(call.function));
  if (word == "context") return call.contexts.empty() ? "" : call.contexts.back();
  const SeenGuard* guard = guard_that(call, rule.guard.value_or(GuardTest::Divergent));
  if (!guard) return "";
  if (word == "axes") return guard->condition.axes;
  return guard->condition.spelled.empty() ? "a condition" : guard->condition.spelled;
}

std::string filled(const std::string& text, const DeclaredRule& rule, const Shared& shared, const CallSite& call) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const size_t open = std::min(text.find('{', at), text.size());
    out.append(text, at, open - at);
    const size_t close = text.find('}', open);
    if (open == text.size() || close == text.npos) break;
    out += word_text(rule, shared, call, std::string_view(text).substr(open + 1, close - open - 1));
    at = close + 1;
  }
  return out;
}

bool fits(const DeclaredRule& rule, const Query& in, const Shared& shared, const CallSite& call) {
  if (!is_call_of_any(call, rule.calls) || !is_reported(shared, call.function)) return false;
  for (const ArgumentTest& test : rule.arguments)
    if (!passes(call, test)) return false;
  if (rule.guard &&
      (*rule.guard == GuardTest::None) ==
          (guard_that(call, *rule.guard == GuardTest::None ? GuardTest::Divergent : *rule.guard) != nullptr))
    return false;
  const PlaceOfCall place(in.index(), call);
  return place.is_inside(rule.inside) && (rule.outside.empty() || place.is_outside(rule.outside)) &&
         is_in_order(shared, call, rule.order);
}

}  // namespace

bool fits_pattern(std::string_view text, std::string_view pattern) {
  // Greedy with one point of return: the last `*` may take more.
  size_t t = 0, p = 0, star = pattern.npos, taken = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p, ++t;
    } else if (star != pattern.npos) {
      p = star + 1;
      t = ++taken;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::vector<Finding> find_declared(const RuleInfo& info, const DeclaredRule& rule, const Query& in,
                                   const Shared& shared) {
  std::vector<Finding> findings;
  for (const CallSite& call : shared.calls.all()) {
    if (!fits(rule, in, shared, call)) continue;
    Assurance sure = call.certainty;
    if (rule.confidence != Confidence::Possible) sure.lower_to(rule.confidence);
    if (const std::optional<Doubt> older = in.older_library(call.function, rule.needs)) sure.doubt(*older);
    Finding finding = finding_at(info, shared, call.function, call.range, sure);
    finding.confidence = std::min(finding.confidence, rule.confidence);
    finding.message = filled(rule.message, rule, shared, call);
    finding.help = filled(rule.help, rule, shared, call);
    if (const SeenGuard* guard = rule.guard ? guard_that(call, *rule.guard) : nullptr)
      finding.related.push_back({location_at(shared, call.function, guard->range), "only under this condition"});
    if (!rule.waits_in.empty())
      finding.replay = replay_templates::by_one_alone(
          {rule.waits_in, "group", location_at(shared, call.function, waiting_place(shared, rule, call))});
    finding.fingerprint_key = call.callee;
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace ranklint
