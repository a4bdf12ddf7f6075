// All parameters of a unit as one long row, cut evenly over the ranks of a group (FSDP1's FlatParameter).
//
//   parameters   | weight: 6        | bias: 2 |
//   the row      | 0  1  2 | 3  4  5 | 6  7  -|   over 3 ranks: shards of ceil(8 / 3) = 3, the last one padded with
//   zero
//
// Equal shards let one all_gather and one reduce_scatter of equal counts do for the whole unit, whatever its shapes
// are.
#pragma once

#include <string>
#include <vector>

#include "runtime/sharded/layout.h"
#include "runtime/sharded/module.h"

namespace ranklint::runtime {

class FlatParameter {
 public:
  struct Piece {
    std::string name;
    Shape shape;
    Range range;  // in the row
  };

  FlatParameter(const std::string& unit, const std::vector<Slot>& slots, int ranks);  // the slots need no value

  const std::vector<Piece>& pieces() const { return pieces_; }
  DType dtype() const { return dtype_; }
  bool empty() const { return numel_ == 0; }
  int64_t numel() const { return numel_; }              // without padding
  int64_t shard_numel() const { return shard_numel_; }  // the same on every rank
  int64_t padded_numel() const { return shard_numel_ * ranks_; }
  Range shard(int rank) const { return shard_range(numel_, ranks_, rank); }  // without padding

  // The row of these values (a tensor per slot, all on one device), padded: [padded_numel].
  Tensor row(const std::vector<Tensor>& values) const;
  // Its parameters again: views into `row`.
  std::vector<Tensor> views(const Tensor& row) const;

 private:
  std::vector<Piece> pieces_;
  DType dtype_ = DType::F32;
  int64_t numel_ = 0;
  int64_t shard_numel_ = 0;
  int ranks_ = 1;
};

// Memory for one row at a time, used again for the next: what keeps a step's peak at one unit, and its pages mapped.
class RowBuffer {
 public:
  // Uninitialised; ends the use of the row before.
  Tensor row(int64_t numel, DType dtype, Device device);

 private:
  Tensor bytes_;
};

}  // namespace ranklint::runtime
