// A launcher says how many processes there are, and the degrees have to fit into them: each divides their number, and
// so does the product of those that cut the world one after the other. Where the script that is launched is at hand,
// the defaults of its options and the shape of its device mesh have their say as well.
#include <algorithm>
#include <array>

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

constexpr std::string_view kCalls[] = {"processes", "degree", "add_argument", "init_device_mesh"};

// Degrees that each cut the whole world.
constexpr std::array<std::string_view, 27> kDegrees{"cfg_parallel_size",
                                                    "tp_size",
                                                    "pp_size",
                                                    "cp_size",
                                                    "sp_size",
                                                    "tensor_parallel_size",
                                                    "pipeline_parallel_size",
                                                    "context_parallel_size",
                                                    "sequence_parallel_size",
                                                    "tensor_model_parallel_size",
                                                    "pipeline_model_parallel_size",
                                                    "ulysses_size",
                                                    "ring_size",
                                                    "ulysses_degree",
                                                    "ring_degree",
                                                    "sequence_parallel_degree",
                                                    "tensor_parallel_degree",
                                                    "pipeline_parallel_degree",
                                                    "context_parallel_degree",
                                                    "pipefusion_parallel_degree",
                                                    "ulysses_parallel_size",
                                                    "ulysses_sequence_parallel_size",
                                                    "ring_parallel_size",
                                                    "ulysses_parallel_degree",
                                                    "parallelism_config_tp_size",
                                                    "parallelism_config_cp_size",
                                                    "parallelism_config_sp_size"};

// Families whose product divides the world, too.
constexpr std::array<std::array<std::string_view, 5>, 4> kTogether{{
    {"tensor_model_parallel_size", "pipeline_model_parallel_size", "context_parallel_size", "", ""},
    {"ulysses_degree", "ring_degree", "pipefusion_parallel_degree", "tensor_parallel_degree", "cfg_parallel_size"},
    {"ulysses_size", "ring_size", "", "", ""},
    {"parallelism_config_tp_size", "parallelism_config_cp_size", "parallelism_config_sp_size", "", ""},
}};

static bool is_degree(std::string_view name) {
  return std::find(kDegrees.begin(), kDegrees.end(), name) != kDegrees.end();
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
static void check_degree(const Shared& shared, const CallSite& call, std::vector<Finding>& findings) {
  const SeenValue* name = call.argument({.position = 0, .keyword = {}});
  const std::optional<int64_t> value = integer(call.argument({.position = 1, .keyword = {}})),
                               count = option(call, "count");
  if (!name || !value || !count || *value <= 0 || !is_degree(name->text) || *count % *value == 0) return;
  add(findings, shared, call, does_not_fit(name->text, *value, *count), name->text);
}

// Degrees that fit one by one and not together.
static void check_product(const Shared& shared, const CallSite& call, int64_t count, std::vector<Finding>& findings) {
  for (const auto& family : kTogether) {
    int64_t product = 1;
    std::string factors;
    bool each_fits = true;
    for (std::string_view name : family) {
      const std::optional<int64_t> value = name.empty() ? std::nullopt : option(call, name);
      if (!value || *value <= 1) continue;
      each_fits &= count % *value == 0;
      if (__builtin_mul_overflow(product, *value, &product)) return;
      factors += (factors.empty() ? "`" : " * `") + std::string(name) + "`";
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
static void check_script(const Shared& shared, const CallSite& launch, int64_t count, std::vector<Finding>& findings) {
  const SeenValue* script = launch.argument({.position = -1, .keyword = "script"});
  if (!script || script->text.empty()) return;
  for (const CallSite& call : shared.calls.all()) {
    if (!lies_in_script(shared, call, script->text)) continue;
    const Location at = location_at(shared, call.function, call.range);
    if (const std::string name = option_name(call);
        is_call_of(call, "?.add_argument") && is_degree(name) && !option(launch, name)) {
      const std::optional<int64_t> value = option(call, "default");
      if (!value || *value <= 0 || count % *value == 0) continue;
      add(findings, shared, launch, does_not_fit(name, *value, count) + " (its default)", name)
          .related.push_back({at, "the default"});
    }
    if (!is_call_of(call, "*.init_device_mesh") || !call.guards.empty()) continue;
    const SeenValue* shape = call.argument({.position = 1, .keyword = "mesh_shape"});
    const std::optional<int64_t> ranks = shape ? shape->product : std::nullopt;
    if (!ranks || *ranks == count) continue;
    add(findings, shared, launch,
        processes(count) + (count == 1 ? " is" : " are") + " started, and the device mesh of the script has " +
            std::to_string(*ranks) + " places",
        "mesh")
        .related.push_back({at, "the mesh"});
  }
}

static std::vector<Finding> find(const Query&, const Shared& shared) {
  std::vector<Finding> findings;
  for (const CallSite& call : shared.calls.all()) {
    if (!is_reported(shared, call.function)) continue;
    if (is_call_of(call, "ranklint.launch.degree")) check_degree(shared, call, findings);
    if (!is_call_of(call, "ranklint.launch.processes")) continue;
    const std::optional<int64_t> count = option(call, "count");
    if (!count) continue;
    check_product(shared, call, *count, findings);
    check_script(shared, call, *count, findings);
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .find = find, .calls = kCalls};

}  // namespace ranklint::launcher_degrees
