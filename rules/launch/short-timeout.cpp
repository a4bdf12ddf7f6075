// A time-out under a minute for all that a group does: the first step alone, with its compilation and its first reads
// of data, takes some ranks longer than others by more than that.
#include <algorithm>
#include <cmath>
#include <optional>

#include "analyzer/resolve/dotted.h"
#include "analyzer/summary/query.h"
#include "rules/calls.h"
#include "rules/launch/durations.h"
#include "rules/wording.h"

namespace ranklint::short_timeout {

constexpr RuleInfo kInfo{.id = "short-timeout",
                         .code = "RL709",
                         .summary = "a process group is given less than a minute for whatever its ranks do",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "the job ends while ranks work",
                         .premise = "a rank may work for longer between two calls"};

constexpr std::string_view kCalls[] = {"<takes-timeout>", "<makes-duration>"};
constexpr double kShortest = 60;  // seconds

// Whether each way to the call has set up the process before: then the time-out of a further setup counts for nothing,
// as the default group is there.
static bool is_set_up_before(const Shared& shared, const Site& site) {
  const auto calls = shared.calls.in(site.function);
  const auto at = std::ranges::find_if(
      calls, [&](const CallSite& c) { return c.block == site.block && c.instruction == site.instruction; });
  const auto sets_up = [](const CallSite& call) { return call.is(ModelKind::Setup); };
  return at != calls.end() && sets_up(*at) && first_run_before(calls, *at, sets_up);
}

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const auto& [site, call] : in.watched().calls) {
    if (!is_reported(shared, site.function)) continue;
    const std::optional<double> seconds = seconds_given_to(in, call);
    if (!seconds || *seconds <= 0 || *seconds >= kShortest || is_set_up_before(shared, site)) continue;
    const std::string callee(last_part(in.callee_path(call.call.callee)));
    Finding finding = finding_at(kInfo, shared, site.function, call.range, Confidence::Likely);
    finding.message = "`" + callee + "` gives the ranks of this group " + std::to_string(std::lround(*seconds)) +
                      " seconds to wait for each other in whatever they do";
    finding.help = "give it minutes: what one rank does alone between two calls has to fit, the first step included";
    finding.fingerprint_key = callee;
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .find = find, .calls = kCalls};

}  // namespace ranklint::short_timeout
