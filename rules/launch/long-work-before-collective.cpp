// One rank works for a long time while the others wait for it in a collective: a download, data that are prepared, code
// that is compiled. Nothing hangs, unless the work takes longer than the operations of the group may.
#include <algorithm>
#include <cmath>
#include <optional>

#include "analyzer/resolve/dotted.h"
#include "analyzer/summary/query.h"
#include "rules/calls.h"
#include "rules/launch/durations.h"
#include "rules/wording.h"

namespace ranklint::long_work_before_collective {

constexpr RuleInfo kInfo{
    .id = "long-work-before-collective",
    .code = "RL704",
    .summary =
        "one rank downloads or prepares data while the others wait in a collective, and may outlast its time-out",
    .severity = Severity::Info,
    .since = "0.1",
    .no_wait = "the job ends while one rank works"};

constexpr std::string_view kCalls[] = {"<takes-long>", "<collective>", "<takes-timeout>", "<makes-duration>"};

namespace {

constexpr double kLong = 3600;  // seconds: whoever asks for so many has thought of such work

// How long the ranks of a default group wait for each other.
struct Patience {
  bool is_long = false;           // for as long as such work takes, or as long as a setting says
  std::optional<double> seconds;  // the shortest that is known
};

Patience patience_of(const Query& in) {
  Patience all;
  for (const auto& [site, call] : in.watched().calls) {
    const RoleEntry* role = in.roles().find(in.callee_path(call.call.callee), Role::TakesTimeout);
    if (!role || role->note.empty()) continue;
    const ValueId given = in.argument(call.call, role->argument);
    if (!given.valid() || in.values()[given].kind == ValueKind::None) continue;
    const std::optional<double> seconds = seconds_given_to(in, call);
    all.is_long = all.is_long || !seconds || *seconds >= kLong;
    if (seconds && (!all.seconds || *seconds < *all.seconds)) all.seconds = seconds;
  }
  return all;
}

const SeenGuard* guard_of_some_ranks(const CallSite& call) {
  const auto found = std::ranges::find_if(call.guards, [](const SeenGuard& guard) {
    return !guard.is_loop && !guard.asks_for_last_round && !guard.condition.axes.empty();
  });
  return found == call.guards.end() ? nullptr : &*found;
}

// The same condition, or one that is written the same.
bool lets_through(const SeenGuard& a, const SeenGuard& b) {
  const std::string& spelled = a.condition.spelled;
  return a.holds == b.holds && (a.range == b.range || (!spelled.empty() && spelled == b.condition.spelled));
}

// Where the others wait meanwhile: further down, and not under the condition that lets this rank work.
const CallSite* waiting_place(const Shared& shared, const CallSite& work, const SeenGuard& guard) {
  for (const CallSite& other : shared.calls.in(work.function)) {
    const bool waits = other.kind == ModelKind::Collective && work.range < other.range;
    const bool is_inside =
        std::ranges::any_of(other.guards, [&](const SeenGuard& g) { return lets_through(g, guard); });
    if (waits && !is_inside) return &other;
  }
  return nullptr;
}

std::string for_how_long(const Patience& patience) {
  if (!patience.seconds) return "for the group's time-out at most";
  const bool in_minutes = *patience.seconds >= 60 && std::fmod(*patience.seconds, 60) == 0;
  const long count = std::lround(*patience.seconds / (in_minutes ? 60 : 1));
  return "for " + std::to_string(count) + (in_minutes ? " minute" : " second") + (count == 1 ? "" : "s") + " at most";
}

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  const Patience patience = patience_of(in);
  if (patience.is_long) return findings;
  for (const CallSite& work : shared.calls.all()) {
    const RoleEntry* role = in.roles().find(work.callee, Role::TakesLong);
    if (!role || (role->argument.present() && !work.argument(role->argument)) || !is_reported(shared, work.function))
      continue;
    const SeenGuard* guard = guard_of_some_ranks(work);
    const CallSite* waits = guard ? waiting_place(shared, work, *guard) : nullptr;
    if (!waits) continue;
    const std::string name(last_part(work.callee));
    Finding finding = finding_at(kInfo, shared, work.function, work.range, lower_of(Certainty::Likely, work.certainty));
    finding.message = "only the ranks with `" +
                      (guard->condition.spelled.empty() ? "a condition" : guard->condition.spelled) + "` run `" + name +
                      "`; the others wait in the collective behind it, " + for_how_long(patience);
    finding.related.push_back({{finding.primary.path, guard->range}, "only under this condition"});
    finding.related.push_back({{finding.primary.path, waits->range}, "the others wait here"});
    finding.help = "prepare the data before the job, or wait on a gloo group with a timeout that is long enough";
    finding.fingerprint_key = work.callee;
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .find = find, .calls = kCalls};

}  // namespace ranklint::long_work_before_collective
