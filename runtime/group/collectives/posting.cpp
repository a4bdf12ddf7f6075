#include "runtime/group/collectives/posting.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ranklint::runtime {

namespace {

void use_list(Side& side, const std::vector<Piece>& list) {
  if (list.empty()) return;
  side = {.whole = {}, .pieces = list.data()};
  for (const Piece& piece : list) side.whole.size_bytes += piece.size_bytes;
}

inline void point_at(std::span<const Tensor> tensors, Side& side, std::vector<Piece>& list) {
  if (!list.empty()) list.clear();
  if (tensors.size() == 1) {
    side = {.whole = {tensors.front().data(), tensors.front().size_bytes()}};
    return;
  }
  side = {};
  for (const Tensor& tensor : tensors) list.push_back({tensor.data(), tensor.size_bytes()});
  use_list(side, list);
}

// Copies the input into the posting, for the others. Who calls and waits reads its own where it lies; the tensor of an
// asynchronous call may have changed when its turn comes, and so is read from the copy by all. So is a list.
void take_in(Posting& posting) {
  std::byte* at = posting.payload;
  const auto take = [&at](const Piece& piece) {
    if (piece.size_bytes != 0) std::memcpy(at, piece.data, piece.size_bytes);
    return std::exchange(at, at + piece.size_bytes);
  };
  if (!posting.own.in.is_list())
    take(posting.own.in.whole);
  else
    for (Piece& piece : posting.in_list) piece.data = take(piece);
}

// Of members whose signatures agree: does what one sends to another have the size that the other receives?
bool pairs_fit(Members members, size_t a, size_t b) {
  const auto fits = [&](size_t from, size_t to) {
    return members[from].in.piece(to, members.size()).size_bytes ==
           members.out(to).piece(from, members.size()).size_bytes;
  };
  return fits(a, b) && fits(b, a);
}

// Who gives one tensor receives one of its size (process_group.cpp refuses anything else), so there is no need to look
// at where it receives: of another member that is one more line to come from its core.
bool are_even(const Face& a, const Face& b) {
  return !a.in.is_list() && !b.in.is_list() && a.in.whole.size_bytes == b.in.whole.size_bytes;
}

bool all_pairs_fit(Members members) {
  bool even = true;
  for (size_t i = 0; i < members.size(); ++i) even = even && are_even(members.mine(), members[i]);
  if (even) return true;
  for (size_t a = 0; a < members.size(); ++a)
    for (size_t b = a + 1; b < members.size(); ++b)
      if (!pairs_fit(members, a, b)) return false;
  return true;
}

// Members without one agree with every name, and with every shape, so it takes two that have one.
bool agree_where_told(Members members, uint64_t Terms::* told) {
  uint64_t first = 0;
  for (size_t i = 0; i < members.size(); ++i) {
    const uint64_t hash = members[i].terms.*told;
    if (hash != 0 && first != 0 && hash != first) return false;
    if (hash != 0) first = hash;
  }
  return true;
}

bool all_told_agree(Members members) {
  return agree_where_told(members, &Terms::name_hash) && agree_where_told(members, &Terms::shape_hash);
}

// In elements: "2 x 1 + 3".
std::string sizes_text(const std::vector<Piece>& list, size_t element_bytes) {
  std::string text;
  for (size_t i = 0, next = 0; i < list.size(); i = next) {
    while (next < list.size() && list[next].size_bytes == list[i].size_bytes) ++next;
    const std::string times = next - i == 1 ? "" : std::to_string(next - i) + " x ";
    text += (i == 0 ? "" : " + ") + times + std::to_string(list[i].size_bytes / element_bytes);
  }
  return text;
}

}  // namespace

void use_lists(Posting& posting) {
  use_list(posting.face.in, posting.in_list);
  use_list(posting.out, posting.out_list);
}

void lay_open(const Call& call, size_t member, Posting& posting) {
  Face& own = posting.own;
  set_terms(call, own.terms, &posting.face.terms);
  point_at(call.in, own.in, posting.in_list);
  point_at(call.out, posting.out, posting.out_list);
  posting.guard = nullptr;
  // Of a broadcast nobody reads but what the root gives.
  const bool is_read = call.op != OpType::Broadcast || member == static_cast<size_t>(call.root);
  std::byte* in = own.in.whole.data;
  if (is_read && own.is_inlined()) {
    take_in(posting);
    if (!own.in.is_list()) in = posting.payload;
    if (call.options.async) own.in.whole.data = in;
  }
  Side& shown = posting.face.in;
  shown.whole.data = in;
  shown.whole.size_bytes = own.in.whole.size_bytes;
  shown.pieces = own.in.pieces;
}

void describe(const Call& call, uint64_t sequence, Posting& posting) {
  describe(call, posting.own.terms, posting.signature);
  posting.described.store(sequence, std::memory_order_release);
}

std::string describe(const Posting& posting, int global_root) {
  const Signature& signature = posting.signature;
  std::string text = describe(signature, global_root);
  if (signature.count != kUneven && signature.op != OpType::AllToAll) return text;
  const auto tell = [&](const char* side, const std::vector<Piece>& list) {
    if (!list.empty()) text += side + sizes_text(list, size_bytes(signature.dtype));
  };
  tell(", in ", posting.in_list);
  tell(", out ", posting.out_list);
  return text;
}

bool all_agree(Members members) {
  bool same = true;
  for (size_t i = 0; i < members.size(); ++i) {
    if (identical(members.terms(), members[i].terms)) continue;
    if (!difference(members.terms(), members[i].terms).empty()) return false;
    same = false;
  }
  return (same || all_told_agree(members)) && (members.terms().op != OpType::AllToAll || all_pairs_fit(members));
}

bool agrees(Members members, size_t other) {
  const bool even = members.terms().op != OpType::AllToAll || are_even(members.mine(), members[other]);
  if (even && identical(members.terms(), members[other].terms)) return true;
  return difference_between(members, members.me(), other).empty();
}

std::string_view difference_between(Members members, size_t a, size_t b) {
  const std::string_view found = difference(members[a].terms, members[b].terms);
  if (!found.empty() || members[a].terms.op != OpType::AllToAll || pairs_fit(members, a, b)) return found;
  return "split sizes";
}

}  // namespace ranklint::runtime
