// A time-out holds for the groups that it is given for. Others have the library's own, unless one is given for them as
// well, or the library's own for their backend is the same.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "analyzer/program/imports.h"
#include "analyzer/summary/query.h"
#include "rules/calls.h"
#include "rules/launch/durations.h"
#include "rules/launch/timeout-not-passed-on.h"
#include "rules/launch/unused-groups.h"
#include "rules/wording.h"

namespace ranklint::timeout_not_passed_on {

constexpr RuleInfo kInfo{
    .id = "timeout-not-passed-on",
    .code = "RL708",
    .summary = "a process group is made without the time-out that is meant for it",
    .severity = Severity::Warning,
    .since = "0.1",
    .no_wait = "the group ends the job after the library's own time-out, not after the one that was given",
    .premise = "the time-out that is given is meant for this group as well"};

constexpr std::string_view kCalls[] = {"<takes-timeout>", "<makes-duration>"};

namespace {

// A call that makes groups, and how it takes their time-out.
struct Maker {
  const CallSite* call;
  const RoleEntry* role;
  // Whether it is given a part of a mesh, of which it makes another: `DeviceMesh(mesh.device_type, part)`.
  bool is_of_mesh = false;
  // Whether it makes that of which further groups are made: the default group, a mesh.
  bool makes_first() const { return !role->note.empty() && !is_of_mesh; }
  // Whether it is given a time-out that is not the library's default.
  bool has_timeout(const Roles& roles) const {
    const SeenValue* given = call->argument(role->argument);
    return given && given->kind != SeenValue::Kind::None &&
           !(given->kind == SeenValue::Kind::Name && roles.play(given->text, Role::DefaultTimeout));
  }
};

// The makers that take their time-out by one keyword, in the order of the text. Another keyword means a time-out of
// another kind: what a mesh gets says nothing to `new_group`.
using Makers = std::vector<Maker>;

const RoleEntry* role_of(const Query& in, const CallSite& call) {
  const RoleEntry* role = in.roles().find(call.callee, Role::TakesTimeout);
  return role ? role : in.roles().find(call.model_name(), Role::TakesTimeout);
}

bool is_given_mesh(const Query& in, const CallSite& call) {
  const auto watched = in.watched().calls.find({call.function, call.block, call.instruction});
  if (watched == in.watched().calls.end()) return false;
  const auto is_mesh = [&](ValueId part) {
    const Symbol type = in.values().external_type_of(part);
    return type.valid() && in.roles().play(in.index().names().text(type), Role::MeshClass);
  };
  return std::ranges::any_of(watched->second.call.positional,
                             [&](ValueId given) { return in.values().find_part(given, is_mesh).valid(); });
}

std::map<std::string, Makers> makers_by_keyword(const Query& in, const Shared& shared) {
  std::map<std::string, Makers> makers;
  for (const CallSite* call : calls_and_setup(shared.calls))
    if (const RoleEntry* role = role_of(in, *call))
      makers[role->argument.keyword].push_back({call, role, is_given_mesh(in, *call)});
  for (auto& [keyword, of_keyword] : makers)
    std::ranges::sort(of_keyword, {}, [&](const Maker& m) {
      return std::pair(shared.index->functions()[m.call->function].module, m.call->range);
    });
  return makers;
}

// Those that make the default group or a mesh, if all of them outside of tests get a time-out: then the groups of
// every file lie beside such a one.
Makers timed_in_project(const Query& in, const Shared& shared, const Makers& makers) {
  Makers timed;
  for (const Maker& made : makers) {
    if (!made.makes_first() || !is_reported(shared, made.call->function)) continue;
    if (!made.has_timeout(in.roles())) return {};
    timed.push_back(made);
  }
  return timed;
}

// The first of them in the files that the module imports, else the first of all. Null: there is none.
const Maker* timed_beside(const Shared& shared, const Makers& timed, ModuleKey module) {
  if (timed.empty()) return nullptr;
  const std::set<ModuleKey> reached = modules_reached(*shared.index, module);
  const auto imported = std::ranges::find_if(timed, [&](const Maker& made) {
    return reached.contains(shared.index->functions()[made.call->function].module);
  });
  return imported == timed.end() ? &timed.front() : &*imported;
}

// What one module makes.
struct Groups {
  bool makes_first = false;
  bool leaves_first_untimed = false;  // one of these has the library's own
  const Maker* timed = nullptr;       // the first such that gets a time-out
  std::vector<const Maker*> untimed;  // others
};

std::map<ModuleKey, Groups> groups_by_module(const Query& in, const Shared& shared, const Makers& makers) {
  std::map<ModuleKey, Groups> groups;
  const Roles& roles = in.roles();
  for (const Maker& made : makers) {
    Groups& of_module = groups[shared.index->functions()[made.call->function].module];
    of_module.makes_first = of_module.makes_first || made.makes_first();
    if (made.makes_first() && made.has_timeout(roles) && !of_module.timed) of_module.timed = &made;
    if (made.makes_first() && !made.has_timeout(roles) && !made.call->open_ended) of_module.leaves_first_untimed = true;
    if (!made.makes_first() && !made.has_timeout(roles) && !made.call->open_ended) of_module.untimed.push_back(&made);
  }
  return groups;
}

std::optional<double> seconds_given(const Query& in, const CallSite& call) {
  const auto watched = in.watched().calls.find({call.function, call.block, call.instruction});
  return watched == in.watched().calls.end() ? std::nullopt : seconds_given_to(in, watched->second);
}

// How many seconds the operations of a backend wait that is given no time-out; nothing: not known.
std::optional<double> seconds_by_default(const Query& in, const CallSite& group) {
  const RoleEntry* takes = in.roles().find(group.callee, Role::TakesBackend);
  const SeenValue* backend = takes ? group.argument(takes->argument) : nullptr;
  const RoleEntry* lasts = backend ? in.roles().find(backend->text, Role::LastsByDefault) : nullptr;
  return lasts ? seconds_noted(*lasts) : std::nullopt;
}

// No rank waits in a group on which nothing is done.
void leave_out_unused(const Query& in, const Shared& shared, std::vector<const Maker*>& untimed) {
  std::erase_if(untimed, [&](const Maker* made) { return is_used_nowhere(*shared.index, in.roles(), *made->call); });
}

// Leaves out those whose own time-out equals the other one's.
void leave_out_equal(const Query& in, const Maker& timed, std::vector<const Maker*>& untimed) {
  const std::optional<double> given = seconds_given(in, *timed.call);
  std::erase_if(untimed, [&](const Maker* made) { return given && seconds_by_default(in, *made->call) == given; });
}

Finding describe(const Shared& shared, const Groups& groups, const Maker& timed) {
  const CallSite& first = *groups.untimed.front()->call;
  Finding finding = finding_at(kInfo, shared, first.function, first.range, Confidence::Likely);
  finding.message = "this group does not take over the `" + timed.role->argument.keyword + "` of `" +
                    std::string(timed.call->op()) + "`: it has the library's own";
  finding.related.push_back(
      {location_at(shared, timed.call->function, timed.call->range),
       timed.call->is(ModelKind::Setup) ? "the default group is given one here" : "the mesh is given one here"});
  for (size_t i = 1; i < groups.untimed.size(); ++i) {
    const CallSite& other = *groups.untimed[i]->call;
    finding.related.push_back({location_at(shared, other.function, other.range), "nor does this group"});
  }
  finding.help = "give `" + timed.role->argument.keyword + "=` to each call that makes a group";
  finding.fingerprint_key = first.callee;
  return finding;
}

void add_unread(const Query& in, const Shared& shared, std::vector<Finding>& findings) {
  for (const UnreadTimeout& unread : unread_timeouts(in)) {
    if (!is_reported(shared, unread.function)) continue;
    Finding finding = finding_at(kInfo, shared, unread.function, unread.call, Confidence::Likely);
    finding.message =
        "`" + unread.callee + "` is not told the `" + unread.parameter + "` that this function takes: nothing reads it";
    finding.related.push_back(
        {{finding.primary.path, shared.index->function(unread.function).name_range}, "it is taken here"});
    finding.help = "hand `" + unread.parameter + "` on, or take the parameter away";
    finding.fingerprint_key = unread.callee + " " + unread.parameter;
    findings.push_back(std::move(finding));
  }
}

void add_declared(const Query& in, const Shared& shared, std::vector<Finding>& findings) {
  for (const DeclaredTimeout& timeout : declared_timeouts(in)) {
    if (!is_reported(shared, timeout.function)) continue;
    Finding finding = finding_at(kInfo, shared, timeout.function, timeout.call, Confidence::Likely);
    finding.message = "`" + timeout.callee + "` is given other settings of this kind, but not `" + timeout.name +
                      "`, which nothing reads";
    finding.related.push_back({location_at(shared, timeout.declared_by, timeout.declared), "it is declared here"});
    finding.help = "hand `" + timeout.name + "` on, or take it out of the settings";
    finding.fingerprint_key = timeout.callee + " " + timeout.name;
    findings.push_back(std::move(finding));
  }
}

// One finding for a file, at the first of its groups.
std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const auto& [keyword, makers] : makers_by_keyword(in, shared)) {
    const Makers of_project = timed_in_project(in, shared, makers);
    for (auto& [module, groups] : groups_by_module(in, shared, makers)) {
      if (groups.untimed.empty() || groups.leaves_first_untimed) continue;
      const Maker* const timed =
          groups.timed || groups.makes_first ? groups.timed : timed_beside(shared, of_project, module);
      if (timed) leave_out_equal(in, *timed, groups.untimed);
      if (timed) leave_out_unused(in, shared, groups.untimed);
      if (!timed || groups.untimed.empty()) continue;
      if (!is_reported(shared, groups.untimed.front()->call->function)) continue;
      findings.push_back(describe(shared, groups, *timed));
    }
  }
  add_unread(in, shared, findings);
  add_declared(in, shared, findings);
  return findings;
}

}  // namespace

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .find = find, .calls = kCalls};

}  // namespace ranklint::timeout_not_passed_on
