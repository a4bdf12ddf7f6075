#include "runtime/group/collectives/posting.h"

#include <algorithm>
#include <cstring>

namespace ranklint::runtime {

namespace {

inline void point_at(std::span<const Tensor> tensors, Side& side, std::vector<Piece>& list) {
  if (!list.empty()) list.clear();
  if (tensors.size() == 1) {
    side = {.whole = {tensors.front().data(), tensors.front().size_bytes()}};
    return;
  }
  side = {};
  for (const Tensor& tensor : tensors) list.push_back({tensor.data(), tensor.size_bytes()});
}

void use_list(Side& side, const std::vector<Piece>& list) {
  if (list.empty()) return;
  side = {.whole = {}, .pieces = list.data()};
  for (const Piece& piece : list) side.whole.size_bytes += piece.size_bytes;
}

// Copies the input into the posting and points at the copy.
void take_in(Posting& posting) {
  auto take = [&posting, at = size_t{0}](Piece& piece) mutable {
    if (piece.size_bytes != 0) std::memcpy(posting.payload + at, piece.data, piece.size_bytes);
    piece.data = posting.payload + at;
    at += piece.size_bytes;
  };
  if (!posting.in.is_list()) return take(posting.in.whole);
  for (Piece& piece : posting.in_list) take(piece);
}

// Of members whose signatures agree: does what one sends to another have the size that the other receives?
bool pairs_fit(std::span<const Posting> members, size_t a, size_t b) {
  const auto fits = [&](size_t from, size_t to) {
    return members[from].in.piece(to, members.size()).size_bytes == members[to].out.piece(from, members.size()).size_bytes;
  };
  return fits(a, b) && fits(b, a);
}

// Who gives one tensor receives one of its size (process_group.cpp refuses anything else), so there is no need to look at
// where it receives: of another member that is one more line to come from its core.
bool is_even(const Posting& member, size_t total) { return !member.in.is_list() && member.in.whole.size_bytes == total; }

bool all_pairs_fit(std::span<const Posting> members) {
  const size_t total = members.front().in.whole.size_bytes;
  if (std::all_of(members.begin(), members.end(), [total](const Posting& each) { return is_even(each, total); })) return true;
  for (size_t a = 0; a < members.size(); ++a)
    for (size_t b = a + 1; b < members.size(); ++b)
      if (!pairs_fit(members, a, b)) return false;
  return true;
}

// Members without a name agree with every name, so it takes two that have one.
bool names_agree(std::span<const Posting> members) {
  const auto is_named = [](const Posting& member) { return member.terms.name_hash != 0; };
  const auto first = std::find_if(members.begin(), members.end(), is_named);
  return std::all_of(first, members.end(), [&](const Posting& member) {
    return !is_named(member) || member.terms.name_hash == first->terms.name_hash;
  });
}

}  // namespace

void use_lists(Posting& posting) {
  use_list(posting.in, posting.in_list);
  use_list(posting.out, posting.out_list);
}

void lay_open(const Call& call, size_t member, Posting& posting) {
  set_terms(call, posting.terms);
  point_at(call.in, posting.in, posting.in_list);
  point_at(call.out, posting.out, posting.out_list);
  use_lists(posting);
  posting.guard = nullptr;
  // Of a broadcast nobody reads but what the root gives.
  const bool is_read = call.op != OpType::Broadcast || member == static_cast<size_t>(call.root);
  if (is_read && posting.is_inlined()) take_in(posting);
}

void describe(const Call& call, uint64_t sequence, Posting& posting) {
  describe(call, posting.terms, posting.signature);
  posting.described.store(sequence, std::memory_order_release);
}

bool all_agree(std::span<const Posting> members) {
  const Terms& first = members.front().terms;
  bool same = true;
  for (const Posting& member : members.subspan(1)) {
    if (identical(first, member.terms)) continue;
    if (!difference(first, member.terms).empty()) return false;
    same = false;
  }
  return (same || names_agree(members)) && (first.op != OpType::AllToAll || all_pairs_fit(members));
}

bool agree(std::span<const Posting> members, size_t a, size_t b) {
  const bool even = members[a].terms.op != OpType::AllToAll ||
                    (!members[a].in.is_list() && is_even(members[b], members[a].in.whole.size_bytes));
  if (even && identical(members[a].terms, members[b].terms)) return true;
  return difference_between(members, a, b).empty();
}

std::string_view difference_between(std::span<const Posting> members, size_t a, size_t b) {
  const std::string_view found = difference(members[a].terms, members[b].terms);
  if (!found.empty() || members[a].terms.op != OpType::AllToAll || pairs_fit(members, a, b)) return found;
  return "split sizes";
}

}  // namespace ranklint::runtime
