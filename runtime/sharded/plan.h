// The steps from one list of placements to another, decided before anything moves and without asking anybody: every
// rank of the mesh computes the same plan.
//
// A step changes the placement on one mesh dimension:
//
//   from \ to    Replicate     Shard(j)                      Partial(op)
//   Replicate    -             local slice                   local (rank 0 keeps, the others hold op's neutral element)
//   Shard(i)     all_gather    all_to_all                    local for Sum and Prod (the rest is neutral), else by
//   Replicate Partial      all_reduce    reduce_scatter                by Replicate
//
// Each mesh dimension goes straight to its goal or by way of Replicate. In which order they go is the question, for not
// every order is right:
//
// - Of two mesh dimensions that shard the same tensor dimension d, the right one cuts what the left one has left. So
// the
//   left one may not change while the right one is cut along d, nor may it become so cut.
// - Partial values are reduced in any order, so those that lie together at any time must commute (check_placements): a
//   product is not taken apart before a sum on another mesh dimension has been reduced.
//
// Among the orders that respect this, the plan is the one in which a rank sends the fewest elements, then the one with
// the fewest steps: a shortest path through lists of placements (Dijkstra, "A note on two problems in connexion with
// graphs"). There are few: at most 3 placements on each mesh dimension. A path always exists: reduce everything, gather
// from right to left, cut from left to right, take apart.
//
// Example, mesh [2, 2]: [Shard(0), Shard(0)] to [Replicate, Shard(0)] gathers dimension 1, gathers dimension 0, slices
// dimension 1. (torch, _redistribute.py, takes right to left and then left to right: the same steps, in an order that
// may gather before it reduces.)
#pragma once

#include <optional>
#include <vector>

#include "runtime/base/shape.h"
#include "runtime/sharded/placement.h"

namespace ranklint::runtime {

struct Step {
  int mesh_dim = 0;
  Placement from;
  Placement to;
  friend bool operator==(const Step&, const Step&) = default;
};

// From a tensor of `shape` on a mesh of `mesh_shape`. Both lists are valid for these (check_placements).
std::vector<Step> plan_steps(const Placements& from, const Placements& to, const std::vector<int>& mesh_shape,
                             const Shape& shape);

// The collective that a step issues on the group of its mesh dimension; none when it is local.
std::optional<OpType> collective_of(const Step& step);

}  // namespace ranklint::runtime
