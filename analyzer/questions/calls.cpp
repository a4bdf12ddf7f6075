#include "analyzer/questions/calls.h"

#include <algorithm>
#include <map>

#include "analyzer/base/work_limit.h"
#include "analyzer/flow/reached.h"
#include "analyzer/questions/contexts.h"
#include "analyzer/questions/identifier_words.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/resolve/model_reader.h"
#include "analyzer/summary/query.h"
#include "analyzer/variance/terms.h"

namespace ranklint {
namespace {

constexpr uint64_t kWorkOfGuard = 50;  // each call keeps its own guards, with their texts

class CallReader {
 public:
  explicit CallReader(const Query& in) : in_(in), values_(in.values()), index_(in.index()) {}

  CallSite read(const Site& site, const WatchedCall& watched) {
    CallSite out;
    out.function = site.function;
    out.block = site.block;
    out.instruction = site.instruction;
    out.range = watched.range;
    out.callee = callee_at(site, watched.call.callee);
    out.model = watched.model;
    out.certainty = certainty_of(watched, out);
    read_arguments(watched.call, out);
    if (const ValueId made = in_.function_value(site.function); values_[made].kind == ValueKind::Guarded)
      out.guards.push_back(
          {.range = index_.function(site.function).name_range, .condition = see(in_, values_.child(made, 1))});
    if (const Summary* s = in_.summary(site.function)) read_surroundings(*s, out);
    return out;
  }

 private:
  // An object of which no value is known goes by its variable: `model.step` after `model = wrapped if distributed else
  // plain`.
  std::string callee_at(const Site& site, ValueId callee) {
    std::string path = in_.callee_path(callee);
    const ir::Function& f = index_.function(site.function);
    const ir::Expr& written = f.exprs[f.blocks[site.block].instructions[site.instruction].value];
    if (written.kind != ir::ExprKind::Attribute || path.find('.') != std::string::npos) return path;
    const ir::Expr& owner = f.exprs[ir::children(f, f.blocks[site.block].instructions[site.instruction].value)[0]];
    if (owner.kind != ir::ExprKind::Name) return path;
    const std::string_view name = index_.modules()[index_.functions()[site.function].module].text(owner.symbol);
    return SymbolTable::is_unnamed(name) ? path : std::string(name) + "." + path;
  }

  // A call on an object of unknown type is known by its name alone.
  Assurance certainty_of(const WatchedCall& watched, const CallSite& site) {
    Assurance sure = name_certainty(watched.call.callee);
    if (watched.model) sure.lower_to(model_certainty(*watched.model, {site.function, site.range}));
    if (sure.degree() < Confidence::Certain && sure.doubts().empty() && sure.assumptions().empty())
      sure.assume({.kind = AssumptionKind::CalleeByName,
                   .subject = watched.model ? watched.model->name : site.callee,
                   .place = {site.function, site.range}});
    return sure;
  }

  Confidence name_certainty(ValueId callee) {
    const Value& value = values_[callee];
    switch (value.kind) {
      case ValueKind::External:
      case ValueKind::Function:
      case ValueKind::Class: return Confidence::Certain;
      case ValueKind::Guarded: return name_certainty(values_.child(callee, 0));
      case ValueKind::Bound: return Confidence::High;
      case ValueKind::Attribute: {
        const ValueId base = values_.child(callee, 0);
        return values_[base].kind == ValueKind::External || values_.external_type_of(base).valid() ? Confidence::High
                                                                                                   : Confidence::Likely;
      }
      default: return Confidence::Likely;
    }
  }

  void read_arguments(const Call& call, CallSite& out) {
    out.open_ended = call.open_ended;
    for (size_t i = 0; i < call.positional.size(); ++i)
      out.arguments.push_back({.position = static_cast<int>(i), .keyword = {}, .value = see(in_, call.positional[i])});
    for (const auto& [keyword, value] : call.keywords)
      out.arguments.push_back(
          {.position = -1, .keyword = std::string(index_.names().text(keyword)), .value = see(in_, value)});
  }

  void read_surroundings(const Summary& s, CallSite& out) {
    if (!s.graph().reachable(out.block)) return;
    out.dominated = s.graph().dominated(out.block);
    const ir::Function& f = index_.function(out.function);
    if (!contexts_ || contexts_->function() != out.function) contexts_.emplace(index_, s);
    for (OpenContext& context : contexts_->open_at({out.block, out.instruction}))
      out.contexts.push_back(std::move(context.name));
    std::vector<ir::BlockId> above;
    for (ir::BlockId b = s.graph().dominator(out.block); b.valid(); b = s.graph().dominator(b)) above.push_back(b);
    charge_work(above.size());
    for (auto b = above.rbegin(); b != above.rend(); ++b) read_guard(s, f, *b, out);
  }

