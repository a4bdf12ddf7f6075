// Folders that every rank has made before it comes to a place where one is made if it is missing:
//
//     os.makedirs(args.output, exist_ok=True)
//     train(args)                              # if not os.path.exists(args.output): os.makedirs(args.output)
//
// In the function itself, in one that it calls, or in all that call it.
#include <algorithm>

#include "analyzer/doubts/file_calls.h"
#include "rules/loading/every_rank.h"

namespace ranklint {

bool EveryRank::is_made_before(const Summary& s, ProgramPoint place, ValueId folder) {
  return folder.valid() && is_made_once(s, place) &&
         (makes_before(s, place, folder) || callers_make(s.function, folder, 0));
}

bool EveryRank::callers_make(FunctionKey f, ValueId folder, int depth) {
  const auto ways = ways_.to(f);
  const auto has_made = [&](const WayToCall& way) {
    const Summary* s = in_.summary(way.site.function);
    const ValueId here = in_.instantiate(folder, in_.bind(way.target, way.call->call, 0));
    return s && (makes_before(*s, {way.site.block, way.site.instruction}, here) ||
                 callers_make(way.site.function, here, depth + 1));
  };
  return !ways.empty() && depth < kMostCallsBetween && std::ranges::all_of(ways, has_made);
}

// Whether the function, or one that it calls, makes the folder on every way to the place, unless it is there already,
// and on every rank.
bool EveryRank::makes_before(const Summary& s, ProgramPoint place, ValueId folder) const {
  const auto is_passed = [&](const Site& site) {
    const bool is_before = s.graph().position(site.block) < s.graph().position(place.block) ||
                           (site.block == place.block && site.instruction < place.instruction);
    return is_before && !is_guarded(s, site.block) &&
           (s.graph().dominates(site.block, place.block) || is_made_once(s, {site.block, site.instruction}));
  };
  for (const auto& [site, path] : folders_made_in(s.function))
    if (path == folder && is_passed(site)) return true;
  for (const auto& [site, way] : calls_in(in_.watched().ways, s.function)) {
    const std::vector<Target> targets = in_.targets(way.call.callee);
    const Summary* callee = targets.size() == 1 ? in_.summary(targets[0].function) : nullptr;
    if (!callee || !is_passed(site)) continue;
    const Binding binding = in_.bind(targets[0], way.call, 0);
    for (const auto& [made_at, path] : folders_made_in(callee->function))
      if (in_.instantiate(path, binding) == folder && !is_guarded(*callee, made_at.block)) return true;
  }
  return false;
}

std::vector<std::pair<Site, ValueId>> EveryRank::folders_made_in(FunctionKey f) const {
  std::vector<std::pair<Site, ValueId>> found;
  for (const auto& [site, made] : calls_in(in_.watched().calls, f))
    if (in_.roles().play(in_.callee_name(made.call.callee), Role::MakesFolder))
      if (const ValueId path = path_told(in_, made.call); path.valid()) found.emplace_back(site, path);
  return found;
}

}  // namespace ranklint
