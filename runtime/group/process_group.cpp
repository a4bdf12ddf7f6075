// From the caller's words to a Call: global ranks become group ranks, and what no world could carry out is refused
// here, on the rank that asked for it, before any other rank is involved.
#include "runtime/group/process_group.h"

#include <algorithm>
#include <array>
#include <memory_resource>

#include "runtime/group/collectives/posting.h"
#include "runtime/group/groups.h"

namespace ranklint::runtime {

namespace {

using Tensors = std::span<const Tensor>;

Tensors one(const Tensor& tensor) { return {&tensor, 1}; }

[[noreturn]] void refuse(OpType op, const std::string& why) {
  fail(ErrorKind::InvalidArgument, std::string(name_of(op)) + ": " + why);
}

void require(bool holds, OpType op, const char* why) {
  if (!holds) refuse(op, why);
}

std::string counted(int64_t got, int64_t wanted) {
  return std::to_string(got) + " elements where " + std::to_string(wanted) + " are needed";
}

void require_count(int64_t got, int64_t wanted, OpType op, const char* what) {
  if (got != wanted) refuse(op, std::string(what) + " has " + counted(got, wanted));
}

void require_pieces(Tensors pieces, int members, OpType op) {
  if (pieces.size() == static_cast<size_t>(members)) return;
  refuse(op, std::to_string(pieces.size()) + " tensors for a group of " + std::to_string(members));
}

// What the root of a gather or scatter has a list of; the others have none.
void require_pieces_of_root(Tensors pieces, bool is_root, int members, OpType op) {
  if (is_root) return require_pieces(pieces, members, op);
  require(pieces.empty(), op, "tensors are listed by a rank that is not the root");
}

void require_reducible(const Tensor& tensor, ReduceOp reduce, OpType op) {
  const DType dtype = tensor.dtype();
  const bool integer = dtype == DType::I32 || dtype == DType::I64 || dtype == DType::U8;
  require(reduce != ReduceOp::Avg || !integer, op, "avg of integers has no exact result");
}

void require_one_type(const Call& call) {
  const auto check = [&](const Tensor& tensor) {
    const Tensor& first = call.in.empty() ? call.out.front() : call.in.front();
    require(tensor.dtype() == first.dtype(), call.op, "tensors of different element types");
  };
  std::for_each(call.in.begin(), call.in.end(), check);
  std::for_each(call.out.begin(), call.out.end(), check);
}

// What a member writes must not be what another still reads.
void require_apart(const Call& call) {
  for (const Tensor& in : call.in)
    for (const Tensor& out : call.out) require(!in.shares_memory_with(out), call.op, "input and output overlap");
}

// Likewise, where one side is a piece of the other, which is cut into equal pieces or a list of them. Its own piece
// nobody else touches: it may lie in its place, which is that of this `rank`.
constexpr const char* kBesideOwnPlace = "input and output overlap, and not where this rank's own piece lies";

void require_in_place_or_apart(const Tensor& piece, const Tensor& whole, int rank, OpType op) {
  const bool in_place = piece.data() == whole.data() + rank * static_cast<std::ptrdiff_t>(piece.size_bytes());
  require(in_place || !piece.shares_memory_with(whole), op, kBesideOwnPlace);
}

void require_in_place_or_apart(const Tensor& piece, Tensors list, int rank, OpType op) {
  for (const Tensor& other : list) {
    const bool in_place = piece.data() == other.data() && &other - list.data() == rank;
    require(in_place || !piece.shares_memory_with(other), op, kBesideOwnPlace);
  }
}

void require_device(const Call& call, Device wanted) {
  const auto check = [&](const Tensor& tensor) {
    if (tensor.device() != wanted)
      refuse(call.op, "a tensor is on " + std::string(name_of(tensor.device())) + ", the group is for " +
                          std::string(name_of(wanted)));
  };
  std::for_each(call.in.begin(), call.in.end(), check);
  std::for_each(call.out.begin(), call.out.end(), check);
}

}  // namespace

ProcessGroup::ProcessGroup(std::shared_ptr<GroupBackend> backend, Info info)
    : backend_(std::move(backend)), info_(std::move(info)) {}

int ProcessGroup::group_rank(int global_rank) const { return member_of(info_.ranks, global_rank); }

int ProcessGroup::global_rank(int group_rank) const {
  if (group_rank < 0 || group_rank >= size())
    fail(ErrorKind::InvalidArgument, "there is no member " + std::to_string(group_rank) + " in group " + info_.name +
                                         " of " + std::to_string(size()));
  return info_.ranks[static_cast<size_t>(group_rank)];
}

// Before all else, since what a member gives and takes depends on its place.
void ProcessGroup::require_member(OpType op) const {
  if (backend_ && is_member()) return;
  if (info_.ranks.empty() && info_.name.empty())
    refuse(op, "a group without members: default-made, moved from, or of a split that gave this rank no colour");
  refuse(op, "this rank is no member of group " + info_.name);
}

int ProcessGroup::root_of(int global_rank, OpType op) const {
  require_member(op);
  const int root = group_rank(global_rank);
  if (root < 0) refuse(op, "rank " + std::to_string(global_rank) + " is no member of group " + info_.name);
  return root;
}

Work ProcessGroup::submit(const Call& call) const {
  if (!call.in.empty() || !call.out.empty()) require_one_type(call);
  if (!info_.any_device) require_device(call, info_.device);
  return backend_->submit(call);
}

Work ProcessGroup::broadcast(const Tensor& tensor, int src, const OpOptions& options, const Site& site) {
  return submit({.op = OpType::Broadcast,
                 .in = one(tensor),
                 .out = one(tensor),
                 .root = root_of(src, OpType::Broadcast),
                 .options = options,
                 .site = site});
}

Work ProcessGroup::all_reduce(const Tensor& tensor, ReduceOp op, const OpOptions& options, const Site& site) {
  require_member(OpType::AllReduce);
  require_reducible(tensor, op, OpType::AllReduce);
  return submit(
      {.op = OpType::AllReduce, .in = one(tensor), .out = one(tensor), .reduce = op, .options = options, .site = site});
}

Work ProcessGroup::reduce(const Tensor& tensor, int dst, ReduceOp op, const OpOptions& options, const Site& site) {
  require_reducible(tensor, op, OpType::Reduce);
  return submit({.op = OpType::Reduce,
                 .in = one(tensor),
                 .out = one(tensor),
                 .reduce = op,
                 .root = root_of(dst, OpType::Reduce),
                 .options = options,
                 .site = site});
}

Work ProcessGroup::all_gather(const std::vector<Tensor>& out, const Tensor& in, const OpOptions& options,
                              const Site& site) {
  constexpr OpType kOp = OpType::AllGather;
  require_member(kOp);
  require_pieces(out, size(), kOp);
  require_count(out[static_cast<size_t>(rank())].numel(), in.numel(), kOp, "this rank's output");
  require_in_place_or_apart(in, out, rank(), kOp);
  return submit({.op = kOp, .in = one(in), .out = out, .options = options, .site = site});
}

Work ProcessGroup::all_gather_into_tensor(const Tensor& out, const Tensor& in, const OpOptions& options,
                                          const Site& site) {
  require_member(OpType::AllGather);
  require_count(out.numel(), in.numel() * size(), OpType::AllGather, "the output");
  require_in_place_or_apart(in, out, rank(), OpType::AllGather);
  return submit({.op = OpType::AllGather, .in = one(in), .out = one(out), .options = options, .site = site});
}

Work ProcessGroup::reduce_scatter_tensor(const Tensor& out, const Tensor& in, ReduceOp op, const OpOptions& options,
                                         const Site& site) {
  require_member(OpType::ReduceScatter);
  require_reducible(in, op, OpType::ReduceScatter);
  require_count(in.numel(), out.numel() * size(), OpType::ReduceScatter, "the input");
  require_in_place_or_apart(out, in, rank(), OpType::ReduceScatter);
  return submit(
      {.op = OpType::ReduceScatter, .in = one(in), .out = one(out), .reduce = op, .options = options, .site = site});
}

Work ProcessGroup::reduce_scatter(const Tensor& out, const std::vector<Tensor>& in, ReduceOp op,
                                  const OpOptions& options, const Site& site) {
  constexpr OpType kOp = OpType::ReduceScatter;
  require_member(kOp);
  require_pieces(in, size(), kOp);
  require_reducible(out, op, kOp);
  require_count(out.numel(), in[static_cast<size_t>(rank())].numel(), kOp, "the output");
  require_in_place_or_apart(out, in, rank(), kOp);
  return submit({.op = kOp, .in = in, .out = one(out), .reduce = op, .options = options, .site = site});
}

Work ProcessGroup::all_to_all_single(const Tensor& out, const Tensor& in, const OpOptions& options, const Site& site) {
  constexpr OpType kOp = OpType::AllToAll;
  require_member(kOp);
  require_count(out.numel(), in.numel(), kOp, "the output");
  const auto members = static_cast<size_t>(size()), count = static_cast<size_t>(in.numel());
  require(equal_piece(count, members) * members == count, kOp, "the elements do not divide by the group's size");
  const Call call{.op = kOp, .in = one(in), .out = one(out), .options = options, .site = site};
  require_apart(call);
  return submit(call);
}

Work ProcessGroup::all_to_all(const std::vector<Tensor>& out, const std::vector<Tensor>& in, const OpOptions& options,
                              const Site& site) {
  constexpr OpType kOp = OpType::AllToAll;
  require_member(kOp);
  require_pieces(in, size(), kOp);
  require_pieces(out, size(), kOp);
  const auto me = static_cast<size_t>(rank());
  require_count(out[me].numel(), in[me].numel(), kOp, "this rank's own piece");
  const Call call{.op = kOp, .in = in, .out = out, .options = options, .site = site};
  require_apart(call);
  return submit(call);
}

Work ProcessGroup::gather(const std::vector<Tensor>& out, const Tensor& in, int dst, const OpOptions& options,
                          const Site& site) {
  constexpr OpType kOp = OpType::Gather;
  const int root = root_of(dst, kOp);
  require_pieces_of_root(out, rank() == root, size(), kOp);
  for (const Tensor& piece : out) require_count(piece.numel(), in.numel(), kOp, "an output");
  require_in_place_or_apart(in, out, rank(), kOp);
  return submit({.op = kOp, .in = one(in), .out = out, .root = root, .options = options, .site = site});
}

Work ProcessGroup::scatter(const Tensor& out, const std::vector<Tensor>& in, int src, const OpOptions& options,
                           const Site& site) {
  constexpr OpType kOp = OpType::Scatter;
  const int root = root_of(src, kOp);
  require_pieces_of_root(in, rank() == root, size(), kOp);
  for (const Tensor& piece : in) require_count(piece.numel(), out.numel(), kOp, "an input");
  require_in_place_or_apart(out, in, rank(), kOp);
  return submit({.op = kOp, .in = in, .out = one(out), .root = root, .options = options, .site = site});
}

Work ProcessGroup::barrier(const OpOptions& options, const Site& site) {
  require_member(OpType::Barrier);
  return submit({.op = OpType::Barrier, .options = options, .site = site});
}

void ProcessGroup::monitored_barrier(std::chrono::milliseconds timeout, const Site& site) {
  require_member(OpType::MonitoredBarrier);
  submit({.op = OpType::MonitoredBarrier, .options = {.timeout = timeout}, .site = site});
}

Work ProcessGroup::point_to_point(OpType op, const Tensor& tensor, int peer, int tag, const OpOptions& options,
                                  const Site& site) const {
  require_member(op);
  const bool any = op == OpType::Recv && peer == kAnySource;
  const int root = any ? kAnySource : root_of(peer, op);
  require(root != rank() || root < 0, op, "a rank can not be its own peer");
  Call call{.op = op, .root = root, .tag = tag, .options = options, .site = site};
  (op == OpType::Send ? call.in : call.out) = one(tensor);
  return submit(call);
}

Work ProcessGroup::send(const Tensor& tensor, int dst, int tag, const OpOptions& options, const Site& site) {
  return point_to_point(OpType::Send, tensor, dst, tag, options, site);
}

Work ProcessGroup::recv(const Tensor& tensor, int src, int tag, const OpOptions& options, const Site& site) {
  return point_to_point(OpType::Recv, tensor, src, tag, options, site);
}

Work ProcessGroup::isend(const Tensor& tensor, int dst, int tag, const Site& site) {
  return send(tensor, dst, tag, {.async = true}, site);
}

Work ProcessGroup::irecv(const Tensor& tensor, int src, int tag, const Site& site) {
  return recv(tensor, src, tag, {.async = true}, site);
}

Work ProcessGroup::batch(const std::vector<P2POp>& operations, const OpOptions& options, const Site& site) {
  alignas(Call) std::array<std::byte, 4 * sizeof(Call)> room;  // of the usual few
  std::pmr::monotonic_buffer_resource memory(room.data(), room.size());
  std::pmr::vector<Call> calls(&memory);
  calls.reserve(operations.size());
  for (const P2POp& operation : operations) {
    const OpType op = operation.kind == P2POp::Kind::Send ? OpType::Send : OpType::Recv;
    require_member(op);
    const int root = root_of(operation.peer, op);
    require(root != rank(), op, "a rank can not be its own peer");
    Call& call =
        calls.emplace_back(Call{.op = op, .root = root, .tag = operation.tag, .options = options, .site = site});
    (op == OpType::Send ? call.in : call.out) = one(operation.tensor);
    if (!info_.any_device) require_device(call, info_.device);
  }
  if (calls.empty()) return {};
  return backend_->submit_batch(calls);
}

}  // namespace ranklint::runtime
