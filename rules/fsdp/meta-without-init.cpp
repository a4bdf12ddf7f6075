#include "analyzer/questions/callee.h"
#include "analyzer/questions/module_device.h"
#include "rules/fsdp/wrapped_module.h"
#include "rules/wording.h"

namespace ranklint::meta_without_init {

constexpr RuleInfo kInfo{.id = "meta-without-init",
                         .code = "RL405",
                         .summary = "FSDP wraps a module on the meta device and nothing gives it values",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "weights have no values",
                         .premise = "nothing out of sight gives the module its values"};

constexpr std::string_view kCalls[] = {"<sends-module-states>"};

namespace {

// FSDP around a module without storage.
struct MetaUse {
  FunctionKey function;
  SourceRange wrapped_at;
  FunctionKey made_in;
  SourceRange made_at;
};

class MetaUses {
 public:
  explicit MetaUses(const Query& in) : in_(in) {}

  std::vector<MetaUse> run() {
    in_.for_each_watched(kInfo.id, [&](FunctionKey, const auto& calls) {
      for (const auto& [site, call] : calls)
        if (const RoleEntry* sends = in_.roles().find(in_.callee_name(call.call.callee), Role::SendsModuleStates))
          look_for_meta(call.call, *sends, {site.function, {site.block, site.instruction}, false}, call.range);
    });
    return std::move(found_);
  }

 private:
  // Without param_init_fn FSDP gives a module on the meta device fresh values, by reset_parameters.
  void look_for_meta(const Call& call, const RoleEntry& sends, const Link& at, SourceRange range) {
    const ValueId sync = in_.argument(call, sends.argument);
    if (call.open_ended || in_.argument(call, {8, "param_init_fn"}).valid() || sync.valid() || fills_later(at.function))
      return;
    const ModuleOrigin origin = module_origin(in_, {at}, wrapped_module(in_, at));
    if (origin.where == Where::Meta) found_.push_back({at.function, range, origin.made_in, origin.made_at});
  }

  // Whether anything in the function may give the parameters their values.
  bool fills_later(FunctionKey f) {
    const FunctionCode code(in_.index(), *in_.summary(f));
    return names_one(in_, code, NameMeaning::GivesWeights);
  }

  const Query& in_;
  std::vector<MetaUse> found_;
};

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  for (const MetaUse& use : MetaUses(in).run()) {
    if (!is_reported(shared, use.function)) continue;
    Finding finding = finding_at(kInfo, shared, use.function, use.wrapped_at, Confidence::Likely);
    finding.message =
        "`FullyShardedDataParallel` wraps a module on the meta device without `param_init_fn`: it gets fresh values by "
        "`reset_parameters`, and fails where a layer has none";
    finding.related.push_back({location_at(shared, use.made_in, use.made_at), "made without storage here"});
    finding.help =
        "pass param_init_fn (to_empty on the other ranks) with sync_module_states=True, or load the weights afterwards";
    finding.fingerprint_key = "FullyShardedDataParallelmeta";
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{&kInfo, find, kCalls};

}  // namespace ranklint::meta_without_init
