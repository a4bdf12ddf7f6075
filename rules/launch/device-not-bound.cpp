// A device belongs to a process before anything communicates, and to the process's number on its node.
//
// The global rank is that number on one node only: on the second node rank 8 asks for a ninth GPU. Its remainder by the
// number of GPUs is right as long as nodes are alike and ranks lie on them in order; chosen when the group exists, it comes
// too late for what was made on the default device until then.
#include "analyzer/compare/calls.h"
#include "rules/wording.h"

namespace ranklint::device_not_bound {

constexpr RuleInfo kInfo{.id = "device-not-bound",
                         .code = "RL705",
                         .summary = "a device is bound by the global rank, or after the process group is made",
                         .severity = Severity::Warning,
                         .since = "0.1"};

constexpr std::string_view kCalls[] = {"set_device", "init_process_group", "init_distributed"};

static bool binds_device(const CallSite& call) {
  for (std::string_view pattern : {"torch.cuda.set_device", "torch.npu.set_device", "torch_npu.npu.set_device", "torch.xpu.set_device",
                                   "torch.musa.set_device", "torch.accelerator.set_device_index"})
    if (is_call_of(call, pattern)) return true;
  return call.certainty == Certainty::Certain && is_call_of(call, "*.set_device");  // a wrapper for several kinds of devices
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
static bool is_global(const SeenValue& device) { return device.axes == "world" && !device.believed && device.local.empty(); }

static void check(const Facts& facts, Reporter& report) {
  const std::vector<const CallSite*> calls = calls_of(facts);
  for (const CallSite* binding : calls) {
    const CallSite& bind = *binding;
    const SeenValue* device = binds_device(bind) ? bind.argument({.position = 0, .keyword = "device"}) : nullptr;
    if (!device || !is_global(*device) || !is_reported(facts, bind.function) || is_test_file(path_of(facts, bind.function))) continue;
    const CallSite* group = group_before(calls, bind);
    const bool whole = device->spelled == "rank(world)";
    if (!whole && !group) continue;
    Finding finding = finding_at(kInfo, facts, bind.function, bind.range, Certainty::Likely);
    finding.message = whole ? "the device is chosen by the global rank: on every node but the first there is no GPU of that number"
                            : "the device is chosen from the global rank, and only when the process group exists";
    if (group) {
      finding.related.push_back({{finding.primary.path, group->range}, "the process group is made here, on whatever device is current"});
      if (whole) finding.message += "; and it is bound after the process group is made";
    }
    finding.help = "bind the local rank (LOCAL_RANK) before init_process_group, or pass it as device_id";
    finding.fingerprint_key = bind.callee;
    report.push_back(std::move(finding));
  }
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .check = check, .calls = kCalls};

}  // namespace ranklint::device_not_bound
