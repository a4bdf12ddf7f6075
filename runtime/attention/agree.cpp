#include "runtime/attention/agree.h"

namespace ranklint::runtime {

namespace {

Tensor gathered(ProcessGroup& group, const Tensor& mine) {
  if (group.size() <= 1) return mine;
  const Tensor all = Tensor::empty({group.size() * mine.numel()}, DType::I64);
  group.all_gather_into_tensor(all, mine, {.name = "agree_on"});
  return all;
}

}  // namespace

Status agree_on(ProcessGroup& inner, ProcessGroup& outer, std::span<const NamedNumber> numbers) {
  const Tensor mine = Tensor::empty({static_cast<int64_t>(numbers.size())}, DType::I64);
  for (size_t i = 0; i < numbers.size(); ++i) mine.as<int64_t>()[i] = numbers[i].value;
  const Tensor all = gathered(outer, gathered(inner, mine));
  const std::span<const int64_t> values = all.as<int64_t>();
  const size_t ranks = values.size() / numbers.size();
  for (size_t i = 0; i < numbers.size(); ++i)
    for (size_t rank = 1; rank < ranks; ++rank)
      if (const int64_t first = values[i], other = values[rank * numbers.size() + i]; first != other)
        return Error{.kind = ErrorKind::Mismatch,
                     .message = std::string(numbers[i].name) + " is " + std::to_string(first) + " on rank 0 of " +
                                std::to_string(ranks) + " and " + std::to_string(other) + " on rank " +
                                std::to_string(rank)};
  return ok();
}

}  // namespace ranklint::runtime
