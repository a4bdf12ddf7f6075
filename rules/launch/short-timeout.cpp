// A time-out under a minute for all that a group does: the first step alone, with its compilation and its first reads
// of data, takes some ranks longer than others by more than that.
#include <charconv>
#include <cmath>
#include <optional>

#include "analyzer/resolve/dotted.h"
#include "analyzer/summary/query.h"
#include "rules/wording.h"

namespace ranklint::short_timeout {

constexpr RuleInfo kInfo{.id = "short-timeout",
                         .code = "RL709",
                         .summary = "a process group is given less than a minute for whatever its ranks do",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "the job ends while ranks work"};

constexpr std::string_view kCalls[] = {"<takes-timeout>", "<makes-duration>"};
constexpr double kShortest = 60;  // seconds

namespace {

class ShortTimeouts {
 public:
  explicit ShortTimeouts(const Query& in) : in_(in) {}

  // How many seconds the call is given, if it takes a time-out and they are known.
  std::optional<double> given_to(const WatchedCall& call) const {
    const std::string callee = in_.callee_path(call.call.callee);
    const RoleEntry* role = in_.roles().find(callee, Role::TakesTimeout);
    if (!role && call.model) role = in_.roles().find(call.model->name, Role::TakesTimeout);
    const ValueId given = role ? in_.argument(call.call, role->argument) : ValueId{};
    return given.valid() ? seconds_of(given) : std::nullopt;
  }

 private:
  // Of what a call made of numbers, wherever it stands.
  std::optional<double> seconds_of(ValueId duration) const {
    const Value& value = in_.values()[duration];
    if (value.kind != ValueKind::Opaque || !in_.knows(SiteId{value.a})) return std::nullopt;
    const Site& site = in_.site(SiteId{value.a});
    const auto made = in_.watched().calls.find({site.function, site.block, site.instruction});
    if (made == in_.watched().calls.end()) return std::nullopt;
    const Call& call = made->second.call;
    size_t known = 0;
    double seconds = 0;
    for (const RoleEntry* unit : in_.roles().all(in_.callee_path(call.callee), Role::MakesDuration)) {
      const ValueId given = in_.argument(call, unit->argument);
      double number = 0, of_unit = 0;
      const char* const end = unit->note.data() + unit->note.size();
      const bool is_number = std::from_chars(unit->note.data(), end, of_unit).ptr == end;
      if (!is_number || !given.valid() || !in_.values().number_of(given, number)) continue;
      seconds += number * of_unit;
      ++known;
    }
    const bool is_all = known > 0 && known == call.positional.size() + call.keywords.size() && !call.open_ended;
    return is_all ? std::optional(seconds) : std::nullopt;
  }

  const Query& in_;
};

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  const ShortTimeouts timeouts(in);
  for (const auto& [site, call] : in.watched().calls) {
    if (!is_reported_outside_tests(shared, site.function)) continue;
    const std::optional<double> seconds = timeouts.given_to(call);
    if (!seconds || *seconds <= 0 || *seconds >= kShortest) continue;
    const std::string callee(last_part(in.callee_path(call.call.callee)));
    Finding finding = finding_at(kInfo, shared, site.function, call.range, Certainty::Likely);
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
