// A tensor that lies on the ranks of a mesh, each holding its part (torch.distributed.tensor.DTensor, with its names).
//
// What communicates: distribute with a source rank; redistribute, full_tensor and copy_ where plan.h says so. Nothing
// else does: shapes, placements and plans are known to every rank. Every rank of the mesh must make a communicating
// call, in the same order; the calls carry the site of the caller.
//
// copy_ is the one whose name does not say that it communicates: between different placements it redistributes the
// source first, and the collectives it issues say so in the flight record and in a verdict (implicit_in =
// "DTensor.copy_"). The policy `Implicit` says whether that is wanted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/group/device_mesh.h"
#include "runtime/sharded/layout.h"
#include "runtime/sharded/plan.h"

namespace ranklint::runtime {

enum class Implicit : uint8_t {
  Forbid,  // copy_ that would have to communicate is RankError{Unsupported}, before it does
  Warn,    // it communicates, and CopyReport::warning says so
  Allow,   // as torch: it communicates
};

struct CopyReport {
  std::vector<OpType> implicit_calls;  // the collectives that were issued, in order
  std::string warning;                 // empty when there is nothing to warn of
};

struct DistributeOptions {
  // Whose values count, as the coordinate along each mesh dimension. nullopt: every rank's own, which must then be
  // equal; nothing is communicated and nothing is compared.
  std::optional<int> src_data_rank = 0;
  std::string_view name = {};  // of the tensor: ranks that name it differently disagree (OpOptions::name)
};

class DTensor {
 public:
  // `whole` has the whole shape on every rank; with a source rank only its values count. Per mesh dimension, from the
  // left: Shard scatters, Replicate and Partial broadcast, from the source rank of that dimension. Ranks that bring
  // another shape disagree in that call, but where shards are padded to one length ([3] and [4] over two ranks). The
  // result shares no memory with `whole`.
  static DTensor distribute(const Tensor& whole, DeviceMesh& mesh, Placements placements,
                            DistributeOptions options = {}, Site site = Site::here());
  // Takes each rank's tensor as its part. Without `shape` all parts of a shard must be alike: its whole is local size
  // times mesh size, as in torch. With it, `local` must have the shape that the layout gives this rank. No
  // communication, so nobody checks that parts said to be replicated are equal.
  static DTensor from_local(Tensor local, DeviceMesh& mesh, Placements placements, std::optional<Shape> shape = {});

  const Shape& shape() const { return shape_; }  // of the whole
  const Placements& placements() const { return placements_; }
  DType dtype() const { return local_.dtype(); }
  DeviceMesh& mesh() const { return *mesh_; }
  LocalPart local_part() const;
  const Tensor& to_local() const { return local_; }  // shares its elements; a Partial is not reduced

  DTensor redistribute(Placements placements, Site site = Site::here()) const;
  Tensor full_tensor(Site site = Site::here()) const;  // on every rank; may share its elements when it was replicated

  // Keeps its placements and its memory; converts the element type. Both on equal meshes, of one shape; the source's
  // groups communicate. Into a Partial only from the same Partial.
  CopyReport copy_(const DTensor& source, Implicit policy = Implicit::Warn, Site site = Site::here());
  // A plain tensor of the whole shape is taken as equal on all ranks: each copies its part. Never communicates. (torch
  // refuses this outside of implicit_replication(); so does Implicit::Forbid.)
  CopyReport copy_(const Tensor& source, Implicit policy = Implicit::Warn);

 private:
  DTensor(Tensor local, DeviceMesh& mesh, Placements placements, Shape shape);
  std::vector<Step> steps_to(const Placements& placements) const;
  DTensor moved_to(const Placements& placements, const std::vector<Step>& steps, std::string_view implicit_in,
                   Site site) const;

  Tensor local_;
  DeviceMesh* mesh_;  // outlives this
  Placements placements_;
  Shape shape_;
};

// distribute_tensor of torch, under its name.
inline DTensor distribute_tensor(const Tensor& whole, DeviceMesh& mesh, Placements placements,
                                 DistributeOptions options = {}, Site site = Site::here()) {
  return DTensor::distribute(whole, mesh, std::move(placements), options, site);
}

std::vector<int> shape_of(const DeviceMesh& mesh);
std::vector<int> coordinate_of(const DeviceMesh& mesh);

}  // namespace ranklint::runtime
