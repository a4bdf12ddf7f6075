#include "analyzer/variance/derived.h"

#include <algorithm>
#include <array>

namespace ranklint {

// By Derived.
static constexpr std::array<std::string_view, 17> kNames{
    "",       "<more>",      "<missing>",  "<set>", "<color>", "<from root>", "<keywords>", "<keyword>", "<span>",
    "<size>", "<made with>", "<group of>", "<own>", "<named>", "<of each>",   "<text>",     "<digits>"};

std::string_view name_of(Derived derived) { return kNames[static_cast<size_t>(derived)]; }

Derived derived_named(std::string_view name) {
  if (!name.starts_with('<')) return Derived::None;
  const auto* const found = std::ranges::find(kNames, name);
  return found == kNames.end() ? Derived::None : static_cast<Derived>(found - kNames.begin());
}

}  // namespace ranklint
