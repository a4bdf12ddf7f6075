#include "runtime/group/collectives/posting.h"

#include <cstring>

namespace ranklint::runtime {

namespace {

void point_at(std::span<const Tensor> tensors, Side& side) {
  side.whole = {};
  side.is_list = tensors.size() > 1;
  side.pieces.clear();
  if (tensors.size() == 1) {
    side.whole = {tensors.front().data(), tensors.front().size_bytes()};
    return;
  }
  for (const Tensor& tensor : tensors) side.pieces.push_back({tensor.data(), tensor.size_bytes()});
}

// Copies the input into the posting and points at the copy.
void take_in(Posting& posting) {
  auto take = [&posting, at = size_t{0}](Piece& piece) mutable {
    if (piece.size_bytes == 0) return;
    std::memcpy(posting.payload + at, piece.data, piece.size_bytes);
    piece.data = posting.payload + at;
    at += piece.size_bytes;
  };
  take(posting.in.whole);
  for (Piece& piece : posting.in.pieces) take(piece);
  posting.inlined = true;
}



}  // namespace

size_t Side::total_bytes() const {
  size_t total = whole.size_bytes;
  for (const Piece& piece : pieces) total += piece.size_bytes;
  return total;
}

void lay_open(const Call& call, Posting& posting) {
  posting.signature = signature_of(call);
  point_at(call.in, posting.in);
  point_at(call.out, posting.out);
  posting.inlined = false;
  if (posting.in.total_bytes() <= kInlineBytes) take_in(posting);
}

void clear(Posting& posting) {
  posting.posted.store(false, std::memory_order_relaxed);
  posting.claimed.store(false, std::memory_order_relaxed);
}

std::string_view pair_difference(std::span<const Posting> members, size_t a, size_t b) {
  const auto fits = [&](size_t from, size_t to) {
    return members[from].in.piece(to, members.size()).size_bytes == members[to].out.piece(from, members.size()).size_bytes;
  };
  return fits(a, b) && fits(b, a) ? std::string_view{} : "split sizes";
}

}  // namespace ranklint::runtime
