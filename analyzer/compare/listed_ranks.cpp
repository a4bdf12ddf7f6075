#include "analyzer/compare/listed_ranks.h"

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

std::optional<ListedRanks> range_of(const ValueStore& values, ValueId call) {
  std::vector<int64_t> numbers;
  for (ValueId child : values.children(call)) {
    int64_t number;
    if (!values.integer_of(child, number)) return std::nullopt;
    numbers.push_back(number);
  }
  const int64_t from = numbers.size() > 1 ? numbers[0] : 0, to = numbers.size() > 1 ? numbers[1] : numbers[0];
  const int64_t step = numbers.size() > 2 ? numbers[2] : 1;
  if (step <= 0 || from < 0 || to > kMostListedRanks) return std::nullopt;
  ListedRanks ranks;
  for (int64_t rank = from; rank < to; rank += step) ranks.insert(rank);
  return ranks;
}

}  // namespace

std::optional<ListedRanks> listed_ranks(Interpreter& interpreter, ValueId list) {
  const ValueStore& values = interpreter.values();
  if (values[list].kind == ValueKind::Tuple) return numbers_of(values, list);
  if (values[list].kind != ValueKind::Pure || values.children(list).empty()) return std::nullopt;
  const std::string_view name = interpreter.index().names().text(Symbol{values[list].a});
  if (name == "list" || name == "tuple" || name == "sorted") return listed_ranks(interpreter, values.child(list, 0));
  return name == "range" ? range_of(values, list) : std::nullopt;
}

}  // namespace ranklint
