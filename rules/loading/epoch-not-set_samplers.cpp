// Which calls make a sampler that shuffles by its epoch: of a library's class, or of one that the project derives from
// it and that leaves the order to it.
#include <algorithm>

#include "analyzer/flow/side_of_branch.h"
#include "analyzer/questions/reached_calls.h"
#include "analyzer/questions/seen_value.h"
#include "analyzer/resolve/dotted.h"
#include "rules/loading/epoch-not-set.h"

namespace ranklint::epoch_not_set {
namespace {

class SamplerReader {
 public:
  explicit SamplerReader(const Query& in) : in_(in), index_(in.index()) {}

  std::vector<Sampler> run() {
    for_each_reached_call(
        in_, "samplers that shuffle", [&](const Summary& s, const Site& site, const WatchedCall& call) {
          const FunctionCode code(index_, s);
          const ir::Instruction& i = code.ir.blocks[site.block].instructions[site.instruction];
          if (i.kind != ir::InstructionKind::Call) return;
          const std::string path = in_.callee_path(call.call.callee);
          if (const RoleEntry* role = in_.roles().find(path, Role::ShufflesByEpoch))
            return add(code, site, call, in_.argument(call.call, role->argument), std::string(last_part(path)));
          const Entity made = index_.resolve(code.module, code.ir, i.value);
          const RoleEntry* role = made.kind == Entity::Kind::Class ? shuffling_base(made.klass) : nullptr;
          if (role && !gives_own_entries(in_, made.klass) && !turns_off(made.klass, role->argument))
            add(code, site, call, given_to(code, i, call, *role, made.klass),
                std::string(last_part(index_.import_name(made.klass))));
        });
    return std::move(found_);
  }

 private:
  void add(const FunctionCode& code, const Site& site, const WatchedCall& call, ValueId shuffle, std::string name) {
    Sampler sampler{code.key, {site.block, site.instruction}, call.range, std::move(name)};
    if (shuffle.valid()) {
      const SeenValue seen = see(in_, shuffle);
      if (seen.kind == SeenValue::Kind::Bool && seen.integer == 0) return;
      add_switch(code, shuffle, sampler);
    }
    for (ir::BlockId above = code.graph().dominator(site.block); above.valid(); above = code.graph().dominator(above)) {
      const ValueId condition = in_.summary(code.key)->blocks[above.index].condition;
      if (condition.valid() && side_of_branch(code.graph(), code.ir, above, site.block) == true)
        add_switch(code, condition, sampler);
    }
    found_.push_back(std::move(sampler));
  }

  void add_switch(const FunctionCode& code, ValueId asked, Sampler& sampler) const {
    const Value& value = in_.values()[asked];
    if (value.kind == ValueKind::Parameter && value.a == code.key.index) sampler.switches.push_back(value.b);
  }

  const RoleEntry* shuffling_base(ClassKey c) const {
    for (const ClassKey one : index_.linearization(c))
      for (const Symbol base : index_.classes()[one].external_bases)
        if (const RoleEntry* role = in_.roles().find(index_.names().text(base), Role::ShufflesByEpoch)) return role;
    return nullptr;
  }

  // Whether it tells its base not to shuffle: `super().__init__(dataset, shuffle=False)`.
  bool turns_off(ClassKey c, const ArgumentSpec& shuffle) const {
    const FunctionKey init = index_.find_method(c, index_.intern("__init__"));
    if (!init.valid()) return false;
    const ir::Function& f = index_.function(init);
    const ir::Module& text = index_.modules()[index_.functions()[init].module];
    return std::ranges::any_of(f.arguments, [&](const ir::Argument& a) {
      return a.kind == ir::ArgumentKind::Keyword && text.text(a.keyword) == shuffle.keyword &&
             f.exprs[a.value].kind == ir::ExprKind::False;
    });
  }

  // What the constructor of a class of the project is given for the argument; its default where that is nothing.
  ValueId given_to(const FunctionCode& code, const ir::Instruction& i, const WatchedCall& call, const RoleEntry& role,
                   ClassKey c) const {
    const FunctionKey init = index_.find_method(c, index_.intern("__init__"));
    if (!init.valid()) return in_.argument(call.call, role.argument);
    const ir::Function& f = index_.function(init);
    const ir::Module& text = index_.modules()[index_.functions()[init].module];
    for (size_t p = 0; p < f.parameters.size(); ++p) {
      if (text.text(f.parameters[p].name) != role.argument.keyword) continue;
      const ValueId given =
          in_.argument(call.call, {.position = static_cast<int>(p) - 1, .keyword = role.argument.keyword});
      if (given.valid() || gives_more(code.ir, i)) return given;
      const ir::ExprId otherwise = f.parameters[p].default_value;
      return otherwise.valid() && f.exprs[otherwise].kind == ir::ExprKind::False ? in_.values().boolean(false)
                                                                                 : ValueId{};
    }
    return {};
  }

  const Query& in_;
  const ProjectIndex& index_;
  std::vector<Sampler> found_;
};

}  // namespace

bool gives_own_entries(const Query& in, ClassKey c) {
  return std::ranges::any_of(in.roles().names_in(Role::GivesEntries), [&](const std::string& name) {
    return in.index().find_method(c, in.index().intern(last_part(name))).valid();
  });
}

std::vector<Sampler> shuffling_samplers(const Query& in) { return SamplerReader(in).run(); }

}  // namespace ranklint::epoch_not_set
