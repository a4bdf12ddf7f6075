// A time-out holds for one process group. Others have the library's own, unless one is given for them as well.
#include <algorithm>
#include <map>
#include <vector>

#include "rules/calls.h"
#include "rules/wording.h"

namespace ranklint::timeout_not_passed_on {

constexpr RuleInfo kInfo{
    .id = "timeout-not-passed-on",
    .code = "RL708",
    .summary = "a process group is made without the time-out that the default group is given",
    .severity = Severity::Warning,
    .since = "0.1",
    .no_wait = "the group ends the job after the library's own time-out, not after the one that was given"};

constexpr std::string_view kCalls[] = {"init_process_group", "new_group", "new_subgroups",
                                       "new_subgroups_by_enumeration"};

static ArgumentSpec timeout_of_default_group() { return {.position = 2, .keyword = "timeout"}; }

static bool makes_default_group(const CallSite& call) {
  return is_call_of(call, "torch.distributed.init_process_group");
}

// Where another group's time-out stands among the arguments; null: the call makes none.
static const ArgumentSpec* timeout_of_other_group(const CallSite& call) {
  static const std::map<std::string_view, ArgumentSpec> kMakers = {
      {"torch.distributed.new_group", {.position = 1, .keyword = "timeout"}},
      {"torch.distributed.new_subgroups", {.position = 2, .keyword = "timeout"}},
      {"torch.distributed.new_subgroups_by_enumeration", {.position = 1, .keyword = "timeout"}}};
  const auto maker = std::ranges::find_if(kMakers, [&](const auto& m) { return is_call_of(call, m.first); });
  return maker == kMakers.end() ? nullptr : &maker->second;
}

static bool is_given(const CallSite& call, const ArgumentSpec& timeout) {
  const SeenValue* given = call.argument(timeout);
  return given && given->kind != SeenValue::Kind::None;
}

// What one module makes of groups.
struct Groups {
  bool makes_default = false;
  const CallSite* with_timeout = nullptr;  // the default group's
  std::vector<const CallSite*> without;    // others, in the order of the text
};

static std::map<ModuleKey, Groups> groups_by_module(const Shared& shared) {
  std::map<ModuleKey, Groups> groups;
  for (const CallSite* call : calls_and_setup(shared.calls)) {
    Groups& made = groups[shared.index->functions()[call->function].module];
    const ArgumentSpec* timeout = timeout_of_other_group(*call);
    made.makes_default = made.makes_default || makes_default_group(*call);
    if (makes_default_group(*call) && !made.with_timeout && is_given(*call, timeout_of_default_group()))
      made.with_timeout = call;
    if (timeout && !call->open_ended && !is_given(*call, *timeout)) made.without.push_back(call);
  }
  for (auto& [module, made] : groups) std::ranges::sort(made.without, {}, &CallSite::range);
  return groups;
}

// The first call that makes the default group, if all outside of tests give it a time-out: then the groups of every
// file lie beside such a one.
static const CallSite* default_of_project(const Shared& shared) {
  const CallSite* first = nullptr;
  for (const CallSite* call : calls_and_setup(shared.calls)) {
    if (!makes_default_group(*call) || !is_reported_outside_tests(shared, call->function)) continue;
    if (!is_given(*call, timeout_of_default_group())) return nullptr;
    if (!first) first = call;
  }
  return first;
}

// One finding for a file, at the first of its groups.
static std::vector<Finding> find(const Query&, const Shared& shared) {
  std::vector<Finding> findings;
  const CallSite* const of_project = default_of_project(shared);
  for (auto& [module, made] : groups_by_module(shared)) {
    if (!made.with_timeout && !made.makes_default) made.with_timeout = of_project;
    if (!made.with_timeout || made.without.empty()) continue;
    const CallSite& first = *made.without.front();
    if (!is_reported_outside_tests(shared, first.function)) continue;
    Finding finding = finding_at(kInfo, shared, first.function, first.range, Certainty::Likely);
    finding.message = "this group does not take over the `timeout` of `init_process_group`: it has the library's own";
    finding.related.push_back({{path_of(shared, made.with_timeout->function), made.with_timeout->range},
                               "the default group is given one here"});
    for (size_t i = 1; i < made.without.size(); ++i)
      finding.related.push_back(
          {{path_of(shared, made.without[i]->function), made.without[i]->range}, "nor does this group"});
    finding.help = "give `timeout=` to each call that makes a group";
    finding.fingerprint_key = first.callee;
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .find = find, .calls = kCalls};

}  // namespace ranklint::timeout_not_passed_on
