#include "analyzer/questions/listed_ranks.h"

#include "analyzer/variance/ranges.h"
#include "analyzer/variance/terms.h"

namespace ranklint {
namespace {

std::optional<ListedRanks> numbers_of(const ValueStore& values, ValueId tuple) {
  ListedRanks ranks;
  for (ValueId child : values.children(tuple)) {
    int64_t rank;
    if (!values.integer_of(child, rank)) return std::nullopt;
    ranks.insert(rank);
  }
  return ranks;
}

std::optional<ListedRanks> numbers_of(const NumberRange& range) {
  if (range.size() > kMostListedRanks) return std::nullopt;
  ListedRanks ranks;
  for (int64_t i = 0; i < range.size(); ++i) ranks.insert(range[i]);
  if (!ranks.empty() && (*ranks.begin() < 0 || *ranks.rbegin() >= kMostListedRanks)) return std::nullopt;
  return ranks;
}

}  // namespace

std::optional<ListedRanks> listed_ranks(const Query& query, ValueId list) {
  const ValueStore& values = query.values();
  if (values[list].kind == ValueKind::Tuple) return numbers_of(values, list);
  if (const std::optional<NumberRange> range = range_of(values, query.index(), list)) return numbers_of(*range);
  if (values.children(list).empty() || !values.is_result_of(list, ValueStore::Trait::KeepsElements))
    return std::nullopt;
  return listed_ranks(query, values.child(list, 0));
}

}  // namespace ranklint
