#include "analyzer/resolve/name_priors.h"

#include <algorithm>
#include <utility>

namespace ranklint {
namespace {

char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool equal(std::string_view name, std::string_view text) {
  return std::ranges::equal(name, text, [](char a, char b) { return small(a) == b; });
}

std::string in_small_letters(std::string_view name) {
  std::string out(name);
  std::ranges::transform(out, out.begin(), small);
  return out;
}

}  // namespace

void NamePriors::add(NamePrior prior) {
  Patterns& known = patterns_[static_cast<size_t>(prior.meaning)];
  std::string_view text = prior.pattern;
  if (text.starts_with('<')) {
    text = text.substr(1, text.size() - 2);
    known.longest_part = std::max(known.longest_part, text.size());
    known.parts.insert_or_assign(std::string(text), std::move(prior));
    return;
  }
  Pattern pattern;
  if ((pattern.open_front = text.starts_with('*'))) text.remove_prefix(1);
  if ((pattern.open_end = text.ends_with('*'))) text.remove_suffix(1);
  if (!pattern.open_front && !pattern.open_end) {
    known.whole.insert_or_assign(std::string(text), std::move(prior));
    return;
  }
  pattern.text = text;
  known.open.push_back(std::move(pattern));
}

bool NamePriors::Pattern::matches(std::string_view name) const {
  if (name.size() < text.size()) return false;
  if (open_front && open_end)
    return !std::ranges::search(name, text, [](char a, char b) { return small(a) == b; }).empty();
  return equal(open_front ? name.substr(name.size() - text.size()) : name.substr(0, text.size()), text);
}

bool NamePriors::suggest(std::string_view name, NameMeaning meaning) const {
  const Patterns& known = of(meaning);
  if (std::ranges::any_of(known.open, [&](const Pattern& pattern) { return pattern.matches(name); })) return true;
  if (known.whole.empty() && known.parts.empty()) return false;
  const std::string written = in_small_letters(name);
  return known.whole.contains(written) || !find_parts(written, meaning).empty();
}

const NamePrior* NamePriors::find(std::string_view name, NameMeaning meaning) const {
  const Patterns& known = of(meaning);
  for (const NameMap<NamePrior>* names : {&known.whole, &known.parts})
    if (const auto found = names->find(name); found != names->end()) return &found->second;
  return nullptr;
}

std::vector<const NamePrior*> NamePriors::find_parts(std::string_view name, NameMeaning meaning) const {
  const Patterns& known = of(meaning);
  std::vector<const NamePrior*> found;
  for (size_t begin = 0; begin < name.size(); begin = std::min(name.find('_', begin), name.size() - 1) + 1)
    for (size_t end = begin; end < name.size() && end - begin < known.longest_part;) {
      end = std::min(name.find('_', end + 1), name.size());
      if (const auto part = known.parts.find(name.substr(begin, end - begin)); part != known.parts.end())
        found.push_back(&part->second);
    }
  std::ranges::stable_sort(found, std::ranges::greater(), [](const NamePrior* prior) { return prior->pattern.size(); });
  return found;
}

}  // namespace ranklint
