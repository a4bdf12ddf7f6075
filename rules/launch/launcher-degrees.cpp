// A launcher says how many processes there are, and the degrees have to fit into them: each divides their number, and
// so does the product of those that cut the world one after the other. Where the script that is launched is at hand,
// the defaults of its options and the shape of its device mesh have their say as well.
#include <algorithm>
#include <map>

#include "analyzer/questions/calls.h"
#include "rules/wording.h"

namespace ranklint::launcher_degrees {

constexpr RuleInfo kInfo{.id = "launcher-degrees",
                         .code = "RL707",
                         .summary = "the processes that a launcher starts can not be divided by the parallel degrees",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "set-up fails, or ranks stay idle",
                         .premise = "the numbers of the launcher are those of the job"};

constexpr std::string_view kCalls[] = {"<starts-job>", "<states-degree>", "<declares-option>", "<shapes-mesh>"};

static bool cuts_world(const Query& in, std::string_view option) { return in.roles().play(option, Role::CutsWorld); }

// Options of which all together cut the world, by whose they are.
static std::map<std::string, std::vector<std::string>> options_together(const Roles& roles) {
  std::map<std::string, std::vector<std::string>> families;
  for (const std::string& name : roles.names_in(Role::CutsWorld))
    if (const RoleEntry* entry = roles.find(name, Role::CutsWorld); entry && !entry->note.empty())
      families[entry->note].push_back(name);
  return families;
}

static std::optional<int64_t> integer(const SeenValue* v) {
  return v && v->kind == SeenValue::Kind::Integer ? std::optional(v->integer) : std::nullopt;
}

static std::optional<int64_t> option(const CallSite& call, std::string_view keyword) {
  return integer(call.argument({.position = -1, .keyword = std::string(keyword)}));
}

static std::string processes(int64_t count) { return std::to_string(count) + (count == 1 ? " process" : " processes"); }

static Finding& add(std::vector<Finding>& findings, const Shared& shared, const CallSite& at, std::string message,
                    std::string key) {
  Finding finding = finding_at(kInfo, shared, at.function, at.range, Confidence::Likely);
  finding.message = std::move(message);
  finding.help = "start a multiple of the degrees, or lower them";
  finding.fingerprint_key = std::move(key);
  findings.push_back(std::move(finding));
  return findings.back();
}

static std::string does_not_fit(const std::string& degree, int64_t value, int64_t count) {
  return "`" + degree + "` is " + std::to_string(value) + " and " + processes(count) + (count == 1 ? " is" : " are") +
         " started: " +
         (value > count ? "there are not enough ranks for one group"
                        : "the last " + std::to_string(count % value) + " would be in no group");
}

// A degree written in the launcher.
static void check_degree(const Query& in, const Shared& shared, const CallSite& call, const RoleEntry& states,
                         std::vector<Finding>& findings) {
  const SeenValue* name = call.argument({.position = 0, .keyword = {}});
  const std::optional<int64_t> value = integer(call.argument(states.argument)), count = option(call, "count");
  if (!name || !value || !count || *value <= 0 || *count % *value == 0 || !cuts_world(in, name->text)) return;
  add(findings, shared, call, does_not_fit(name->text, *value, *count), name->text);
}

// Degrees that fit one by one and not together.
static void check_product(const Query& in, const Shared& shared, const CallSite& call, int64_t count,
                          std::vector<Finding>& findings) {
  for (const auto& [owner, family] : options_together(in.roles())) {
    int64_t product = 1;
    std::string factors;
    bool each_fits = true;
    for (const std::string& name : family) {
      const std::optional<int64_t> value = option(call, name);
      if (!value || *value <= 1) continue;
      each_fits &= count % *value == 0;
      if (__builtin_mul_overflow(product, *value, &product)) return;
      factors += (factors.empty() ? "`" : " * `") + name + "`";
    }
    if (each_fits && count % product != 0)
      add(findings, shared, call,
          processes(count) + (count == 1 ? " is" : " are") + " started, and " + factors + " is " +
              std::to_string(product),
          factors);
  }
}

static bool lies_in_script(const Shared& shared, const CallSite& call, std::string_view script) {
  while (script.starts_with("./")) script.remove_prefix(2);
  while (script.starts_with("../")) script.remove_prefix(3);
  const std::string_view path = shared.index->path(call.function);
  return path == script || (path.ends_with(script) && path[path.size() - script.size() - 1] == '/');
}

// "sp_size" of "--sp-size"; empty: no option.
static std::string option_name(const CallSite& call) {
  const SeenValue* flag = call.argument({.position = 0, .keyword = {}});
  if (!flag || flag->kind != SeenValue::Kind::Text || !flag->text.starts_with("--")) return {};
  std::string name = flag->text.substr(2);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

// What the launched file says by itself.
static void check_script(const Query& in, const Shared& shared, const CallSite& launch, int64_t count,
                         std::vector<Finding>& findings) {
  const SeenValue* script = launch.argument({.position = -1, .keyword = "script"});
  if (!script || script->text.empty()) return;
  for (const CallSite& call : shared.calls.all()) {
    if (!lies_in_script(shared, call, script->text)) continue;
    const Location at = location_at(shared, call.function, call.range);
    const RoleEntry* declares = role_of(in.roles(), call, Role::DeclaresOption);
    if (const std::string name = option_name(call);
        !name.empty() && declares && cuts_world(in, name) && !option(launch, name)) {
      const std::optional<int64_t> value = integer(call.argument(declares->argument));
      if (!value || *value <= 0 || count % *value == 0) continue;
      add(findings, shared, launch, does_not_fit(name, *value, count) + " (its default)", name)
          .related.push_back({at, "the default"});
    }
    const RoleEntry* makes_mesh = role_of(in.roles(), call, Role::ShapesMesh);
    if (!makes_mesh || !call.guards.empty()) continue;
    const SeenValue* shape = call.argument(makes_mesh->argument);
    const std::optional<int64_t> ranks = shape ? shape->product : std::nullopt;
    if (!ranks || *ranks == count) continue;
    add(findings, shared, launch,
        processes(count) + (count == 1 ? " is" : " are") + " started, and the device mesh of the script has " +
            std::to_string(*ranks) + " places",
        "mesh")
        .related.push_back({at, "the mesh"});
  }
}

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const CallSite& call : shared.calls.all()) {
    if (!is_reported(shared, call.function)) continue;
    if (const RoleEntry* states = role_of(in.roles(), call, Role::StatesDegree))
      check_degree(in, shared, call, *states, findings);
    const RoleEntry* starts = role_of(in.roles(), call, Role::StartsJob);
    const std::optional<int64_t> count = starts ? integer(call.argument(starts->argument)) : std::nullopt;
    if (!count) continue;
    check_product(in, shared, call, *count, findings);
    check_script(in, shared, call, *count, findings);
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .find = find, .calls = kCalls};

}  // namespace ranklint::launcher_degrees
