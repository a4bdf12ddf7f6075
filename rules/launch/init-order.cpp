// A process group is made once, used, and taken down: in this order on every way.
#include <algorithm>
#include <set>
#include <span>
#include <vector>

#include "analyzer/ir/any_instruction.h"
#include "analyzer/program/handed.h"
#include "analyzer/program/test_files.h"
#include "analyzer/questions/calls.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/summary/query.h"
#include "rules/calls.h"
#include "rules/wording.h"

namespace ranklint::init_order {

constexpr RuleInfo kInfo{
    .id = "init-order",
    .code = "RL706",
    .summary = "the default process group is made twice, or used before it is made or after it is destroyed",
    .severity = Severity::Warning,
    .since = "0.1",
    .no_wait = "the call fails",
    .premise = "both calls run, in this order"};

constexpr std::string_view kCalls[] = {"<takes-rank>", "<ends-default-group>", "<collective>", "<asks-group>"};

static bool destroys(const Roles& roles, const CallSite& call) {
  const RoleEntry* ends = role_of(roles, call, Role::EndsDefaultGroup);
  return ends && !call.argument(ends->argument);
}

// Under `if dist.is_initialized()`, or under what is known.
static bool tests_initialized_first(const CallSite& call) {
  return std::ranges::any_of(
      call.guards, [](const SeenGuard& g) { return g.asks_set_up || g.condition.kind == SeenValue::Kind::Bool; });
}

// Functions that may make the default process group, or call one that may.
class GroupMakers {
 public:
  GroupMakers(const Query& in, const CallBook& calls) : index_(in.index()), all_(in.models()), roles_(in.roles()) {
    for (const CallSite* call : calls_and_setup(calls))
      if (makes(*call)) makers_.insert(call->function);
    for (const std::string& name : roles_.names_in(Role::TakesRank))
      if (const Model* model = in.models().find(name)) models_.push_back(model);
  }

  bool makes(const CallSite& call) const { return role_of(roles_, call, Role::TakesRank) != nullptr; }

  // Whether a call that stands between the two, in the same function, may make it.
  bool may_make_between(const CallSite& first, const CallSite& second) {
    return std::ranges::any_of(index_.function(first.function).blocks, [&](const ir::Block& block) {
      return std::ranges::any_of(block.instructions, [&](const ir::Instruction& i) {
        return first.range < i.range && i.range < second.range && may_make(first.function, i);
      });
    });
  }

  // Whether the call surely needs the default process group: a collective on it, or a question about it.
  bool needs_default_group(const CallSite& call) const {
    if (call.certainty.degree() != Confidence::Certain) return false;
    const bool asks = role_of(roles_, call, Role::AsksGroup) != nullptr && call.model &&
                      (call.is(ModelKind::RankSource) || call.is(ModelKind::SizeSource)) &&
                      call.model->group.argument.present() && !fails_by_design(call);
    return asks || std::ranges::any_of(models_, [&](const Model* maker) { return is_collective_beside(call, *maker); });
  }

 private:
  // `try: rank = dist.get_rank()`, `assert dist.is_initialized()` before it, and tests: the failure says that there is
  // no group, or cannot come.
  bool fails_by_design(const CallSite& call) const {
    const ir::Function& f = index_.function(call.function);
    const ModuleKey module = index_.functions()[call.function].module;
    return f.blocks[call.block].handler.valid() || is_test_file(index_.modules()[module].path) ||
           ir::any_instruction(f, [&](const ir::Instruction& i) {
             if (i.kind != ir::InstructionKind::Call || !(i.range < call.range)) return false;
             const Entity asked = index_.resolve(module, f, i.value);
             const Model* model =
                 asked.kind == Entity::Kind::External ? all_.find(index_.names().text(asked.name)) : nullptr;
             return model && model->kind == ModelKind::Initialized;
           });
  }

  bool may_make(FunctionKey within, const ir::Instruction& call) {
    if (call.kind != ir::InstructionKind::Call) return false;
    const FunctionKey callee = named_callee(index_, within, call).function;
    return callee.valid() && may_make(callee);
  }

  bool may_make(FunctionKey f) {
    if (makers_.contains(f)) return true;
    if (!asked_.insert(f).second) return false;
    const bool may = ir::any_instruction(index_.function(f), [&](const ir::Instruction& i) { return may_make(f, i); });
    if (may) makers_.insert(f);
    return may;
  }

