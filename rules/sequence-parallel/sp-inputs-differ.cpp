// The ranks of one sequence-parallel, context-parallel or tensor-parallel group work on one sample. A sampler without
// arguments for that shards by the global rank, and every rank of the group holds a piece of another sample; a
// generator that is seeded by it draws other numbers for the same sample. The file itself must show that there is such
// a group.
#include <algorithm>
#include <array>
#include <set>

#include "analyzer/ir/any_instruction.h"
#include "analyzer/program/handed.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/summary/query.h"
#include "rules/sequence-parallel/sp-inputs-differ.h"
#include "rules/wording.h"

namespace ranklint::sp_inputs_differ {

constexpr RuleInfo kInfo{.id = "sp-inputs-differ",
                         .code = "RL604",
                         .summary = "the ranks of one model-parallel group are given different samples",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the result is wrong",
                         .premise = "the group has more than one rank"};

constexpr std::array<std::string_view, 8> kCalls{"<deals-out>",    "<names-axes>",      "<group-source>",
                                                 "<rank-source>",  "<shares-data>",     "<seeds-numbers>",
                                                 "^samples-class", "<cuts-into-chunks>"};

namespace {

// By the rank in the world: by its argument, or by default.
bool deals_by_world(const CallSite& dealer, const RoleEntry& role) {
  const SeenValue* rank = dealer.argument(role.argument);
  if (dealer.open_ended) return false;
  if (!rank || rank->kind == SeenValue::Kind::None) return !role.note.empty();
  return rank->is_own_rank && !rank->believed;
}

// A sampler that keeps the order deals out what is evaluated, often without sequence parallelism.
bool keeps_order(const CallSite& sampler) {
  const SeenValue* shuffle = sampler.argument({.position = 3, .keyword = "shuffle"});
  return shuffle && shuffle->kind == SeenValue::Kind::Bool && shuffle->integer == 0;
}

// What becomes of the samples in the function that deals them out.
class Samples {
 public:
  Samples(const Query& in, const CallSite& dealer)
      : in_(in), function_(dealer.function), f_(in.index().function(dealer.function)) {
    if (note_target(f_.blocks[dealer.block].instructions[dealer.instruction]))
      while (note_more()) {
      }
  }

  // `for batch in shared_by_group(loader)`: a generator of the project takes them and communicates before it hands them
  // on, so that what a rank works on is not what it was dealt.
  bool are_exchanged() const {
    return ir::any_instruction(f_, [&](const ir::Instruction& i) {
      const FunctionKey callee = i.kind == ir::InstructionKind::Call && holds_samples(i)
                                     ? named_callee(in_.index(), function_, i).function
                                     : FunctionKey{};
      const Summary* s = callee.valid() && in_.index().function(callee).is_generator ? in_.summary(callee) : nullptr;
      return s && s->communicates;
    });
  }

 private:
  bool note_target(const ir::Instruction& i) {
    return i.target.valid() && f_.exprs[i.target].kind == ir::ExprKind::Name &&
           holders_.insert(f_.exprs[i.target].symbol).second;
  }

  bool note_more() {
    bool more = false;
    for (const ir::Block& block : f_.blocks)
      for (const ir::Instruction& i : block.instructions)
        if (holds_samples(i)) more |= note_target(i);
    return more;
  }

  bool holds_samples(const ir::Instruction& i) const {
    const auto is_holder = [&](ir::ExprId e) {
      return e.valid() && f_.exprs[e].kind == ir::ExprKind::Name && holders_.contains(f_.exprs[e].symbol);
    };
    return (i.kind == ir::InstructionKind::Assign && is_holder(i.value)) ||
           std::ranges::any_of(ir::arguments(f_, i), [&](const ir::Argument& a) { return is_holder(a.value); });
  }

  const Query& in_;
  const FunctionKey function_;
  const ir::Function& f_;
  std::set<Symbol> holders_;  // variables of the sampler, the loader that has it, what is made of that
};

}  // namespace

static Finding describe(const Shared& shared, FunctionKey f, SourceRange range, const Assurance& certainty,
                        const GroupInSight& group, std::string_view name) {
  Finding finding = finding_at(kInfo, shared, f, range, certainty);
  finding.related.push_back(
      {location_at(shared, group.function, group.range), "the " + group.name + " group is used here"});
  finding.fingerprint_key = name;
  return finding;
}

static Finding describe_samples(const Shared& shared, FunctionKey f, SourceRange range, const Assurance& certainty,
                                const GroupInSight& group, const std::string& name) {
  Finding finding = describe(shared, f, range, certainty, group, name);
  finding.message = "`" + name + "` deals samples out by the global rank, so the ranks of one " + group.name +
                    " group get different ones";
  finding.help = "pass num_replicas and rank of the data-parallel group, so that the ranks of one " + group.name +
                 " group read the same sample";
  return finding;
}

static Finding describe_seed(const Shared& shared, const OwnSeed& seed) {
  Finding finding = describe(shared, seed.function, seed.range, Confidence::Likely, seed.group, seed.by);
  finding.message = "`" + seed.by + "` seeds by the global rank, so the ranks of one " + seed.group.name +
                    " group draw different numbers for one sample";
  if (seed.used.known())
    finding.related.push_back({location_at(shared, seed.function, seed.used), "drawn or cut into parts here"});
  finding.help = "seed with the data-parallel rank, so that the ranks of one " + seed.group.name + " group draw alike";
  return finding;
}

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  const GroupsInSight groups(in, shared);
  for (const CallSite& dealer : shared.calls.all()) {
    const RoleEntry* role = in.roles().find(dealer.callee, Role::DealsOut);
    if (!role || !deals_by_world(dealer, *role) || !is_reported(shared, dealer.function)) continue;
    const GroupInSight* group = groups.beside(dealer.function);
    if (!group || Samples(in, dealer).are_exchanged()) continue;
    Assurance certainty = Confidence::Likely;
    if (keeps_order(dealer)) certainty.doubt({Reason::KeepsOrder, {dealer.function, dealer.range}});
    findings.push_back(describe_samples(shared, dealer.function, dealer.range, certainty, *group,
                                        std::string(last_part(dealer.callee))));
  }
  for (const OwnSamples& own : own_samples(in, groups))
    if (is_reported(shared, own.function))
      findings.push_back(describe_samples(shared, own.function, own.range, Confidence::Likely, own.group, own.by));
  for (const OwnSeed& seed : own_seeds(in, groups))
    if (is_reported_outside_tests(shared, seed.function)) findings.push_back(describe_seed(shared, seed));
  return findings;
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .find = find, .calls = kCalls};

}  // namespace ranklint::sp_inputs_differ
