// Fully sharded data parallelism in the way of PyTorch's FullyShardedDataParallel (FSDP1): every rank keeps one shard
// of each unit's parameters and gradients, and a unit is whole only while it computes.
//
//   forward   per unit:  all_gather the row, compute, drop the row
//   backward  per unit, last one first:  all_gather the row, compute, reduce_scatter the gradients (their average)
//
// So a rank holds its shards, and one whole row and one row of gradients at a time, whose memory is used again and
// again.
//
// With n = the padded row of a unit and P ranks, a step costs per unit two all_gathers and one reduce_scatter of n
// elements each (one all_gather without reshard_after_forward), and with `replicate` an all_reduce of n / P. Every rank
// sends (P - 1) / P * n elements in each of the first three.
//
// The constructor, unit by unit in the module's order: gives memory to meta tensors (param_init), moves to the device,
// makes the ranks equal (sync_module_states), then keeps its shard. sync_module_states broadcasts from rank 0 of the
// group: buffers, then parameters, packed into buckets of one type and 250 MiB. It refuses tensors on the host, as
// PyTorch does: there the broadcast runs over the accelerators' backend and the host's memory is not reachable for it.
//
// PyTorch compares nothing. A rank whose module differs, or can not be wrapped, leaves the others waiting in a
// broadcast. `agree` is the remedy: one small all_gather in which every rank says whether it can go on and what it
// wraps, and with `replicate` one more that tells it to the other groups; then all of them go on, or all of them throw
// and name the odd one, or all sides where none has more than half of the ranks. Only ranks that do not bring
// `replicate` can not be told to other groups: their own group throws where a part of it brings one, and what other
// groups wait for ends by a verdict. Without `agree` the calls are PyTorch's, and so are the hangs.
//
// Every collective says which method issued it (implicit_in), and carries the caller's site.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "runtime/group/process_group.h"
#include "runtime/sharded/flat_parameter.h"
#include "runtime/sharded/module.h"
#include "runtime/sharded/state_dict.h"

namespace ranklint::runtime {

struct FsdpOptions {
  bool sync_module_states = false;
  std::optional<Device> device_id = {};  // moves what is on the host; never moves anything back to it
  // Gives a meta slot its tensor, of the slot's shape and type. Without it a meta slot is an error.
  std::function<Tensor(const Unit&, const Slot&)> param_init = {};
  bool reshard_after_forward = true;  // false: keep rows from forward to backward (SHARD_GRAD_OP)
  // Hybrid sharding: the ranks that hold the same shard in other groups. Synchronised first, gradients averaged last.
  std::optional<ProcessGroup> replicate = {};
  bool agree = true;
  size_t broadcast_bucket_bytes = size_t{250} << 20;  // PyTorch's _PARAM_BROADCAST_BUCKET_SIZE
};

class Fsdp {
 public:
  struct UnitShard {
    Tensor parameter;  // [shard_numel]: an optimizer changes it in place
    Tensor gradient;   // the same; zero when nothing went back
  };

  // Collective over `group` (and `replicate`). Throws RankError on a rank that is no member of them, and when a tensor
  // is on the wrong device (for sync_module_states, or for `group`), has no memory or the name of another, or a unit
  // mixes types; and, with `agree`, when that is so on any rank or the ranks' modules, their devices or options differ.
  Fsdp(Module module, ProcessGroup group, FsdpOptions options = {}, Site site = Site::here());

  Tensor forward(Tensor input, Site site = Site::here());
  // After a forward. Adds to the shards' gradients; returns the gradient of the input.
  Tensor backward(Tensor grad_output, Site site = Site::here());
  void zero_grad();
  std::span<UnitShard> shards() { return shards_; }
  std::span<const FlatParameter> layout() const { return flat_; }

  // Scales the gradients so that their norm over all ranks is at most max_norm; returns the norm before. One all_reduce
  // of a float64. norm_type: 2, any p >= 1, or infinity. A plain clip of the local shards would scale each rank
  // differently.
  double clip_grad_norm(double max_norm, double norm_type = 2.0, Site site = Site::here());

  // Parameters and this rank's buffers, whole, on every rank: an all_gather per unit.
  StateDict full_state_dict(Site site = Site::here());
  // Each rank takes its shard out of its own copy; no communication. RankError{Missing} when a tensor is not there,
  // {InvalidArgument} when it has another shape; then nothing is changed on this rank.
  void load_full_state_dict(const StateDict& state);
  // What this rank holds, with no communication (PyTorch's SHARDED_STATE_DICT gathers every unit). Parameters only.
  ShardedStateDict sharded_state_dict() const;
  // From pieces of whatever cut: those of all ranks of a world of another size do. Errors as in load_full_state_dict.
  void load_sharded_state_dict(const ShardedStateDict& pieces);

 private:
  UnitTensors whole(size_t unit, const Tensor& row) const;
  void gather(size_t unit, const Tensor& row, std::string_view implicit_in, Site site);
  Tensor new_row(size_t unit) const;
  Tensor row_of(size_t unit, RowBuffer& buffer) const;
  void reduce_gradients(size_t unit, const Tensor& row, Site site);
  std::vector<StateCopy> copies_into_shards(const ShardedStateDict& pieces) const;

  Module module_;  // its parameters' values are gone; its buffers' are there
  ProcessGroup group_;
  FsdpOptions options_;
  std::vector<FlatParameter> flat_;    // per unit
  std::vector<UnitShard> shards_;      // per unit
  std::vector<Tensor> inputs_, rows_;  // between forward and backward: per unit; rows only when they are kept
  RowBuffer row_buffer_, gradient_buffer_;
};

}  // namespace ranklint::runtime
