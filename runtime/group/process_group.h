// The ranks that a collective runs over, and the operations on them.
//
// Ranks in arguments (`src`, `dst`, `root`) are GLOBAL ranks, as in torch.distributed; use `global_rank(i)` for the
// i-th member. Every operation checks its own arguments first, then, always, that all members agree (operation, element
// type, shape, counts, root, reduction, name), and only then moves data: a disagreement is RankError{Mismatch} on every
// member, without a time-out, and ends the world with a Verdict (verdict.h). An operation with `options.async` returns
// at once, with a Work to wait for; every other blocks until this rank's part is done, and the Work that it returns is
// complete. Errors are RankError: {InvalidArgument} of this rank's own arguments or of a rank that is no member, the
// rest of error.h of what has become of the others.
//
// A group belongs to its rank: its operations are issued by one thread at a time, since their order is what they are
// matched by. Tensors are looked at by other members' threads until the operation is complete. Tensors without elements
// take part as any others do. Copies of a group are the same group.
//
// Where n is the same everywhere, so is the shape of each rank's piece; whatever holds all pieces may have any shape
// (signature.h). Of messages, of all_to_all and of lists of unequal pieces only the counts must fit.
//
// Shapes: n elements per rank, P members. Input and output lie apart; where one is a piece of the other (gather,
// scatter, all_gather, reduce_scatter) it may also lie in its place there.
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/group/call.h"
#include "runtime/group/work.h"

namespace ranklint::runtime {

struct P2POp {
  enum class Kind : uint8_t { Send, Recv } kind;
  Tensor tensor;
  int peer = 0;  // global rank
  int tag = 0;
};

// The one seam between the operations and how ranks reach each other: threads of a process, or MPI.
class GroupBackend {
 public:
  virtual ~GroupBackend() = default;
  virtual Work submit(const Call& call) = 0;                   // blocking unless call.options.async
  virtual Work submit_batch(std::span<const Call> calls) = 0;  // point-to-point only; complete when all are
};

class ProcessGroup {
 public:
  struct Info {
    std::string name;              // "world", "sp", ...; the groups that one split makes share it
    std::vector<int> ranks;        // members, as global ranks, in group order
    int rank = -1;                 // this rank's place in `ranks`, -1 when not a member
    Device device = Device::Host;  // tensors must be there; `any_device` lifts that
    bool any_device = true;
  };

  ProcessGroup() = default;
  ProcessGroup(std::shared_ptr<GroupBackend> backend, Info info);

  int rank() const { return info_.rank; }
  int size() const { return static_cast<int>(info_.ranks.size()); }
  bool is_member() const { return info_.rank >= 0; }
  const std::vector<int>& ranks() const { return info_.ranks; }
  const std::string& name() const { return info_.name; }
  Device device() const { return info_.device; }
  bool takes(Device device) const { return info_.any_device || device == info_.device; }
  int global_rank(int group_rank) const;  // of the i-th member; RankError{InvalidArgument} where there is none
  int group_rank(int global_rank) const;  // -1 for one that is no member

  // In place, from `src`.
  Work broadcast(const Tensor& tensor, int src, const OpOptions& options = kNoOptions, const Site& site = Site::here());
  // In place. Reduction in group order: same bits on every rank and every run. bf16 and f16 are reduced in f32 and
  // rounded once; integers wrap around, and have no Avg.
  Work all_reduce(const Tensor& tensor, ReduceOp op = ReduceOp::Sum, const OpOptions& options = kNoOptions,
                  const Site& site = Site::here());
  // In place on `dst`; the other ranks' tensor is unchanged.
  Work reduce(const Tensor& tensor, int dst, ReduceOp op = ReduceOp::Sum, const OpOptions& options = kNoOptions,
              const Site& site = Site::here());
  // out[i]: member i's tensor; counts may differ between members, out[i] must have member i's.
  Work all_gather(const std::vector<Tensor>& out, const Tensor& in, const OpOptions& options = kNoOptions,
                  const Site& site = Site::here());
  // out: [P * n], in: [n], the same n everywhere.
  Work all_gather_into_tensor(const Tensor& out, const Tensor& in, const OpOptions& options = kNoOptions,
                              const Site& site = Site::here());
  // in: [P * n], out: [n].
  Work reduce_scatter_tensor(const Tensor& out, const Tensor& in, ReduceOp op = ReduceOp::Sum,
                             const OpOptions& options = kNoOptions, const Site& site = Site::here());
  // in[i] is reduced onto member i's out; counts may differ between i.
  Work reduce_scatter(const Tensor& out, const std::vector<Tensor>& in, ReduceOp op = ReduceOp::Sum,
                      const OpOptions& options = kNoOptions, const Site& site = Site::here());
  // in, out: [P * n]; piece i of `in` goes to member i.
  Work all_to_all_single(const Tensor& out, const Tensor& in, const OpOptions& options = kNoOptions,
                         const Site& site = Site::here());
  // Uneven: in[i] goes to member i and arrives as its out[rank]; counts must agree pair by pair.
  Work all_to_all(const std::vector<Tensor>& out, const std::vector<Tensor>& in, const OpOptions& options = kNoOptions,
                  const Site& site = Site::here());
  // out: P tensors on `dst`, none elsewhere.
  Work gather(const std::vector<Tensor>& out, const Tensor& in, int dst, const OpOptions& options = kNoOptions,
              const Site& site = Site::here());
  // in: P tensors on `src`, none elsewhere.
  Work scatter(const Tensor& out, const std::vector<Tensor>& in, int src, const OpOptions& options = kNoOptions,
               const Site& site = Site::here());
  Work barrier(const OpOptions& options = kNoOptions, const Site& site = Site::here());
  // A barrier that names the members that have not come by the time-out (0: the world's default).
  void monitored_barrier(std::chrono::milliseconds timeout, const Site& site = Site::here());

  // Blocks until the receive has come, but for a small message in Mode::Relaxed (WorldOptions::eager_bytes). Any `tag`
  // will do; no rank is its own peer. A receive takes the next message of its source and tag, of as many elements as it
  // has; kAnySource (call.h): of whoever comes.
  Work send(const Tensor& tensor, int dst, int tag = 0, const OpOptions& options = kNoOptions,
            const Site& site = Site::here());
  Work recv(const Tensor& tensor, int src, int tag = 0, const OpOptions& options = kNoOptions,
            const Site& site = Site::here());
  Work isend(const Tensor& tensor, int dst, int tag = 0, const Site& site = Site::here());
  Work irecv(const Tensor& tensor, int src, int tag = 0, const Site& site = Site::here());
  // All at once, in any order of completion: what a ring needs. Each with a peer that is named; of none, complete at
  // once.
  Work batch(const std::vector<P2POp>& operations, const OpOptions& options = kNoOptions,
             const Site& site = Site::here());

 private:
  Work submit(const Call& call) const;
  Work point_to_point(OpType op, const Tensor& tensor, int peer, int tag, const OpOptions& options,
                      const Site& site) const;
  void require_member(OpType op) const;
  int root_of(int global_rank, OpType op) const;

  std::shared_ptr<GroupBackend> backend_;
  Info info_;
};

}  // namespace ranklint::runtime
