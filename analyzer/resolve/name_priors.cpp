#include "analyzer/resolve/name_priors.h"

#include <algorithm>

namespace ranklint {
namespace {

char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool equal(std::string_view name, std::string_view text) {
  return std::ranges::equal(name, text, [](char a, char b) { return small(a) == b; });
}

}  // namespace

void NamePriors::add(const NamePrior& prior) {
  std::string_view text = prior.pattern;
  Pattern pattern;
  if ((pattern.open_front = text.starts_with('*'))) text.remove_prefix(1);
  if ((pattern.open_end = text.ends_with('*'))) text.remove_suffix(1);
  pattern.text = text;
  patterns_[static_cast<size_t>(prior.meaning)].push_back(std::move(pattern));
}

bool NamePriors::Pattern::matches(std::string_view name) const {
  if (name.size() < text.size()) return false;
  if (open_front && open_end)
    return !std::ranges::search(name, text, [](char a, char b) { return small(a) == b; }).empty();
  if (open_front) return equal(name.substr(name.size() - text.size()), text);
  return (open_end || name.size() == text.size()) && equal(name.substr(0, text.size()), text);
}

bool NamePriors::suggest(std::string_view name, NameMeaning meaning) const {
  return std::ranges::any_of(patterns_[static_cast<size_t>(meaning)],
                             [&](const Pattern& pattern) { return pattern.matches(name); });
}

}  // namespace ranklint
