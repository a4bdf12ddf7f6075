// The part of a call in which all members of a group must agree, and the words that say where they do not.
//
// What has to agree follows from the operation. Counts: every rank's for most; for all_gather and reduce_scatter the
// list of counts, which is the same list on every rank; for all_to_all pair by pair (what I send to you is what you
// receive from me), which the exchange compares itself since it takes both sides' lists. Names agree when one of the
// two is empty: naming is optional.
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
  int64_t count = 0;        // elements per piece; kUneven: see `counts`
  uint64_t counts = 0;      // a hash of the uneven counts, or of a new group's ranks
  uint64_t name_hash = 0;   // 0: no name
};

struct Signature : Terms {
  // What is only told.
  int32_t tag = 0;
  int32_t dims = 0;  // of the first tensor
  std::array<int64_t, 4> shape{};  // of more dimensions the first three, and the product of the rest
  std::string_view name;         // valid while the call is under way
  std::string_view implicit_in;
  Site site;
  std::span<const int> new_ranks;  // of a new group; valid while the call is under way
};

inline constexpr int64_t kUneven = -1;

Signature signature_of(const Call& call);
// The same in two steps, in place: what is compared, where others look for it, and what is only told.
void set_terms(const Call& call, Terms& terms, Terms* copy = nullptr);
void describe(const Call& call, const Terms& terms, Signature& signature);

// Of two members who agree this is nearly always so. Without a branch, since what is compared has just come from another
// core and is there all at once.
inline bool identical(const Terms& a, const Terms& b) {
  const auto differ = [](auto x, auto y) { return static_cast<uint64_t>(x) ^ static_cast<uint64_t>(y); };
  return (differ(a.op, b.op) | differ(a.dtype, b.dtype) | differ(a.reduce, b.reduce) | differ(a.root, b.root) |
          differ(a.count, b.count) | differ(a.counts, b.counts) | differ(a.name_hash, b.name_hash)) == 0;
}

// What the two disagree in ("operation", "element type", ...), or empty.
std::string_view difference(const Terms& a, const Terms& b);
std::string_view transfer_difference(const Terms& send, const Terms& recv);  // of a matched pair

// "float32[4, 2], sum, root 0, name \"w1\"". `global_root` as users write it.
std::string describe(const Signature& signature, int global_root);

std::string_view file_name(const char* path);  // without its folders
std::string to_string(Site site);              // "train.cpp:12"

}  // namespace ranklint::runtime