  // The number of a loop's round: of `for i in range(n)`, of `for i, x in enumerate(xs)`.
  bool is_number_of_round(ValueId number) {
    int64_t place = 0;
    const bool is_part = values_[number].kind == ValueKind::Subscript &&
                         values_.integer_of(values_.child(number, 1), place) && place == 0;
    const ValueId element = is_part ? values_.child(number, 0) : number;
    if (values_[element].kind != ValueKind::Element) return false;
    return function_of(values_, index_, values_.child(element, 0)) == (is_part ? "enumerate" : "range");
  }

  // What `x + 1`, `x - 1` is computed of. Invalid: the term is not of that form.
  ValueId one_beside(ValueId v, ir::Operator op) {
    int64_t one = 0;
    const bool is_such = values_[v].kind == ValueKind::Binary && values_[v].op == op &&
                         values_.integer_of(values_.child(v, 1), one) && one == 1;
    return is_such ? values_.child(v, 0) : ValueId{};
  }

  // `i < n - 1`, `i + 1 == n` and their kin.
  bool tests_last_round(ValueId condition) {
    if (values_[condition].kind != ValueKind::Binary) return false;
    const ValueId number = values_.child(condition, 0), limit = values_.child(condition, 1);
    // Of one of several numbers one less is one of several, too.
    const auto is_last = [&](ValueId end) { return one_beside(end, ir::Operator::Subtract).valid(); };
    if (std::ranges::all_of(values_.leaves_of(limit), is_last)) return is_number_of_round(number);
    const ValueId before = one_beside(number, ir::Operator::Add);
    return before.valid() && is_number_of_round(before);
  }

  // Whether all that the block calls is known, and nothing of it communicates.
  bool is_harmless(const Summary& s, const ir::Function& f, ir::BlockId block) const {
    const ModuleKey module = index_.functions()[s.function].module;
    return !s.blocks[block.index].may_communicate &&
           std::ranges::all_of(f.blocks[block].instructions, [&](const ir::Instruction& i) {
             if (i.kind != ir::InstructionKind::Call) return true;
             const Entity::Kind callee = index_.resolve(module, f, i.value).kind;
             return callee == Entity::Kind::Function || callee == Entity::Kind::External;
           });
  }

  // Whether a rank that goes from the branch to the block does nothing more that others might wait for: in this round
  // of the loop around the branch, or, where there is no loop, in the function.
  bool leaves(const Summary& s, const ir::Function& f, ir::BlockId branch, ir::BlockId block) const {
    const ir::BlockId loop = s.graph().loop_around(branch);
    bool is_silent = true;
    reached_from({block}, [&](ir::BlockId b) {
      const bool is_over = loop.valid() && (b == loop || !s.graph().lies_in_loop(b, loop));
      is_silent = is_silent && (is_over || is_harmless(s, f, b));
      return is_over || !is_silent ? std::vector<ir::BlockId>() : FlowGraph::successors(f.blocks[b]);
    });
    return is_silent;
  }

  // A branch has decided for a block when one of its sides is entered from it alone and lies before the block.
  void read_guard(const Summary& s, const ir::Function& f, ir::BlockId at, CallSite& out) {
    const ir::Terminator& end = f.blocks[at].terminator;
    if (end.kind != ir::TerminatorKind::Branch && end.kind != ir::TerminatorKind::Iterate) return;
    for (const bool side : {true, false}) {
      const ir::BlockId next = end.successors[side ? 0 : 1];
      if (s.graph().predecessors(next).size() != 1 || !s.graph().dominates(next, out.block)) continue;
      const ValueId condition = s.blocks[at.index].condition;
      if (!condition.valid() || (end.is_loop && !side)) continue;
      charge_work(kWorkOfGuard);
      SeenGuard& guard = out.guards.emplace_back();
      guard = {.range = end.range,
               .condition = see_asked(in_, condition),
               .holds = side,
               .is_loop = end.is_loop,
               .tests_last_round = tests_last_round(condition)};
      guard.others_leave = guard.condition.diverges() && leaves(s, f, at, end.successors[side ? 1 : 0]);
      if (guard.condition.kind == SeenValue::Kind::Bool) {
        const ProgramPoint place{at, static_cast<uint32_t>(f.blocks[at].instructions.size())};
        guard.asks_set_up =
            in_.priors().suggest(identifier_words(FunctionCode(index_, s), end.value, place), NameMeaning::SetUp);
        guard.before_set_up = guard.asks_set_up && (guard.condition.integer != 0) != side;
      } else {
        guard.asks_set_up = values_.find_part(condition, [&](ValueId part) { return asks_set_up(part); }).valid();
        guard.before_set_up = guard.asks_set_up && says_before_set_up(condition, side);
      }
    }
  }

