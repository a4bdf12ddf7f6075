// A sampler that shuffles for several ranks draws its order from a seed and from the number of the epoch, so that all
// ranks draw alike. A program that goes over its samples again and again and never says which epoch it is gets one
// order: in each epoch the same batches, and on each rank the same share of the samples.
//
//     sampler = DistributedSampler(dataset)
//     loader = DataLoader(dataset, sampler=sampler)
//     for epoch in range(epochs):
//         for batch in loader:            # without sampler.set_epoch(epoch) before
//             step(batch)
//
// Reported only where the way from the sampler to such a loop is seen, and where no file of the program calls the
// method with more than a constant.
#include "rules/loading/epoch-not-set.h"

#include <algorithm>

#include "analyzer/resolve/dotted.h"
#include "rules/wording.h"

namespace ranklint::epoch_not_set {

constexpr RuleInfo kInfo{.id = "epoch-not-set",
                         .code = "RL509",
                         .summary = "a shuffling sampler is never told the epoch, so every epoch has the same order",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "every epoch has the same batches",
                         .premise = "nothing outside of the project tells the sampler its epoch"};

constexpr std::string_view kCalls[] = {"<shuffles-by-epoch>", "^samples-class"};

namespace {

// `sampler.set_epoch(0)`: it tells one epoch in each round.
bool tells_one_epoch(const ir::Function& f, const ir::Instruction& call) {
  const auto arguments = ir::arguments(f, call);
  return !arguments.empty() && std::ranges::all_of(arguments, [&](const ir::Argument& a) {
    return f.exprs[a.value].kind == ir::ExprKind::Integer;
  });
}

// Whether the function names what tells a sampler its epoch: a method that is called with more than a constant, or
// handed on, a text for `getattr`, a parameter.
bool names_setter(const ir::Function& f, Symbol setter) {
  std::set<ir::ExprId> constant, called;
  for (const ir::Block& block : f.blocks)
    for (const ir::Instruction& i : block.instructions)
      if (i.kind == ir::InstructionKind::Call) (tells_one_epoch(f, i) ? constant : called).insert(i.value);
  for (ir::ExprId e{0}; e.index < f.exprs.size(); ++e.index) {
    if (f.exprs[e].symbol != setter || constant.contains(e)) continue;
    // A name alone is what a definition gives its function.
    if (f.exprs[e].kind != ir::ExprKind::Name || called.contains(e)) return true;
  }
  return std::ranges::any_of(f.parameters, [&](const ir::Parameter& p) { return p.name == setter; });
}

// Whether a file of the function's program names the setter so. Each file's program is looked through once.
class Told {
 public:
  explicit Told(const Query& in) : in_(in) {}

  bool operator()(FunctionKey of) {
    const ModuleKey module = in_.index().functions()[of].module;
    const auto [known, is_new] = by_file_.try_emplace(module, false);
    if (is_new)
      known->second = std::ranges::any_of(in_.program().sharding().files_around(module),
                                          [&](ModuleKey file) { return is_setter_named_in(file); });
    return known->second;
  }

 private:
  bool is_setter_named_in(ModuleKey file) const {
    const ir::Module& module = in_.index().modules()[file];
    return std::ranges::any_of(in_.roles().names_in(Role::SetsEpoch), [&](const std::string& name) {
      const Symbol setter = module.symbols.find(last_part(name));
      return setter.valid() &&
             std::ranges::any_of(module.functions, [&](const ir::Function& f) { return names_setter(f, setter); });
    });
  }

  const Query& in_;
  std::map<ModuleKey, bool> by_file_;
};

struct SameOrder {
  Spot pass;
  EpochLoop loop;
};

// The loops that go through the samples in one order, each with a pass in it.
std::vector<SameOrder> same_orders(const Query& in, const Calls& calls, const Sampler& sampler, Told& is_told) {
  std::vector<SameOrder> found;
  const SamplerFlow flow(in, calls, sampler);
  if (flow.may_be_set_elsewhere()) return found;
  const EpochLoops loops(in, calls);
  for (const Pass& pass : flow.passes()) {
    if (!loops.trains(pass, flow)) continue;
    for (const EpochLoop& loop : loops.around(pass, flow, sampler))
      if (!is_told(loop.function)) found.push_back({pass.begin, loop});
  }
  return found;
}

SourceRange range_of(const ProjectIndex& index, const Spot& spot) {
  const ir::Block& block = index.function(spot.function).blocks[spot.at.block];
  return spot.at.instruction < block.instructions.size() ? block.instructions[spot.at.instruction].range
                                                         : block.terminator.range;
}

}  // namespace

static Finding finding_of(const Query& in, const Shared& shared, const Sampler& sampler, const SameOrder& found) {
  const SourceRange loop = in.index().function(found.loop.function).blocks[found.loop.header].terminator.range;
  Finding finding = finding_at(kInfo, shared, found.loop.function, loop, Confidence::Likely);
  finding.message = "every round of this loop goes through the samples in the same order: no `set_epoch` tells the `" +
                    sampler.name + "` which epoch it is";
  finding.help = "call `set_epoch(epoch)` of the sampler before each pass over the loader";
  finding.related.push_back({location_at(shared, sampler.function, sampler.range), "the sampler is made here"});
  finding.related.push_back(
      {location_at(shared, found.pass.function, range_of(in.index(), found.pass)), "the pass begins here"});
  finding.fingerprint_key = sampler.name;
  return finding;
}

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  const std::vector<Sampler> samplers = shuffling_samplers(in);
  if (samplers.empty()) return findings;
  const Calls calls(in);
  Told is_told(in);
  std::set<std::pair<FunctionKey, ir::BlockId>> reported;
  for (const Sampler& sampler : samplers) {
    if (!is_reported(shared, sampler.function)) continue;
    std::vector<SameOrder> all;
    in.contain(sampler.function, kInfo.id, [&] { all = same_orders(in, calls, sampler, is_told); });
    for (const SameOrder& found : all)
      if (is_reported(shared, found.loop.function) && reported.emplace(found.loop.function, found.loop.header).second)
        findings.push_back(finding_of(in, shared, sampler, found));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .find = find, .calls = kCalls};

}  // namespace ranklint::epoch_not_set
