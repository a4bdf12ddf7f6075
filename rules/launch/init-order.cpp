// A process group is made once, used, and taken down: in this order on every way.
#include <algorithm>

#include "analyzer/compare/calls.h"
#include "rules/wording.h"

namespace ranklint::init_order {

constexpr RuleInfo kInfo{.id = "init-order",
                         .code = "RL706",
                         .summary = "the default process group is made twice, or used before it is made or after it is destroyed",
                         .severity = Severity::Warning,
                         .since = "0.1"};

constexpr std::string_view kCalls[] = {"init_process_group", "destroy_process_group", "<collective>"};

static bool makes(const CallSite& call) { return is_call_of(call, "torch.distributed.init_process_group"); }

static bool destroys(const CallSite& call) {
  return is_call_of(call, "torch.distributed.destroy_process_group") && !call.argument({.position = 0, .keyword = "group"});
}

static bool uses(const CallSite& call) {
  return call.kind == ModelKind::Collective && call.callee.starts_with("torch.distributed.") && call.certainty == Certainty::Certain;
}

// Under `if dist.is_initialized()`, whose answer counts as known here.
static bool asks_first(const CallSite& call) {
  return std::any_of(call.guards.begin(), call.guards.end(), [](const SeenGuard& g) { return g.condition.kind == SeenValue::Kind::Bool; });
}

// The last call of a kind that has run on every way before this one; null: none.
template <typename Kind>
static const CallSite* last_before(const std::vector<CallSite>& calls, const CallSite& at, Kind kind) {
  const CallSite* last = nullptr;
  for (const CallSite& call : calls)
    if (kind(call) && runs_before(call, at) && (!last || runs_before(*last, call))) last = &call;
  return last;
}

static void add(const Facts& facts, const CallSite& call, const CallSite& other, const std::string& message, const char* note, Reporter& report) {
  Finding finding = finding_at(kInfo, facts, call.function, call.range, Certainty::High);
  finding.message = message;
  finding.related.push_back({{finding.primary.path, other.range}, note});
  finding.help = "make the group once, at the start, and destroy it when nobody communicates any more";
  finding.fingerprint_key = call.callee;
  report.push_back(std::move(finding));
}

static void check_call(const Facts& facts, const CallSite& call, Reporter& report) {
  const std::vector<CallSite>& calls = facts.calls->all();
  const CallSite* made = last_before(calls, call, makes);
  const CallSite* destroyed = last_before(calls, call, destroys);
  const bool gone = destroyed && (!made || runs_before(*made, *destroyed));
  // A group that may be made again on some ways only.
  const bool made_between = std::any_of(calls.begin(), calls.end(), [&](const CallSite& c) {
    return c.function == call.function && (makes(c) || destroys(c)) && &c != destroyed && &c != made && c.range < call.range;
  });
  if (made_between) return;
  if (makes(call) && made && !destroyed) add(facts, call, *made, "the default process group is made a second time", "it is made here already", report);
  if (uses(call) && asks_first(call)) return;
  if (uses(call) && gone) add(facts, call, *destroyed, "`" + call.op + "` runs when the default process group is destroyed", "destroyed here", report);
  if (!uses(call) || made || call.argument({.position = -1, .keyword = "group"})) return;
  const auto later = std::find_if(calls.begin(), calls.end(), [&](const CallSite& c) { return makes(c) && runs_before(call, c); });
  if (later != calls.end() && !destroyed) add(facts, call, *later, "`" + call.op + "` runs before the default process group is made", "it is made here", report);
}

static void check(const Facts& facts, Reporter& report) {
  for (const CallSite& call : facts.calls->all())
    if ((makes(call) || uses(call)) && is_reported(facts, call.function)) check_call(facts, call, report);
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .check = check, .calls = kCalls};

}  // namespace ranklint::init_order