  bool asks_set_up(ValueId v) const {
    const Site* asked = in_.made_at(v);
    return asked && asked->why == Site::Why::SetUp;
  }

  // Whether ranks are not set up where the condition holds, or where it does not.
  bool says_before_set_up(ValueId condition, bool holds) const {
    const Value& asked = values_[condition];
    if (asks_set_up(condition)) return !holds;
    if (asked.kind == ValueKind::Unary && asked.op == ir::Operator::Not)
      return says_before_set_up(values_.child(condition, 0), !holds);
    return asked.kind == (holds ? ValueKind::And : ValueKind::Or) &&
           std::ranges::any_of(values_.children(condition),
                               [&](ValueId part) { return says_before_set_up(part, holds); });
  }

  const Query& in_;
  ValueStore& values_;
  const ProjectIndex& index_;
  std::optional<Contexts> contexts_;  // of the function that was read last
};

// Whether a condition in front of it never holds in the runs that matter.
bool contradicts(const SeenGuard& g) {
  return g.before_set_up || (g.condition.kind == SeenValue::Kind::Bool && (g.condition.integer != 0) != g.holds);
}

// Under TYPE_CHECKING, or not reached at all.
bool is_dead(const CallSite& call) {
  return call.dominated.number == call.dominated.end ||
         std::any_of(call.guards.begin(), call.guards.end(),
                     [](const SeenGuard& g) { return contradicts(g) && !g.before_set_up; });
}

bool ends_with_name(std::string_view name, std::string_view tail) {
  return name == tail ||
         (name.size() > tail.size() && name.ends_with(tail) && name[name.size() - tail.size() - 1] == '.');
}

}  // namespace

const SeenValue* CallSite::argument(const ArgumentSpec& spec) const {
  for (const SeenArgument& a : arguments) {
    if (!spec.keyword.empty() && a.keyword == spec.keyword) return &a.value;
    if (spec.position >= 0 && a.position == spec.position) return &a.value;
  }
  return nullptr;
}

bool CallSite::in_loop() const {
  return std::any_of(guards.begin(), guards.end(), [](const SeenGuard& g) { return g.is_loop; });
}

bool is_call_of(const CallSite& call, std::string_view pattern) {
  if (pattern.starts_with('<')) return call.model && pattern == "<" + std::string(word_of(call.model->kind)) + ">";
  if (pattern.starts_with("?."))
    return last_part(call.callee) == pattern.substr(2) && call.callee.find('.') != std::string::npos;
  if (pattern.starts_with("*."))
    return ends_with_name(call.callee, pattern.substr(2)) || ends_with_name(call.model_name(), pattern.substr(2));
  return call.callee == pattern || (call.model && call.model->name == pattern);
}

const RoleEntry* role_of(const Roles& roles, const CallSite& call, Role role) {
  const RoleEntry* const entry = roles.find(call.callee, role);
  return entry || !call.model ? entry : roles.find(call.model->name, role);
}

std::span<const CallSite> CallBook::in(FunctionKey function) const {
  return std::ranges::equal_range(calls_, function, {}, &CallSite::function);
}

std::vector<std::span<const CallSite>> CallBook::by_function() const {
  std::vector<std::span<const CallSite>> functions;
  for (size_t first = 0; first < calls_.size(); first += functions.back().size())
    functions.push_back(in(calls_[first].function));
  return functions;
}

bool runs_before(const CallSite& first, const CallSite& second) {
  if (first.function != second.function) return false;
  if (first.block == second.block) return first.instruction < second.instruction;
  return FlowGraph::contains(first.dominated, second.dominated);
}

CallBook collect_calls(const Query& query) {
  CallReader reader(query);
  std::vector<CallSite> calls, setup;
  calls.reserve(query.watched().calls.size());
  query.for_each_watched("calls that rules ask for", [&](FunctionKey, const auto& watched) {
    for (const auto& [site, call] : watched)
      if (CallSite read = reader.read(site, call); !is_dead(read))
        (std::any_of(read.guards.begin(), read.guards.end(), contradicts) ? setup : calls).push_back(std::move(read));
  });
  return CallBook(std::move(calls), std::move(setup));
}

}  // namespace ranklint
