// A device belongs to a process before anything communicates, and to the process's number on its node.
//
// The global rank is that number on one node only: on the second node rank 8 asks for a ninth GPU. Its remainder by the
// number of GPUs is right as long as nodes are alike and ranks lie on them in order: a group alone, or a rank that is
// asked for, uses no device yet. Whatever number is bound, a collective that runs before it meets the others on the
// default device: each of them on GPU 0. The other way round, a process group that is told the local rank has as many
// ranks 0 as there are nodes; one whose ranks meet at an address of their own machine has one.
#include <algorithm>
#include <set>

#include "analyzer/compare/tensor_facts.h"
#include "analyzer/questions/calls.h"
#include "rules/wording.h"

namespace ranklint::device_not_bound {

constexpr RuleInfo kInfo{
    .id = "device-not-bound",
    .code = "RL705",
    .summary = "a device is bound by the global rank or too late, or the local rank is given as the rank",
    .severity = Severity::Warning,
    .since = "0.1",
    .no_wait = "ranks share a device"};

constexpr std::string_view kCalls[] = {"set_device",
                                       "set_cuda_device_index",
                                       "init_process_group",
                                       "init_distributed",
                                       "barrier",
                                       "all_reduce",
                                       "all_gather",
                                       "broadcast",
                                       "__setitem__"};

static bool binds_device(const CallSite& call) {
  for (std::string_view pattern :
       {"torch.cuda.set_device", "torch.npu.set_device", "torch_npu.npu.set_device", "torch.xpu.set_device",
        "torch.musa.set_device", "torch.accelerator.set_device_index"})
    if (is_call_of(call, pattern)) return true;
  // Wrappers for several kinds of devices.
  return call.certainty.degree() == Certainty::Certain &&
         (is_call_of(call, "*.set_device") || is_call_of(call, "*.set_cuda_device_index"));
}

// Programs start under `if not is_initialized()` as often as without it.
static std::vector<const CallSite*> calls_of(const Facts& facts) {
  std::vector<const CallSite*> calls;
  for (const CallSite& call : facts.calls->all()) calls.push_back(&call);
  for (const CallSite& call : facts.calls->in_setup()) calls.push_back(&call);
  return calls;
}

static bool makes_group(const CallSite& call) {
  return is_call_of(call, "torch.distributed.init_process_group") || is_call_of(call, "deepspeed.init_distributed");
}

// The call in the same function that has made the process group before; null: none.
static const CallSite* group_before(const std::vector<const CallSite*>& calls, const CallSite& bind) {
  for (const CallSite* call : calls)
    if (makes_group(*call) && runs_before(*call, bind)) return call;
  return nullptr;
}

// What the global rank alone decides; a name that is only believed to hold it may as well hold the local one.
static bool is_global(const SeenValue& device) {
  return device.axes == "world" && !device.believed && device.local.empty();
}

// Whether the function is handed the local rank, so that a number it computes in its place need not be the same.
static bool is_told_local_rank(const Facts& facts, FunctionKey f) {
  const ir::Module& module = facts.index->modules()[facts.index->functions()[f].module];
  return std::ranges::any_of(facts.index->function(f).parameters,
                             [&](const ir::Parameter& p) { return module.text(p.name) == "local_rank"; });
}

// `rank % device_count()`, or a choice of which nothing is known for sure.
static bool may_be_local(const Facts& facts, FunctionKey f, const SeenValue& device) {
  return device.spelled.empty() || (device.spelled.find('%') != std::string::npos && !is_told_local_rank(facts, f));
}

static bool is_of_gpus(const CallSite& group) {
  const SeenValue* backend = group.argument({.position = 0, .keyword = "backend"});
  const bool elsewhere =
      backend && backend->kind == SeenValue::Kind::Text && backend->text.find("nccl") == std::string::npos;
  return !elsewhere && !group.argument({.keyword = "device_id"}) && !group.open_ended;
}

static bool meets_on_current_device(const CallSite& call) {
  return call.kind == ModelKind::Collective && call.callee.starts_with("torch.distributed.") &&
         !call.argument({.keyword = "device_ids"}) && !call.argument({.keyword = "group"});
}

// The group and the first collective on it that run in the same function before the device is bound.
static std::optional<std::pair<const CallSite*, const CallSite*>> met_before(const std::vector<const CallSite*>& calls,
                                                                             const CallSite& bind) {
  for (const CallSite* call : calls) {
    if (call->function != bind.function || !meets_on_current_device(*call) || call->range.line >= bind.range.line ||
        bind.in_loop())
      continue;
    const CallSite* group = group_before(calls, *call);
    if (group && is_of_gpus(*group)) return std::pair{group, call};
  }
  return std::nullopt;
}

// `told`: the collectives that are reported already. A device may be bound in several branches behind one.
static void check_early(const Facts& facts, const std::vector<const CallSite*>& calls, const CallSite& bind,
                        std::set<const CallSite*>& told, Reporter& report) {
  const SeenValue* device = bind.argument({.position = 0, .keyword = "device"});
  if (device && device->is_constant()) return;
  const auto early = met_before(calls, bind);
  if (!early || !told.insert(early->second).second) return;
  Finding finding = finding_at(kInfo, facts, bind.function, early->second->range, Certainty::Likely);
  finding.message = "`" + early->second->op +
                    "` runs before this process is bound to its device: all processes of a node meet on GPU 0";
  finding.related.push_back(
      {{finding.primary.path, early->first->range}, "the process group is made here, on whatever device is current"});
  finding.related.push_back({{finding.primary.path, bind.range}, "the device is bound here"});
  finding.help = "bind the local rank (LOCAL_RANK) before init_process_group, or pass it as device_id";
  finding.fingerprint_key = bind.callee + " early";
  report.push_back(std::move(finding));
}

static bool is_of_this_machine(const SeenValue* address) {
  return address &&
         (address->text.find("localhost") != std::string::npos || address->text.find("127.0.0.1") != std::string::npos);
}

// `os.environ["MASTER_ADDR"] = "localhost"` in the same file, or an init_method that says so.
static bool meets_on_one_machine(const Facts& facts, const std::vector<const CallSite*>& calls, const CallSite& group) {
  if (is_of_this_machine(group.argument({.position = 1, .keyword = "init_method"}))) return true;
  return std::ranges::any_of(calls, [&](const CallSite* call) {
    const SeenValue* key =
        call->callee == "os.environ.__setitem__" ? call->argument({.position = 0, .keyword = {}}) : nullptr;
    return key && key->text == "MASTER_ADDR" && is_of_this_machine(call->argument({.position = 1, .keyword = {}})) &&
           path_of(facts, call->function) == path_of(facts, group.function);
  });
}

// `node * gpus + gpu`: made of numbers that are the local rank's here and the node's there. `ranks[gpu]`: looked up by
// it.
static bool is_computed(const SeenValue& rank) {
  return rank.spelled.empty() || rank.spelled.find_first_of("*+[") != std::string::npos;
}

static void check_rank(const Facts& facts, const std::vector<const CallSite*>& calls, const CallSite& group,
                       Reporter& report) {
  const SeenValue* rank = is_call_of(group, "torch.distributed.init_process_group")
                              ? group.argument({.position = 4, .keyword = "rank"})
                              : nullptr;
  if (!rank || rank->axes != "local" || rank->believed || !rank->local.empty() || is_computed(*rank)) return;
  const SeenValue* size = group.argument({.position = 3, .keyword = "world_size"});
  // Meant for one node, or for one process.
  if (size && (size->is_constant() || size->spelled.find("device_count") != std::string::npos)) return;
  if (meets_on_one_machine(facts, calls, group)) return;
  Finding finding = finding_at(kInfo, facts, group.function, group.range, Certainty::Likely);
  finding.message =
      "the process group is initialised with the local rank: on two nodes two processes claim each rank, and all wait "
      "forever";
  finding.help = "give RANK and WORLD_SIZE, or neither: with init_method env:// they are read from the environment";
  finding.fingerprint_key = group.callee;
  report.push_back(std::move(finding));
}

static void check_number(const Facts& facts, const std::vector<const CallSite*>& calls, const CallSite& bind,
                         Reporter& report) {
  const SeenValue* device = bind.argument({.position = 0, .keyword = "device"});
  if (!device || !is_global(*device)) return;
  const CallSite* group = group_before(calls, bind);
  const bool whole = device->spelled == "rank(world)";
  if (!whole && (!group || may_be_local(facts, bind.function, *device))) return;
  Finding finding = finding_at(kInfo, facts, bind.function, bind.range, Certainty::Likely);
  finding.message =
      whole ? "the device is chosen by the global rank: on every node but the first there is no GPU of that number"
            : "the device is chosen from the global rank, and only when the process group exists";
  if (group) {
    finding.related.push_back(
        {{finding.primary.path, group->range}, "the process group is made here, on whatever device is current"});
    if (whole) finding.message += "; and it is bound after the process group is made";
  }
  finding.help = "bind the local rank (LOCAL_RANK) before init_process_group, or pass it as device_id";
  finding.fingerprint_key = bind.callee;
  report.push_back(std::move(finding));
}

static void check_unset(const Facts& facts, Reporter& report) {
  for (const Spot& spot : facts.tensors->early_devices) {
    if (!is_reported_outside_tests(facts, spot.function)) continue;
    Finding finding = finding_at(kInfo, facts, spot.function, spot.range, spot.certainty);
    finding.message = "`" + spot.name +
                      "` chooses the device by LOCAL_RANK, which this function sets further down: unless the launcher "
                      "gives it, all processes of a node take the default GPU";
    finding.related.push_back({{path_of(facts, spot.other_in), spot.other}, "LOCAL_RANK is set here"});
    finding.help = "set LOCAL_RANK before the device is chosen";
    finding.fingerprint_key = spot.name + " unset";
    report.push_back(std::move(finding));
  }
}

static void check(const Facts& facts, Reporter& report) {
  check_unset(facts, report);
  const std::vector<const CallSite*> calls = calls_of(facts);
  std::set<const CallSite*> told;
  for (const CallSite* call : calls) {
    if (!is_reported_outside_tests(facts, call->function)) continue;
    if (makes_group(*call)) check_rank(facts, calls, *call, report);
    if (!binds_device(*call)) continue;
    check_early(facts, calls, *call, told, report);
    check_number(facts, calls, *call, report);
  }
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .check = check, .calls = kCalls};

}  // namespace ranklint::device_not_bound
