// The part of a call in which all members of a group must agree, and the words that say where they do not.
//
// What has to agree follows from the operation. Shapes: that of the piece which each rank gives (all_reduce, reduce,
// broadcast, all_gather, gather) or gets (reduce_scatter, scatter); [n] and [n, 1] are two. What the pieces are put
// together in is the rank's own affair: one tensor here, a list there. Where all_gather or reduce_scatter has a list of
// unequal pieces, their counts are compared instead, which are the same list on every rank. An all_to_all is compared
// pair by pair (what I send to you is what you receive from me), in counts, by the exchange itself since it takes both
// sides' lists. A message is a run of elements, which its receiver may see in another shape: its count is compared.
//
// Names agree when one of the two is empty: naming is optional. So do shapes, of who has a list of pieces that are
// alike in their counts alone.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "runtime/group/call.h"

namespace ranklint::runtime {

// What is compared.
struct Terms {
  OpType op = OpType::Barrier;
  DType dtype = DType::F32;
  ReduceOp reduce = ReduceOp::Sum;
  int32_t root = -1;
  int64_t count = 0;        // elements per piece; kUneven: they differ
  uint64_t shape_hash = 0;  // of the piece, of the uneven counts, or of a new group's ranks; 0: none
  uint64_t name_hash = 0;   // 0: no name
};

struct Signature : Terms {
  // What is only told.
  int32_t tag = 0;
  int32_t dims = -1;               // of the piece; -1: no tensor
  std::array<int32_t, 6> shape{};  // as far as it goes; kLong: a size that does not fit
  int64_t numel = 0;
  std::string_view name;  // valid while the call is under way
  std::string_view implicit_in;
  Site site;
  std::span<const int> new_ranks;  // of a new group; valid while the call is under way
};

inline constexpr int64_t kUneven = -1;
inline constexpr int32_t kLong = -1;

Signature signature_of(const Call& call);
// The same in two steps, in place: what is compared, where others look for it, and what is only told.
void set_terms(const Call& call, Terms& terms, Terms* copy = nullptr);
void describe(const Call& call, const Terms& terms, Signature& signature);

// Of two members who agree this is nearly always so. Without a branch, since what is compared has just come from
// another core and is there all at once.
inline bool identical(const Terms& a, const Terms& b) {
  const auto differ = [](auto x, auto y) { return static_cast<uint64_t>(x) ^ static_cast<uint64_t>(y); };
  return (differ(a.op, b.op) | differ(a.dtype, b.dtype) | differ(a.reduce, b.reduce) | differ(a.root, b.root) |
          differ(a.count, b.count) | differ(a.shape_hash, b.shape_hash) | differ(a.name_hash, b.name_hash)) == 0;
}

// What the two disagree in ("operation", "element type", ...), or empty.
std::string_view difference(const Terms& a, const Terms& b);
std::string_view transfer_difference(const Terms& send, const Terms& recv);  // of a matched pair

// "float32[4, 2], sum, root 0, name \"w1\"". `global_root` as users write it.
std::string describe(const Signature& signature, int global_root);

std::string_view file_name(const char* path);  // without its folders
std::string to_string(Site site);              // "train.cpp:12"

}  // namespace ranklint::runtime
