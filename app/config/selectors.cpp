#include "app/config/selectors.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace ranklint::app {

namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

bool equal_folded(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

// The letters of a code and at least its first: "RL", "RL1", "RL10".
bool is_code_prefix(std::string_view selector, std::string_view code) {
  return selector.size() >= 2 && selector.size() < code.size() &&
         equal_folded(selector, code.substr(0, selector.size()));
}

unsigned closest(std::span<const std::string> selectors, const RuleInfo& rule) {
  unsigned fit = 0;
  for (const std::string& selector : selectors) fit = std::max(fit, selector_fit(selector, rule));
  return fit;
}

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

unsigned selector_fit(std::string_view selector, const RuleInfo& rule) {
  constexpr unsigned kExact = 1000;
  if (equal_folded(selector, rule.id) || equal_folded(selector, rule.code)) return kExact;
  if (equal_folded(selector, "ALL")) return 1;
  return is_code_prefix(selector, rule.code) ? static_cast<unsigned>(selector.size()) : 0;
}

bool names_a_rule(std::string_view selector, std::span<const Rule> rules) {
  return equal_folded(selector, "ALL") ||
         std::any_of(rules.begin(), rules.end(), [&](const Rule& r) { return selector_fit(selector, *r.info) > 0; });
}

bool is_selected(const RuleInfo& rule, std::span<const std::string> select, std::span<const std::string> ignore) {
  const unsigned on = select.empty() ? (rule.default_on ? 1 : 0) : closest(select, rule);
  return on > closest(ignore, rule);
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
  constexpr size_t kLongestWord = 64;
  if (word.empty() || word.size() > kLongestWord) return std::nullopt;
  std::optional<std::string> best;
  size_t best_distance = std::max<size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const size_t distance = edit_distance(word, candidate);
    if (distance >= best_distance) continue;
    best_distance = distance;
    best = candidate;
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const std::optional<std::string> candidate = nearest(word, candidates);
  return candidate ? "; did you mean `" + *candidate + "`?" : "";
}

std::vector<std::string> rule_names(std::span<const Rule> rules) {
  std::vector<std::string> names;
  for (const Rule& rule : rules) {
    names.emplace_back(rule.info->id);
    names.emplace_back(rule.info->code);
  }
  return names;
}

}  // namespace ranklint::app
