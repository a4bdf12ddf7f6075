// The ranks of one sequence-parallel, context-parallel or tensor-parallel group work on one sample. A sampler without
// arguments for that shards by the global rank, and every rank of the group holds a piece of another sample; a
// generator that is seeded by it draws other numbers for the same sample. The file itself must show that there is such
// a group.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>

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

// What becomes of the samples in the function that deals them out, and in those of its file that it gives them back to.
class Samples {
 public:
  Samples(const Query& in, const CallSite& dealer) : in_(in), index_(in.index()) {
    const ir::Function& f = index_.function(dealer.function);
    note_target(dealer.function, f.blocks[dealer.block].instructions[dealer.instruction]);
    while (!open_.empty()) {
      const FunctionKey next = open_.back();
      open_.pop_back();
      while (note_more(next)) {
      }
      if (gives_back(next)) note_callers(next);
    }
  }

  // `for batch in shared_by_group(loader)`: a generator of the project takes them and communicates before it hands them
  // on, so that what a rank works on is not what it was dealt.
  bool are_exchanged() const {
    return any_taker([&](FunctionKey caller, const ir::Instruction& call) {
      const FunctionKey callee = named_callee(index_, caller, call).function;
      const Summary* s = callee.valid() && index_.function(callee).is_generator ? in_.summary(callee) : nullptr;
      return s && s->communicates;
    });
  }

  // `Adapter(loader, sp_group=group)`: somebody else's code takes them together with the group, to exchange them most
  // likely.
  std::optional<CodePlace> taken_with_group() const {
    std::optional<CodePlace> found;
    any_taker([&](FunctionKey caller, const ir::Instruction& call) {
      const bool is_such = !named_callee(index_, caller, call).function.valid() && is_given_group(caller, call);
      if (is_such) found = CodePlace{caller, call.range};
      return is_such;
    });
    return found;
  }

 private:
  template <typename IsSuch>
  bool any_taker(const IsSuch& is_such) const {
    return std::ranges::any_of(holders_, [&](const auto& entry) {
      const FunctionKey caller = entry.first;
      return ir::any_instruction(index_.function(caller), [&](const ir::Instruction& i) {
        return i.kind == ir::InstructionKind::Call && holds_samples(caller, i) && is_such(caller, i);
      });
    });
  }

  bool is_given_group(FunctionKey caller, const ir::Instruction& call) const {
    const ir::Function& f = index_.function(caller);
    const ir::Module& text = index_.modules()[index_.functions()[caller].module];
    return std::ranges::any_of(ir::arguments(f, call), [&](const ir::Argument& a) {
      return (a.keyword.valid() && names_same_data(text.text(a.keyword))) ||
             (f.exprs[a.value].symbol.valid() && names_same_data(text.text(f.exprs[a.value].symbol)));
    });
  }

  // `sp_group`, by its words.
  bool names_same_data(std::string_view name) const {
    bool is_axis = false, is_group = false;
    while (!name.empty()) {
      const size_t length = std::min(name.find('_'), name.size());
      const std::string_view word = name.substr(0, length);
      is_axis = is_axis || in_.priors().suggest(word, NameMeaning::SameData);
      is_group = is_group || in_.priors().suggest(word, NameMeaning::Group);
      name.remove_prefix(std::min(length + 1, name.size()));
    }
    return is_axis && is_group;
  }

  // Of a tuple each part may be it.
  bool note_target(FunctionKey key, const ir::Instruction& i) {
    const ir::Function& f = index_.function(key);
    if (!i.target.valid()) return false;
    const std::array<ir::ExprId, 1> whole{i.target};
    const bool is_tuple = f.exprs[i.target].kind == ir::ExprKind::Tuple;
    bool more = false;
    for (const ir::ExprId target : is_tuple ? ir::children(f, i.target) : std::span<const ir::ExprId>(whole)) {
      if (f.exprs[target].kind != ir::ExprKind::Name) continue;
      auto [holders, is_new] = holders_.try_emplace(key);
      if (is_new) open_.push_back(key);
      more |= holders->second.insert(f.exprs[target].symbol).second;
    }
    return more;
  }

