// The steps from one list of placements to another, decided before anything moves and without asking anybody: every rank
// of the mesh computes the same plan.
//
// A step changes the placement on one mesh dimension:
//
//   from \ to    Replicate     Shard(j)                      Partial(op)
//   Replicate    -             local slice                   local (rank 0 keeps, the others hold op's neutral element)
//   Shard(i)     all_gather    all_to_all                    local for Sum and Prod (the rest is neutral), else by Replicate
//   Partial      all_reduce    reduce_scatter                by Replicate
//
// The trouble is two mesh dimensions that shard the same tensor dimension d: the right one cuts what the left one has left,
// so the left one may not change while the right one is cut along d, nor may the right one be cut along d before the left
// one is. A step that respects this is legal. Of the legal steps that lead to the goal the cheapest goes first: slices make
// everything after them smaller, gathers make it bigger and so come last. When none is legal, the rightmost shard that
// stands in the way is gathered first. That ends: a dimension that has arrived by a legal step has only arrived ones to its
// left that matter to it, so each dimension is gathered out of the way at most once.
//
// Example, mesh [2, 2]: [Shard(0), Shard(0)] to [Replicate, Shard(0)] gathers dimension 1, gathers dimension 0, slices
// dimension 1. (torch, _redistribute.py, takes right to left and then left to right: the same steps, in an order that may
// gather before it reduces.)
#pragma once

#include <optional>
#include <vector>

#include "runtime/sharded/placement.h"

namespace ranklint::runtime {

struct Step {
  int mesh_dim = 0;
  Placement from;
  Placement to;
  friend bool operator==(const Step&, const Step&) = default;
};

// Both lists are valid (check_placements) and equally long.
std::vector<Step> plan_steps(const Placements& from, const Placements& to);

// The collective that a step issues on the group of its mesh dimension; none when it is local.
std::optional<OpType> collective_of(const Step& step);

}  // namespace ranklint::runtime
