// Groups of processes, which are values of one rank: how they are made of others, asked and freed.
#include <algorithm>
#include <array>

#include "analyzer/mpi_check/call.h"

namespace ranklint::mpi_check {

namespace {

const std::vector<uint32_t>* known_group(Call& call, size_t at) {
  const Handle* h = handle_at(call, call.at(at));
  return h && h->handle_class == HandleClass::Group && !h->is_null ? &call.world.groups[h->id] : nullptr;
}

CallResult no_group(Call& call) { return not_known(call, "the group of `" + call.name + "` is not known"); }

bool are_distinct(std::vector<int64_t> list) {
  std::sort(list.begin(), list.end());
  return std::adjacent_find(list.begin(), list.end()) == list.end();
}

// A negative one, or the largest that is too large: what size the list is for.
std::optional<int64_t> rank_outside(const std::vector<int64_t>& ranks, const std::vector<uint32_t>& group) {
  if (ranks.empty()) return std::nullopt;
  const auto [least, most] = std::minmax_element(ranks.begin(), ranks.end());
  if (*least < 0) return *least;
  return *most >= static_cast<int64_t>(group.size()) ? std::optional(*most) : std::nullopt;
}

CallResult no_rank(Call& call, int64_t rank, const std::vector<uint32_t>& group) {
  Problem& p = invalid<Fact::RankOutsideGroup>(call, rank, group.size());
  if (rank >= 0 && group.size() == call.world.size())
    p.needed_size = static_cast<uint32_t>(std::min<int64_t>(rank + 1, 1 << 20));
  return stop(call);
}

CallResult group_choose(Call& call) {
  const auto* group = known_group(call, 0);
  const auto n = number(call.at(1));
  if (n && *n < 0) return refuse<Fact::NegativeRanks>(call, *n);
  const auto ranks = n ? numbers_at(call, call.at(2), static_cast<size_t>(*n)) : std::nullopt;
  if (!group || !ranks) return no_group(call);
  std::vector<uint32_t> members;
  if (!are_distinct(*ranks)) return refuse<Fact::RankTwice>(call);
  if (const auto r = rank_outside(*ranks, *group)) return no_rank(call, *r, *group);
  if (call.name == "MPI_Group_incl")
    for (const int64_t r : *ranks) members.push_back((*group)[static_cast<size_t>(r)]);
  else
    for (size_t i = 0; i < group->size(); ++i)
      if (std::find(ranks->begin(), ranks->end(), static_cast<int64_t>(i)) == ranks->end())
        members.push_back((*group)[i]);
  return give_group(call, call.at(3), members);
}

CallResult group_range(Call& call) {
  const auto* group = known_group(call, 0);
  const auto n = number(call.at(1));
  const auto ranges = n && *n >= 0 ? numbers_at(call, call.at(2), static_cast<size_t>(*n) * 3) : std::nullopt;
  if (!group || !ranges) return no_group(call);
  std::vector<int64_t> ranks;
  for (size_t i = 0; i + 2 < ranges->size(); i += 3) {
    const int64_t step = (*ranges)[i + 2];
    if (!step) return refuse<Fact::ZeroStride>(call);
    for (int64_t r = (*ranges)[i]; step && (step > 0 ? r <= (*ranges)[i + 1] : r >= (*ranges)[i + 1]); r += step)
      ranks.push_back(r);
  }
  if (const auto r = rank_outside(ranks, *group)) return no_rank(call, *r, *group);
  std::vector<uint32_t> members;
  const bool includes = call.name == "MPI_Group_range_incl";
  if (includes)
    for (const int64_t r : ranks) members.push_back((*group)[static_cast<size_t>(r)]);
  else
    for (size_t i = 0; i < group->size(); ++i)
      if (std::find(ranks.begin(), ranks.end(), static_cast<int64_t>(i)) == ranks.end()) members.push_back((*group)[i]);
  return give_group(call, call.at(3), members);
}

CallResult group_combine(Call& call) {
  const auto *a = known_group(call, 0), *b = known_group(call, 1);
  if (!a || !b) return no_group(call);
  std::vector<uint32_t> members;
  const bool both = call.name == "MPI_Group_intersection", either = call.name == "MPI_Group_union";
  for (const uint32_t r : *a)
    if (either || (rank_in(*b, r) >= 0) == both) members.push_back(r);
  if (either)
    for (const uint32_t r : *b)
      if (rank_in(*a, r) < 0) members.push_back(r);
  return give_group(call, call.at(2), members);
}

CallResult group_rank(Call& call) {
  const auto* group = known_group(call, 0);
  if (!group) return no_group(call);
  const int64_t r = rank_in(*group, call.m.rank);
  store_at(call, call.at(1), 0, 4, machine::integer(r < 0 ? kUndefined : r));
  return success();
}

CallResult group_size(Call& call) {
  const auto* group = known_group(call, 0);
  if (!group) return no_group(call);
  store_at(call, call.at(1), 0, 4, machine::integer(static_cast<int64_t>(group->size())));
  return success();
}

CallResult group_compare(Call& call) {
  const auto *a = known_group(call, 0), *b = known_group(call, 1);
  if (!a || !b) return no_group(call);
  auto sorted = [](std::vector<uint32_t> v) {
    std::sort(v.begin(), v.end());
    return v;
  };
  // MPI_IDENT, MPI_SIMILAR, MPI_UNEQUAL
  store_at(call, call.at(2), 0, 4, machine::integer(*a == *b ? 0 : sorted(*a) == sorted(*b) ? 2 : 3));
  return success();
}

CallResult group_translate(Call& call) {
  const auto *a = known_group(call, 0), *b = known_group(call, 3);
  const auto n = number(call.at(1));
  const auto ranks = n && *n >= 0 ? numbers_at(call, call.at(2), static_cast<size_t>(*n)) : std::nullopt;
  if (!a || !b || !ranks) return no_group(call);
  for (size_t i = 0; i < ranks->size(); ++i) {
    const int64_t r = (*ranks)[i];
    if (r != kProcNull && (r < 0 || static_cast<size_t>(r) >= a->size()))
      return refuse<Fact::RankOutsideFirstGroup>(call, r, a->size());
    const int64_t to = r == kProcNull ? kProcNull : rank_in(*b, (*a)[static_cast<size_t>(r)]);
    store_at(call, call.at(4), static_cast<int64_t>(4 * i), 4, machine::integer(to == -1 ? kUndefined : to));
  }
  return success();
}

CallResult group_free(Call& call) {
  const Value v = load_at(call, call.at(0), 0, 8);
  if (!check_handle(call, v, HandleClass::Group)) return stop(call);
  Handle* h = handle_of(call.world, call.m, v);
  if (!h) return no_group(call);
  h->is_freed = !h->is_predefined;
  store_at(call, call.at(0), 0, 8, null_handle(call.m, "MPI_GROUP_NULL"));
  return success();
}

constexpr std::array kGroupCalls = {
    Signature{"Group_incl", "p...", group_choose},       Signature{"Group_excl", "p...", group_choose},
    Signature{"Group_range_incl", "p...", group_range},  Signature{"Group_range_excl", "p...", group_range},
    Signature{"Group_union", "pp.", group_combine},      Signature{"Group_intersection", "pp.", group_combine},
    Signature{"Group_difference", "pp.", group_combine}, Signature{"Group_rank", "p.", group_rank},
    Signature{"Group_size", "p.", group_size},           Signature{"Group_translate_ranks", "p..p.", group_translate},
    Signature{"Group_compare", "pp.", group_compare},    Signature{"Group_free", ".", group_free},
};

}  // namespace

std::span<const Signature> group_calls() { return kGroupCalls; }

}  // namespace ranklint::mpi_check
