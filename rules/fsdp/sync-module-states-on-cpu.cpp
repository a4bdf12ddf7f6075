// FSDP's `sync_module_states=True` broadcasts over the device's back end, so it refuses a module on the host unless
// `device_id` moves it first. Both arguments often come through a helper (`shard_model(model, device_id, ...)`) that is
// itself handed over in a partial; so each constructor is looked at once for each call that leads to it, with the
// values that the call gives. Only where synchronising is sure, `device_id` is surely left out, and the module is seen
// to be made on the host and not moved, is it a hazard.
#include <algorithm>

#include "analyzer/questions/derivation.h"
#include "analyzer/questions/handed_over.h"
#include "analyzer/questions/module_device.h"
#include "rules/fsdp/wrapped_module.h"
#include "rules/wording.h"

namespace ranklint::sync_module_states_on_cpu {

constexpr RuleInfo kInfo{.id = "sync-module-states-on-cpu",
                         .code = "RL401",
                         .summary = "FSDP is told to synchronise a module that is on the CPU",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the constructor fails, on every rank",
                         .premise = "nothing else moves the module to a device"};

constexpr std::string_view kCalls[] = {"<sends-module-states>"};

namespace {

constexpr int kMostLevels = 3;

// A constructor that synchronises a module on the host, at the outermost call of those that lead to it.
struct HostSync {
  FunctionKey function;
  SourceRange range;
  std::string helper;  // the function called there; empty: the constructor itself
  FunctionKey made_in;
  SourceRange made_at;
};

class HostSyncs {
 public:
  explicit HostSyncs(const Query& in) : in_(in), values_(in.values()), callers_(in) {}

  std::vector<HostSync> run() {
    in_.for_each_watched(kInfo.id, [&](FunctionKey, const auto& calls) {
      for (const auto& [site, call] : calls)
        if (in_.roles().play(in_.callee_name(call.call.callee), Role::SendsModuleStates))
          look(call.call, {{site.function, {site.block, site.instruction}, false}}, 0);
    });
    look_through_partials(in_.watched().calls);
    return std::move(found_);
  }

 private:
  enum class Answer { No, Hazard, Depends };

  Answer judge(const Call& call) {
    if (call.open_ended) return is_passed_by_caller(call) ? Answer::Depends : Answer::No;
    const ValueId sync = in_.argument(call, {10, "sync_module_states"}), device = in_.argument(call, {9, "device_id"});
    if (!sync.valid() || in_.argument(call, {8, "param_init_fn"}).valid()) return Answer::No;
    const ValueStore::Truth on = values_.truth(sync);
    if (on == ValueStore::Truth::No) return Answer::No;
    const bool none = !device.valid() || values_[device].kind == ValueKind::None;
    if (!none && values_[device].closed) return Answer::No;
    if (on == ValueStore::Truth::Yes && none) return Answer::Hazard;
    return Answer::Depends;
  }

  // `FSDP(model, **kwargs)` with the function's own `**kwargs`.
  bool is_passed_by_caller(const Call& call) const {
    return !call.mixed && !call.star.valid() && call.double_star.valid() &&
           values_[call.double_star].kind == ValueKind::Parameter;
  }

  // `call` is the constructor in the terms of the way's first function.
  void look(const Call& call, const std::vector<Link>& way, int level) {
    const Answer answer = judge(call);
    if (answer == Answer::No) return;
    if (answer == Answer::Hazard) {
      const ModuleOrigin origin = module_origin(in_, way, wrapped_module(in_, way.back()));
      if (origin.where == Where::Host) return keep(way, origin);
      if (origin.where != Where::Unknown) return;
    }
    if (level < kMostLevels)
      for (const Callers::Caller& caller : callers_.of(way.front().function)) look_from(caller, call, way, level);
  }

  void look_from(const Callers::Caller& caller, const Call& call, const std::vector<Link>& way, int level) {
    std::vector<Link> longer{caller.link};
    longer.insert(longer.end(), way.begin(), way.end());
    look(in_.instantiate(call, in_.bind(caller.target, caller.step->call, 0)), longer, level + 1);
  }

  // Functions that wrap are handed over: partial(shard_model, device_id=...).
  void look_through_partials(const std::map<Site, WatchedCall>& watched) {
    std::map<FunctionKey, std::pair<Call, Link>> wrapping;
    for (const auto& [site, call] : watched)
      if (in_.roles().play(in_.callee_name(call.call.callee), Role::SendsModuleStates) &&
          judge(call.call) != Answer::No)
        wrapping.try_emplace(site.function, call.call, Link{site.function, {site.block, site.instruction}, false});
    if (wrapping.empty()) return;
    const auto wanted = [&](ValueId v) {
      Call call;
      call.callee = v;
      in_.unfold_partial(call);
      return values_[call.callee].kind == ValueKind::Function && wrapping.contains(FunctionKey{values_[call.callee].a});
    };
    callers_.each_handed_over(wanted, [&](const std::vector<Link>& way, const Call& outer, SourceRange) {
      for (const Target& target : in_.targets(outer.callee)) {
        const auto& [call, link] = wrapping.at(target.function);
        std::vector<Link> longer = way;
        longer.push_back(link);
        look(in_.instantiate(call, in_.bind(target, outer, 0)), longer, kMostLevels);
      }
    });
  }

  void keep(const std::vector<Link>& way, const ModuleOrigin& origin) {
    // Where the arguments are decided: by the outermost call.
    const Link& at = way.front();
    const ir::Block& block = in_.index().function(at.function).blocks[at.call.block];
    const SourceRange range = block.instructions[at.call.instruction].range;
    if (std::ranges::any_of(found_, [&](const HostSync& s) { return s.function == at.function && s.range == range; }))
      return;
    found_.push_back({.function = at.function,
                      .range = range,
                      .helper = way.size() > 1 ? std::string(in_.index().qualified_name(way[1].function)) : "",
                      .made_in = origin.made_in,
                      .made_at = origin.made_at});
  }

  const Query& in_;
  ValueStore& values_;
  Callers callers_;
  std::vector<HostSync> found_;
};

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const HostSync& sync : HostSyncs(in).run()) {
    if (!is_reported(shared, sync.function)) continue;
    Finding finding = finding_at(kInfo, shared, sync.function, sync.range, Confidence::Likely);
    finding.message = (sync.helper.empty() ? std::string("`FullyShardedDataParallel`") : "`" + sync.helper + "`") +
                      " synchronises the module's states, which lie on the host, and no `device_id` moves them: the "
                      "constructor raises, and ranks that differ wait in its broadcast";
    finding.related.push_back(
        {location_at(shared, sync.made_in, sync.made_at), "the module is made here, on the host"});
    finding.help =
        "pass device_id, or move the module first; sync_module_states=False is enough where every rank loads the same "
        "weights";
    finding.fingerprint_key = sync.helper + "sync";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find, kCalls};

}  // namespace ranklint::sync_module_states_on_cpu
