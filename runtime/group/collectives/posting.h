// What one member of a group lays open when it comes to a collective: what it asks for and where its tensors lie. All
// members' postings of one call lie side by side; whoever moves the data reads them.
//
// A small input is copied into the posting itself. Then nobody ever reads the member's own memory: once all have
// posted, each member computes its result from the copies and leaves, and one synchronisation is enough. A larger
// input stays where it is, peers read it there (one copy instead of two), and the member stays until they are done.
#pragma once

#include <atomic>
#include <cstddef>
#include <span>
#include <vector>

#include "runtime/group/signature.h"

namespace ranklint::runtime {

struct Piece {
  std::byte* data = nullptr;
  size_t size_bytes = 0;
};

// One tensor cut into equal pieces, or a list of pieces.
struct Side {
  Piece whole;
  bool is_list = false;
  std::vector<Piece> pieces;

  Piece piece(size_t index, size_t count) const {
    if (is_list) return pieces[index];
    const size_t each = whole.size_bytes / count;
    return {whole.data + index * each, each};
  }
  size_t total_bytes() const;
};

inline constexpr size_t kInlineBytes = 256;

// What others read of a small call are two lines, the first of `posted` and that of `in`, and its payload; a line that
// another core has read costs as much to write again as a message.
struct alignas(64) Posting {
  std::atomic<bool> posted{false};
  std::atomic<bool> claimed{false};  // this member's share of the work is taken, by itself or by a helper
  bool inlined = false;              // `in` lies in `payload`
  Signature signature;
  Side out;
  alignas(64) Side in;
  alignas(64) std::byte payload[kInlineBytes];
};

// Fills all but `posted`.
void lay_open(const Call& call, Posting& posting);
void clear(Posting& posting);

// Why two members' pieces do not fit each other (all_to_all), or empty.
std::string_view pair_difference(std::span<const Posting> members, size_t a, size_t b);

}  // namespace ranklint::runtime
