// The ranks of one sequence-parallel, context-parallel or tensor-parallel group work on one sample. What is not told
// deals samples out by the global rank, and every rank of the group holds a piece of another sample.
//
// That there is such a group is read in the same file: a function that is named after one, a mesh with such a
// dimension, the group of a framework along such an axis.
#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "analyzer/ir/any_instruction.h"
#include "analyzer/program/handed.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/summary/query.h"
#include "rules/calls.h"
#include "rules/wording.h"

namespace ranklint::sp_inputs_differ {

constexpr RuleInfo kInfo{.id = "sp-inputs-differ",
                         .code = "RL604",
                         .summary = "the ranks of one model-parallel group are given different samples",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the result is wrong"};

constexpr std::array<std::string_view, 11> kSetups{"set_seq_parallel_pg",
                                                   "initialize_sequence_parallel_state",
                                                   "initialize_sequence_parallel_group",
                                                   "set_sequence_parallel_group",
                                                   "get_sequence_parallel_rank",
                                                   "get_sequence_parallel_group",
                                                   "get_sequence_parallel_world_size",
                                                   "get_ulysses_sequence_parallel_group",
                                                   "get_sp_group",
                                                   "set_ulysses_sequence_parallel_group",
                                                   "get_sp_parallel_rank"};
constexpr auto kCalls =
    joined(kSetups, std::array<std::string_view, 3>{"<deals-out>", "<names-axes>", "<group-source>"});

namespace {

// By the rank in the world: told so, or not told at all where that is what it takes then.
bool deals_by_world(const CallSite& dealer, const RoleEntry& role) {
  const SeenValue* rank = dealer.argument(role.argument);
  if (dealer.open_ended) return false;
  if (!rank || rank->kind == SeenValue::Kind::None) return !role.note.empty();
  return rank->spelled == "rank(world)" && !rank->believed;
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

// A group whose ranks see the same data.
struct GroupInSight {
  FunctionKey function;
  SourceRange range;
  std::string name;
};

class GroupsInSight {
 public:
  GroupsInSight(const Query& in, const Shared& shared) : in_(in), index_(in.index()) {
    for (const CallSite& call : shared.calls.all()) {
      if (is_named_any(call, kSetups)) note(call.function, call.range, "sequence-parallel");
      const Model* model = call.kind == ModelKind::GroupSource ? in.models().find(call.model) : nullptr;
      if (model && model->axes.size() == 1) note_axis(call.function, call.range, model->axes.front());
    }
    for (const auto& [site, watched] : in.watched().calls) {
      const RoleEntry* role = in.roles().find(in.callee_path(watched.call.callee), Role::NamesAxes);
      const ValueId names = role ? in.argument(watched.call, role->argument) : ValueId{};
      if (!names.valid()) continue;
      for (const ValueId name : in.values().children(names))
        if (const Value& text = in.values()[name]; text.kind == ValueKind::Text)
          note_axis(site.function, watched.range, index_.names().text(Symbol{text.a}));
    }
  }

  // The first one in the function's file; null: none.
  const GroupInSight* beside(FunctionKey f) const {
    const auto found = first_.find(index_.functions()[f].module);
    return found == first_.end() ? nullptr : &found->second;
  }

 private:
  void note_axis(FunctionKey f, SourceRange range, std::string_view axis) {
    if (in_.priors().suggest(axis, NameMeaning::SameData)) note(f, range, "`" + std::string(axis) + "`");
  }

  void note(FunctionKey f, SourceRange range, const std::string& name) {
    const auto [place, is_new] = first_.try_emplace(index_.functions()[f].module, GroupInSight{f, range, name});
    if (!is_new && range < place->second.range) place->second = {f, range, name};
  }

  const Query& in_;
  const ProjectIndex& index_;
  std::map<ModuleKey, GroupInSight> first_;
};

}  // namespace

static std::vector<Finding> find(const Query& in, const Shared& shared) {
  std::vector<Finding> findings;
  const GroupsInSight groups(in, shared);
  for (const CallSite& dealer : shared.calls.all()) {
    const RoleEntry* role = in.roles().find(dealer.callee, Role::DealsOut);
    if (!role || !deals_by_world(dealer, *role) || !is_reported(shared, dealer.function)) continue;
    const GroupInSight* group = groups.beside(dealer.function);
    if (!group || Samples(in, dealer).are_exchanged()) continue;
    const std::string name(last_part(dealer.callee));
    Assurance certainty = Certainty::Likely;
    if (keeps_order(dealer)) certainty.doubt({Reason::KeepsOrder, {dealer.function, dealer.range}});
    Finding finding = finding_at(kInfo, shared, dealer.function, dealer.range, certainty);
    finding.message = "`" + name + "` deals samples out by the global rank, so the ranks of one " + group->name +
                      " group get different ones";
    finding.related.push_back(
        {{path_of(shared, group->function), group->range}, "the " + group->name + " group is used here"});
    finding.help = "pass num_replicas and rank of the data-parallel group, so that the ranks of one " + group->name +
                   " group read the same sample";
    finding.fingerprint_key = name;
    findings.push_back(std::move(finding));
  }
  return findings;
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .find = find, .calls = kCalls};

}  // namespace ranklint::sp_inputs_differ
