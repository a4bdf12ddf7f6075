#include <algorithm>

#include "rules/sequence-parallel/sp-inputs-differ.h"

namespace ranklint::sp_inputs_differ {

GroupsInSight::GroupsInSight(const Query& in, const Shared& shared) : in_(in), index_(in.index()) {
  for (const CallSite& call : shared.calls.all()) {
    // Called with nothing it makes groups of one rank.
    const RoleEntry* shares = in.roles().find(call.callee, Role::SharesData);
    if (shares && (!shares->argument.present() || call.argument(shares->argument) || call.open_ended))
      note({call.function, call.range, shares->note, in.roles().play(call.callee, Role::SharesActivations)});
    const bool tells = call.is(ModelKind::GroupSource) || call.is(ModelKind::RankSource);
    const Model* model = tells ? call.model : nullptr;
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
  for (auto& [_, of_file] : groups_)
    std::ranges::stable_sort(of_file, {}, [](const GroupInSight& g) { return g.range; });
}

const GroupInSight* GroupsInSight::first(FunctionKey f, bool same_activations) const {
  const auto of_file = groups_.find(index_.functions()[f].module);
  if (of_file == groups_.end()) return nullptr;
  const auto found = std::ranges::find_if(
      of_file->second, [&](const GroupInSight& g) { return g.same_activations || !same_activations; });
  return found == of_file->second.end() ? nullptr : &*found;
}

void GroupsInSight::note_axis(FunctionKey f, SourceRange range, std::string_view axis) {
  if (in_.priors().suggest(axis, NameMeaning::SameData))
    note({f, range, "`" + std::string(axis) + "`", in_.priors().suggest(axis, NameMeaning::SameActivations)});
}

bool is_rank_of_world(const ValueStore& values, ValueId v) {
  return values[v].kind == ValueKind::Coordinate && values.axes(AxesId{values[v].a}).is_world();
}

bool is_size_of_world(const ValueStore& values, ValueId v) {
  return values[v].kind == ValueKind::Size && values.axes(AxesId{values[v].a}).is_world();
}

}  // namespace ranklint::sp_inputs_differ
