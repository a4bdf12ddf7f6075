// What the body of a rank that is a process sees of its world.
#pragma once

#include "runtime/group/jitter.h"
#include "runtime/mpi/process_world.h"

namespace ranklint::runtime {

class ProcessContext final : public RankContext {
 public:
  explicit ProcessContext(std::shared_ptr<ProcessWorld> world);

  int rank() const override { return world_->rank(); }
  int world_size() const override { return static_cast<int>(world_->world_group().info.size()); }
  ProcessGroup& world() override { return group_; }
  ProcessGroup new_group(std::vector<int> ranks, std::string name, Site site) override;
  ProcessGroup split(int color, int key, std::string name, Site site) override;

 private:
  ProcessGroup join(uint64_t made_in, int color, std::vector<int> ranks, std::string name);
  ProcessGroup as_group(ProcessGroupState& state);

  std::shared_ptr<ProcessWorld> world_;
  std::shared_ptr<Jitter> jitter_;
  ProcessGroup group_;
};

}  // namespace ranklint::runtime
