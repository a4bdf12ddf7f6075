// A box of a tensor's elements (a range per dimension), and how it lies in memory.
//
// All that loading does is to move the elements that two boxes share: a shard that a rank keeps and a chunk that a file
// holds, a piece that travels and the shard it lands in. Each box is stored row-major by itself. What they share is
// then a number of runs that are contiguous in both, all of one length and at regular places:
//
//     chunk [4, 6] in a file        shard of columns 2..3        shared: 4 runs of 2 elements
//     . . X X . .                   X X                          in the chunk at 2, 8, 14, 20
//     . . X X . .                   X X                          in the shard at 0, 2, 4, 6
//     . . X X . .                   X X
//     . . X X . .                   X X
//
// Trailing dimensions that both boxes hold in full belong to the run, so a range of rows is a single run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/base/tensor.h"
#include "runtime/sharded/layout.h"

namespace ranklint::runtime {

struct Box {
  Shape offsets;  // in elements of the whole tensor
  Shape sizes;
  bool operator==(const Box&) const = default;
};

Box whole_of(const Shape& shape);
Box box_of(const LocalPart& part);                     // what a rank of a mesh holds (sharded/layout.h)
bool lies_within(const Box& box, const Shape& shape);  // also: as many dimensions, nothing negative
bool is_empty(const Box& box);
Box intersection(const Box& a, const Box& b);  // sizes are 0 where they do not meet
std::string to_string(const Box& box);         // "[0:4, 2:4]"; "of offsets [] and sizes [4]" for what lies nowhere

// Runs of the elements that `part` (within both boxes) has in a source and in a destination. Offsets are in bytes from
// the first element of the one and the other; those in the source ascend.
class Runs {
 public:
  Runs(const Box& part, const Box& source, const Box& destination, size_t element_bytes);

  size_t count() const { return count_; }
  size_t run_bytes() const { return run_bytes_; }
  uint64_t source(size_t k) const { return at(k).source; }
  uint64_t destination(size_t k) const { return at(k).destination; }

 private:
  struct Place {
    uint64_t source = 0, destination = 0;
  };
  struct Loop {  // one dimension outside of the run
    uint64_t count, source_stride, destination_stride;
  };
  Place at(size_t k) const;

  std::vector<Loop> loops_;  // outermost first
  Place first_;
  size_t count_ = 0;
  size_t run_bytes_ = 0;
};

// Copies what `part` has in both.
void copy_part(const Box& part, const Box& source, const std::byte* from, const Box& destination, std::byte* to,
               size_t element_bytes);

}  // namespace ranklint::runtime
