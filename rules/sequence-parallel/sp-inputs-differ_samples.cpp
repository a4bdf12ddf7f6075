// Data sets and samplers of the project that shard by the rank in the world:
//
//     data = Shards(files, rank=dist.get_rank(), world_size=dist.get_world_size())
//
//     class Shards(IterableDataset):
//         def __iter__(self):
//             for file in self.files[dist.get_rank() :: dist.get_world_size()]: ...
//
// The group may be in sight where the class is, or where an object of it is made. A rank that is divided
// (`dist.get_rank() // sp_size`) is the number of the group, in any function: also in a class that is made with the
// rank in the world.
#include <algorithm>

#include "analyzer/resolve/dotted.h"
#include "analyzer/variance/leads_to.h"
#include "rules/sequence-parallel/sp-inputs-differ.h"

namespace ranklint::sp_inputs_differ {
namespace {

class OwnSamplesReader {
 public:
  OwnSamplesReader(const Query& in, const GroupsInSight& groups)
      : in_(in), values_(in.values()), index_(in.index()), groups_(groups) {}

  std::vector<OwnSamples> run() {
    for (const auto& [site, watched] : in_.watched().calls) {
      if (const ClassKey c = class_made(watched.call.callee); c.valid()) look_at(site, watched, c);
      const std::string callee = in_.callee_path(watched.call.callee);
      const RoleEntry* deals = in_.roles().find(callee, Role::DealsOut);
      const ValueId share = deals ? in_.argument(watched.call, deals->argument) : ValueId{};
      const GroupInSight* group = groups_.beside(site.function);
      if (group && share.valid() && is_share_of_world(share))
        found_.push_back({site.function, watched.range, std::string(last_part(callee)), *group});
    }
    in_.for_each_function_to_check("samples by the rank in the world", [&](FunctionKey f) {
      const ClassKey owner = index_.functions()[f].owner;
      const Summary* s = owner.valid() && gives_samples(owner) ? in_.summary(f) : nullptr;
      if (s) look_at(*s, owner);
    });
    return std::move(found_);
  }

 private:
  bool gives_samples(ClassKey c) const {
    return std::ranges::any_of(index_.linearization(c), [&](ClassKey k) {
      return std::ranges::any_of(index_.classes()[k].external_bases, [&](Symbol base) {
        return in_.roles().play(index_.names().text(base), Role::SamplesClass);
      });
    });
  }

  ClassKey class_made(ValueId callee) const {
    const ClassKey c = values_[callee].kind == ValueKind::Class ? ClassKey{values_[callee].a} : ClassKey{};
    return c.valid() && gives_samples(c) ? c : ClassKey{};
  }

  // Made with the rank in the world and the number of ranks there.
  void look_at(const Site& site, const WatchedCall& watched, ClassKey c) {
    const GroupInSight* group = groups_.beside(site.function);
    if (group) made_beside_.try_emplace(c, *group);
    std::vector<ValueId> given(watched.call.positional.begin(), watched.call.positional.end());
    for (const auto& [_, value] : watched.call.keywords) given.push_back(value);
    const auto rank = [&](ValueId v) { return is_rank_of_world(values_, v); };
    const auto size = [&](ValueId v) { return is_size_of_world(values_, v); };
    if (group && std::ranges::any_of(given, rank) && std::ranges::any_of(given, size) && !divides_rank(watched.call))
      keep(site.function, watched.range, c, *group);
  }

  // Whether an object that is made so divides the rank that it is given, in whichever of its methods.
  bool divides_rank(const Call& made) const {
    for (const Target& constructor : in_.targets(made.callee)) {
      const ClassKey c = index_.functions()[constructor.function].owner;
      if (!c.valid()) continue;
      const Binding given = in_.bind(constructor, made, 0);
      for (const ClassKey k : index_.linearization(c))
        for (const auto& [_, method] : index_.classes()[k].methods) {
          const Target target{.function = method, .receiver = given.parameters.front(), .captures = {}, .guard = {}};
          const Binding binding = method == constructor.function ? given : in_.bind(target, Call{}, 0);
          if (const Summary* s = in_.summary(method); s && divides_rank(*s, binding)) return true;
        }
    }
    return false;
  }

  bool divides_rank(const Summary& s, const Binding& binding) const {
    const auto divides = [&](ValueId v) {
      return v.valid() &&
             values_.find_part(in_.instantiate(v, binding), [&](ValueId part) { return is_divided_rank(part); })
                 .valid();
    };
    const NamedValues none;
    return divides(s.result) ||
           std::ranges::any_of((s.named ? *s.named : none).of_attributes,
                               [&](const auto& attribute) { return divides(attribute.second); }) ||
           std::ranges::any_of(s.blocks, [&](const BlockSteps& block) { return divides(block.condition); });
  }

  bool is_divided_rank(ValueId v) const {
    return values_[v].kind == ValueKind::Binary && values_[v].op == ir::Operator::FloorDivide &&
           is_of_rank(values_.child(v, 0));
  }

  bool is_of_rank(ValueId v) const {
    return values_.find_part(v, [&](ValueId part) { return is_rank_of_world(values_, part); }).valid();
  }

  void look_at(const Summary& s, ClassKey owner) {
    const GroupInSight* group = groups_.beside(s.function);
    if (const auto made = made_beside_.find(owner); !group && made != made_beside_.end()) group = &made->second;
    if (!group) return;
    const ir::Function& f = index_.function(s.function);
    const NamedValues none;
    for (const auto& [place, value] : (s.named ? *s.named : none).of_attributes) {
      const auto& [block, instruction, name] = place;
      if (value.valid() && is_share_of_world(value))
        return keep(s.function, f.blocks[ir::BlockId{block}].instructions[instruction].range, owner, *group);
    }
    for (const ir::BlockId b : s.graph().order())
      if (const ValueId condition = s.blocks[b.index].condition; condition.valid() && is_share_of_world(condition))
        return keep(s.function, f.blocks[b].terminator.range, owner, *group);
  }

  bool is_share_of_world(ValueId v) const {
    const ValueId share = values_.find_part(v, [&](ValueId part) { return values_.is_uneven_share(part); });
    if (!share.valid() || !values_.variance(share).is_world()) return false;
    const bool by_rank = leads_to(share, [&](ValueId part, std::vector<ValueId>& next) {
      if (!is_divided_rank(part)) add_parts(next, values_.children(part));
      return is_rank_of_world(values_, part);
    });
    return by_rank && values_.find_part(share, [&](ValueId part) { return is_size_of_world(values_, part); }).valid();
  }

  void keep(FunctionKey f, SourceRange range, ClassKey c, const GroupInSight& group) {
    found_.push_back({f, range, std::string(last_part(index_.import_name(c))), group});
  }

  const Query& in_;
  const ValueStore& values_;
  const ProjectIndex& index_;
  const GroupsInSight& groups_;
  std::map<ClassKey, GroupInSight> made_beside_;
  std::vector<OwnSamples> found_;
};

}  // namespace

std::vector<OwnSamples> own_samples(const Query& in, const GroupsInSight& groups) {
  return OwnSamplesReader(in, groups).run();
}

}  // namespace ranklint::sp_inputs_differ
