// What one member of a group lays open when it comes to a collective: what it asks for and where its tensors lie. All
// members' postings of one call lie side by side; whoever moves the data reads them.
//
// A small input is copied into the posting itself. Then nobody else ever reads the member's memory: once all have
// posted, each member computes its result from the copies and leaves, and one synchronisation is enough. A larger
// input stays where it is, peers read it there (one copy instead of two), and the member stays until they are done.
//
// Time goes by cache lines that pass from core to core, so a posting is laid out by who reads what when. Of a small
// call others read the first line, where everything lies that is compared, and the payload, which is next to it since
// processors fetch neighbours together. Of a larger one they read the first line too, which says where the input lies,
// and with it the output where that is the same tensor; a gather's root alone says elsewhere where its outputs lie. And
// they wait for the last line, which says that the member's share is done, and which they leave alone until they have
// done their own. The rest is the owner's alone unless something is wrong.
//
// A line that was written on one core and is read on another may leave the first (Intel's Xeons do so): to look at it
// once more there takes as long as it took the other. So the owner keeps for itself a copy of what it shows.
#pragma once

#include <atomic>
#include <bit>
#include <cassert>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "runtime/group/signature.h"

namespace ranklint::runtime {

struct Piece {
  std::byte* data = nullptr;
  size_t size_bytes = 0;
};

// A piece of so many equal ones. Groups are mostly powers of two, and then it takes no division, which would be a tenth
// of a small call.
inline size_t equal_piece(size_t size_bytes, size_t count) {
  const bool shifts = (count & (count - 1)) == 0;
  return shifts ? size_bytes >> std::countr_zero(count) : size_bytes / count;
}

// One tensor cut into equal pieces, or a list of pieces.
struct Side {
  Piece whole;                    // of a list: no place, and the sum of its sizes
  const Piece* pieces = nullptr;  // of a list

  bool is_list() const { return pieces != nullptr; }
  Piece piece(size_t index, size_t count) const {
    if (is_list()) return pieces[index];
    const size_t each = equal_piece(whole.size_bytes, count);
    return {whole.data ? whole.data + index * each : nullptr, each};  // of other processes only the sizes are known
  }
};

// What fits into a posting. Where every member reads the whole of every other's input, half as much is laid there: all
// these lines pass to each core, and back.
inline constexpr size_t kInlineBytes = 1024;
constexpr size_t most_inlined_bytes(OpType op) {
  return op == OpType::AllReduce || op == OpType::AllGather ? kInlineBytes / 2 : kInlineBytes;
}
// Who reads lines in a row is brought some that follow unasked: what lies there must not be what the owner writes next.
inline constexpr size_t kReadAheadBytes = 768;

class PartsGuard;

// What a member shows to all others.
struct Face {
  Side in;
  Terms terms;

  bool is_inlined() const { return in.whole.size_bytes <= most_inlined_bytes(terms.op); }
};

struct alignas(128) Posting {
  std::atomic<uint64_t> posted{0};  // the number of the call that lies here; written last, but for `signature`
  Face face;
  alignas(64) std::byte payload[kInlineBytes];
  std::byte apart[kReadAheadBytes];
  // The terms again, and what a verdict tells; and the number of the call that it is of. Written after `posted`, while
  // there is nothing to do but wait: whoever tells of another member waits for it.
  Signature signature;
  std::atomic<uint64_t> described{0};
  // The pieces of lists, for both faces' `in` and for `out` to look at.
  std::vector<Piece> in_list, out_list;
  Face own;  // what the member itself looks at: the face, but that its tensor, when taken in, may be read where it lies
  alignas(64) Side out;
  PartsGuard* guard = nullptr;  // of a large asynchronous reduction in place (threads/parts_guard.h)
  // The member's share of the work, of a call whose inputs stay where they are: the last call in which it was taken, by
  // the member or a helper, and in which it was done. A share whose member has given up is taken and never done. What a
  // gather's root takes lies on a line that the others have just read; elsewhere on one that the owner alone has.
  std::atomic<uint64_t> claimed{0};
  std::atomic<bool> given_up{false};
  alignas(128) std::atomic<uint64_t> done{0};
};
static_assert(sizeof(std::atomic<uint64_t>) + sizeof(Face) == 64, "all that is compared is one line");

// All postings of a call, as one of the members sees them, or, without `me`, somebody else.
class Members {
 public:
  explicit Members(std::span<const Posting> postings, size_t me = UINT32_MAX)
      : postings_(postings.data()), size_(static_cast<uint32_t>(postings.size())), me_(static_cast<uint32_t>(me)) {}

  size_t size() const { return size_; }
  size_t me() const { return me_; }
  const Face& operator[](size_t member) const { return member == me_ ? mine() : postings_[member].face; }
  const Face& mine() const {
    assert(me_ < size_);
    return postings_[me_].own;
  }
  const Side& out(size_t member) const { return postings_[member].out; }
  // Where all agree, everybody's.
  const Terms& terms() const { return mine().terms; }

 private:
  // As much as is handed on in registers: what was just written in parts can not be read as a whole at once.
  const Posting* postings_;
  uint32_t size_, me_;
};

// Fills all but `posted` and what is only told; without a guard.
void lay_open(const Call& call, size_t member, Posting& posting);
// The rest, of the call with this number.
void describe(const Call& call, uint64_t sequence, Posting& posting);
// What is told of a call: of its signature, and the sizes of its pieces where they differ, or where each two members
// have their own: "float32[1], in 1 + 3, out 2 x 1".
std::string describe(const Posting& posting, int global_root);
// Makes the two lists those of the sides, and their sizes.
void use_lists(Posting& posting);

// Do all members agree? They are to have posted.
bool all_agree(Members members);
// Does this one with the member that asks? Both are to have posted.
bool agrees(Members members, size_t other);
// What two differ in, or empty.
std::string_view difference_between(Members members, size_t a, size_t b);

}  // namespace ranklint::runtime