  bool note_more(FunctionKey f) {
    bool more = false;
    for (const ir::Block& block : index_.function(f).blocks)
      for (const ir::Instruction& i : block.instructions)
        if (holds_samples(f, i)) more |= note_target(f, i);
    return more;
  }

  bool gives_back(FunctionKey f) const {
    return std::ranges::any_of(index_.function(f).blocks, [&](const ir::Block& block) {
      return block.terminator.kind == ir::TerminatorKind::Return && mentions_samples(f, block.terminator.value);
    });
  }

  void note_callers(FunctionKey f) {
    const ModuleKey module = index_.functions()[f].module;
    const ir::Module& text = index_.modules()[module];
    for (uint32_t id = 0; id < text.functions.size(); ++id) {
      const FunctionKey caller = index_.key(module, ir::FunctionId{id});
      for (const ir::Block& block : index_.function(caller).blocks)
        for (const ir::Instruction& i : block.instructions)
          if (i.kind == ir::InstructionKind::Call && calls(caller, i, f)) note_target(caller, i);
    }
  }

  // By its name in the file, or in the function around it.
  bool calls(FunctionKey caller, const ir::Instruction& call, FunctionKey f) const {
    const ir::Expr& callee = index_.function(caller).exprs[call.value];
    return named_callee(index_, caller, call).function == f ||
           (index_.functions()[f].parent == caller && callee.kind == ir::ExprKind::Name &&
            callee.symbol == index_.function(f).name);
  }

  bool holds_samples(FunctionKey f, const ir::Instruction& i) const {
    return (i.kind == ir::InstructionKind::Assign && mentions_samples(f, i.value)) ||
           std::ranges::any_of(ir::arguments(index_.function(f), i),
                               [&](const ir::Argument& a) { return mentions_samples(f, a.value); });
  }

  // The variable, a part of it (`pair[0]`), or a tuple with it.
  bool mentions_samples(FunctionKey key, ir::ExprId e) const {
    if (!e.valid()) return false;
    const ir::Function& f = index_.function(key);
    const auto holders = holders_.find(key);
    switch (f.exprs[e].kind) {
      case ir::ExprKind::Name: return holders != holders_.end() && holders->second.contains(f.exprs[e].symbol);
      case ir::ExprKind::Subscript:
      case ir::ExprKind::Tuple:
        return std::ranges::any_of(ir::children(f, e), [&](ir::ExprId part) { return mentions_samples(key, part); });
      default: return false;
    }
  }

  const Query& in_;
  const ProjectIndex& index_;
  std::map<FunctionKey, std::set<Symbol>>
      holders_;                    // variables of the sampler, the loader that has it, what is made of that
  std::vector<FunctionKey> open_;  // functions of which not all holders are known
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
  Assurance certainty = Confidence::Likely;
  if (!seed.used.known()) certainty.doubt({Reason::DrawsNotSeen, {seed.function, seed.range}});
  Finding finding = describe(shared, seed.function, seed.range, certainty, seed.group, seed.by);
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
    if (!group) continue;
    const Samples samples(in, dealer);
    if (samples.are_exchanged()) continue;
    Assurance certainty = Confidence::Likely;
    if (const std::optional<CodePlace> taken = samples.taken_with_group())
      certainty.doubt({Reason::TakenWithGroup, *taken});
    if (keeps_order(dealer)) certainty.doubt({Reason::KeepsOrder, {dealer.function, dealer.range}});
    findings.push_back(describe_samples(shared, dealer.function, dealer.range, certainty, *group,
                                        std::string(last_part(dealer.callee))));
  }
  for (const OwnSamples& own : own_samples(in, groups))
    if (is_reported(shared, own.function))
      findings.push_back(describe_samples(shared, own.function, own.range, Confidence::Likely, own.group, own.by));
  for (const OwnSeed& seed : own_seeds(in, groups))
    if (is_reported(shared, seed.function)) findings.push_back(describe_seed(shared, seed));
  return findings;
}

extern const Rule kRule;
const Rule kRule{.info = &kInfo, .find = find, .calls = kCalls};

}  // namespace ranklint::sp_inputs_differ
