#include "app/report/short_names.h"

#include <algorithm>
#include <set>

#include "app/report/unicode.h"

namespace ranklint::report {

// The last `parts` components of a path.
static std::string tail(const std::string& path, int parts) {
  size_t at = path.size();
  for (; parts > 0 && at != path.npos; --parts) at = at == 0 ? path.npos : path.rfind('/', at - 1);
  return at == path.npos ? path : path.substr(at + 1);
}

std::map<std::string, std::string> short_names(const Witness& witness) {
  std::set<std::string> paths;
  for (const WitnessLane& lane : witness.lanes)
    for (const WitnessStep& step : lane.steps) paths.insert(step.location.path);

  std::map<std::string, std::string> names;
  for (const std::string& path : paths) {
    int parts = path.ends_with("/__init__.py") ? 2 : 1;
    const auto shared = [&](const std::string& other) {
      return other != path && tail(other, parts) == tail(path, parts);
    };
    while (tail(path, parts) != path && std::any_of(paths.begin(), paths.end(), shared)) ++parts;
    names[path] = printable(tail(path, parts));
  }
  return names;
}

}  // namespace ranklint::report