  const ProjectIndex& index_;
  const Models& all_;
  const Roles& roles_;
  std::vector<const Model*> models_;
  std::set<FunctionKey> makers_, asked_;
};

// A call that makes the group, or destroys it.
struct SetupCall {
  const CallSite* call = nullptr;
  bool makes = false;
};

// Those of one function, and where they are written, sorted.
struct SetupCalls {
  std::vector<SetupCall> calls;
  std::vector<SourceRange> ranges;
};

static SetupCalls setup_calls(const Roles& roles, const GroupMakers& makers, std::span<const CallSite> of_function) {
  SetupCalls setup;
  for (const CallSite& call : of_function) {
    const bool makes = makers.makes(call);
    if (!makes && !destroys(roles, call)) continue;
    setup.calls.push_back({&call, makes});
    setup.ranges.push_back(call.range);
  }
  std::ranges::sort(setup.ranges);
  return setup;
}

// The last call of a kind that has run on every way before this one; null: none.
static const CallSite* last_before(const SetupCalls& setup, const CallSite& at, bool makes) {
  const CallSite* last = nullptr;
  for (const SetupCall& c : setup.calls)
    if (c.makes == makes && runs_before(*c.call, at) && (!last || runs_before(*last, *c.call))) last = c.call;
  return last;
}

static void add(const Shared& shared, const CallSite& call, const CallSite& other, const std::string& message,
                const char* note, std::vector<Finding>& findings) {
  Finding finding = finding_at(kInfo, shared, call.function, call.range, Confidence::High);
  finding.message = message;
  finding.related.push_back({{finding.primary.path, other.range}, note});
  finding.help = "make the group once, at the start, and destroy it after the last communication";
  finding.fingerprint_key = call.callee;
  findings.push_back(std::move(finding));
}

static void check_call(const Shared& shared, const CallSite& call, const SetupCalls& setup, GroupMakers& makers,
                       std::vector<Finding>& findings) {
  // Of three or more one is another than the two that are looked for, and may have run in between.
  const auto written_before = std::ranges::lower_bound(setup.ranges, call.range) - setup.ranges.begin();
  if (written_before > 2) return;
  const CallSite* made = last_before(setup, call, true);
  const CallSite* destroyed = last_before(setup, call, false);
  const bool gone = destroyed && (!made || runs_before(*made, *destroyed));
  // A group that may be made again on some ways only.
  const bool made_between = std::ranges::any_of(setup.calls, [&](const SetupCall& c) {
    return c.call != destroyed && c.call != made && c.call->range < call.range;
  });
  if (made_between) return;
  if (makers.makes(call) && made && !destroyed)
    add(shared, call, *made, "the default process group is made a second time", "it is made here already", findings);
  if (makers.needs_default_group(call) && tests_initialized_first(call)) return;
  if (makers.needs_default_group(call) && gone && !makers.may_make_between(*destroyed, call))
    add(shared, call, *destroyed,
        "`" + std::string(last_part(call.callee)) + "` runs after the default process group is destroyed",
        "destroyed here", findings);
  if (!makers.needs_default_group(call) || made || call.argument(call.model->group.argument)) return;
  const auto later =
      std::ranges::find_if(setup.calls, [&](const SetupCall& c) { return c.makes && runs_before(call, *c.call); });
  // Who takes it down before has been given one.
  const bool destroyed_between = std::ranges::any_of(setup.calls, [&](const SetupCall& c) {
    return !c.makes && later != setup.calls.end() && call.range < c.call->range && c.call->range < later->call->range;
  });
  if (later != setup.calls.end() && !destroyed && !destroyed_between)
    add(shared, call, *later->call,
        "`" + std::string(last_part(call.callee)) + "` runs before the default process group is made",
        "it is made here", findings);
}

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  GroupMakers makers(in, shared.calls);
  for (const std::span<const CallSite> of_function : shared.calls.by_function()) {
    const SetupCalls setup = setup_calls(in.roles(), makers, of_function);
    if (setup.calls.empty()) continue;  // each finding is about two calls, and one of them is such a call
    for (const CallSite& call : of_function)
      if ((makers.makes(call) || makers.needs_default_group(call)) && is_reported(shared, call.function))
        check_call(shared, call, setup, makers, findings);
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .find = find, .calls = kCalls};

}  // namespace ranklint::init_order
