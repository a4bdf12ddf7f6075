#include "analyzer/mesh/rank_set.h"

#include <algorithm>
#include <string_view>

namespace ranklint {
namespace {

constexpr size_t kMostItems = 5;  // of an enumeration

struct Run {
  uint32_t first = 0, last = 0;
};

// Three and more in a row are one item, two are two.
std::vector<Run> runs_of(const std::vector<uint32_t>& numbers) {
  std::vector<Run> runs;
  for (const uint32_t n : numbers) {
    if (!runs.empty() && runs.back().last + 1 == n)
      runs.back().last = n;
    else
      runs.push_back({n, n});
  }
  std::vector<Run> items;
  for (const Run& run : runs) {
    if (run.last == run.first + 1) {
      items.push_back({run.first, run.first});
      items.push_back({run.last, run.last});
    } else {
      items.push_back(run);
    }
  }
  return items;
}

std::string text_of(const Run& run) {
  return run.first == run.last ? std::to_string(run.first) : std::to_string(run.first) + "-" + std::to_string(run.last);
}

std::string listed_with(const std::vector<std::string>& items, std::string_view conjunction) {
  std::string text;
  for (size_t i = 0; i < items.size(); ++i)
    text += (i == 0 ? "" : i + 1 == items.size() ? " " + std::string(conjunction) + " " : ", ") + items[i];
  return text;
}

// How many there are at the end in a row: {0, 1, 2} is 3. Nothing: they are not the last ones.
std::optional<size_t> last_ones(const RankSet& set) {
  for (size_t i = 0; i < set.from_end.size(); ++i)
    if (set.from_end[i] != i) return std::nullopt;
  return set.from_end.size();
}

bool starts_at_zero(const std::vector<uint32_t>& numbers) {
  return !numbers.empty() && numbers.back() + 1 == numbers.size();
}

std::vector<std::string> texts_of(const std::vector<uint32_t>& numbers) {
  std::vector<std::string> texts;
  for (const Run& run : runs_of(numbers)) texts.push_back(text_of(run));
  return texts;
}

struct Enumeration {
  std::vector<std::string> numbers;  // "0", "4-7"
  size_t last = 0;                   // the number of ranks at the end
  bool is_one() const {
    return (numbers.size() == 1 && last == 0 && numbers[0].find('-') == std::string::npos) ||
           (numbers.empty() && last == 1);
  }
};

std::optional<Enumeration> enumerated(const RankSet& set) {
  const std::optional<size_t> last = last_ones(set);
  std::vector<std::string> numbers = texts_of(set.from_start);
  if (!last || numbers.size() + (*last > 0) > kMostItems || numbers.size() + *last == 0) return std::nullopt;
  return Enumeration{std::move(numbers), *last};
}

std::string last_text(size_t count, const std::string& noun) {
  return count == 1 ? "the last " + noun : "the last " + std::to_string(count) + " " + noun + "s";
}

// "rank 0", "ranks 0-3 and the last rank"; `short_form` without the noun where a verb's object follows "every rank
// but".
std::string listed(const Enumeration& e, bool short_form) {
  std::string text;
  if (!e.numbers.empty()) {
    const bool one = e.numbers.size() == 1 && e.numbers[0].find('-') == std::string::npos;
    text = (short_form ? "" : one ? "rank " : "ranks ") + listed_with(e.numbers, "and");
  }
  if (e.last == 0) return text;
  const std::string last =
      short_form ? (e.last == 1 ? "the last" : "the last " + std::to_string(e.last)) : last_text(e.last, "rank");
  return text.empty() ? last : text + " and " + last;
}

RankSet described_by(const RankSample& sample, bool complement) {
  RankSet set{.from_start = {}, .from_end = {}, .complement = complement, .parity = {}};
  const size_t size = sample.size();
  for (size_t n = 0; n < size; ++n) {
    if (sample[n] == complement) continue;
    if (n < size / 2)
      set.from_start.push_back(static_cast<uint32_t>(n));
    else
      set.from_end.push_back(static_cast<uint32_t>(size - 1 - n));
  }
  std::sort(set.from_end.begin(), set.from_end.end());
  return set;
}

bool agrees(const RankSet& set, const std::vector<RankSample>& samples) {
  return std::ranges::all_of(samples, [&](const RankSample& sample) {
    for (size_t n = 0; n < sample.size(); ++n)
      if (set.contains(static_cast<uint32_t>(n), static_cast<uint32_t>(sample.size())) != sample[n]) return false;
    return true;
  });
}

}  // namespace

bool RankSet::contains(uint32_t number, uint32_t size) const {
  if (parity) return number % 2 == *parity;
  const bool is_listed = std::ranges::binary_search(from_start, number) ||
                         (number < size && std::ranges::binary_search(from_end, size - 1 - number));
  return is_listed != complement;
}

std::optional<RankSet> fit(const std::vector<RankSample>& samples) {
  if (samples.empty() || samples.back().size() < 4) return std::nullopt;
  const RankSample& largest = samples.back();
  std::vector<RankSet> candidates;
  for (const uint32_t parity : {0U, 1U})
    candidates.push_back({.from_start = {}, .from_end = {}, .complement = false, .parity = parity});
  // What the middle says is what most of them say.
  candidates.push_back(described_by(largest, largest[largest.size() / 2 - 1]));
  for (RankSet& set : candidates)
    if (agrees(set, samples)) return std::move(set);
  return std::nullopt;
}

std::string in_runs(const std::vector<uint32_t>& ranks) {
  std::string text;
  for (const std::string& run : texts_of(ranks)) text += (text.empty() ? "" : ", ") + run;
  return text;
}

std::optional<RankName> name_of(const RankSet& set) {
  if (set.parity) return RankName{*set.parity == 0 ? "even ranks" : "odd ranks", true};
  const std::optional<Enumeration> e = enumerated(set);
  if (!e) return std::nullopt;
  if (!set.complement) return RankName{listed(*e, false), !e->is_one()};
  if (e->last == 0 && set.from_start.size() > 1 && starts_at_zero(set.from_start))
    return RankName{"ranks from " + std::to_string(set.from_start.size()) + " on", true};
  const std::string others = listed(*e, true);
  return RankName{"every rank but " + others, false, "ranks other than " + others};
}

std::optional<std::string> numbered(const RankSet& set, const RankNumbering& numbering) {
  const std::string &noun = numbering.noun, &suffix = numbering.suffix;
  const auto article = [&](std::string_view word) {
    return std::string(word == "even" || word == "odd" ? "an " : "a ") + std::string(word);
  };
  if (set.parity) return article(*set.parity == 0 ? "even" : "odd") + " " + noun + suffix;
  const std::optional<Enumeration> e = enumerated(set);
  if (!e) return std::nullopt;
  std::vector<std::string> items = e->numbers;
  if (e->last > 0) items.push_back(e->last == 1 ? "the last" : "one of the last " + std::to_string(e->last));
  if (set.complement) {
    if (e->last == 0 && set.from_start.size() > 1 && starts_at_zero(set.from_start))
      return "a " + noun + " from " + std::to_string(set.from_start.size()) + " on" + suffix;
    return "any " + noun + " but " + listed_with(items, "and") + suffix;
  }
  if (e->numbers.empty()) return (e->last == 1 ? "" : "one of ") + last_text(e->last, noun) + suffix;
  return noun + " " + listed_with(items, "or") + suffix;
}

}  // namespace ranklint
