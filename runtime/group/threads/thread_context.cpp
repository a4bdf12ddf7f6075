#include "runtime/group/threads/thread_context.h"

#include <algorithm>

#include "runtime/group/groups.h"
#include "runtime/group/threads/collective_work.h"

namespace ranklint::runtime {

ThreadBackend::ThreadBackend(std::shared_ptr<ThreadWorld> world, ThreadGroup& group, int member,
                             std::shared_ptr<Jitter> jitter)
    : world_(std::move(world)),
      group_(group),
      member_(member),
      jitter_(std::move(jitter)),
      queue_(member < 0 ? nullptr : world_->queue(group.info().global_rank(member))) {}

void ThreadBackend::begin() {
  world_->throw_if_ended();
  jitter_->delay();
}

uint64_t ThreadBackend::run(const Call& call) {
  begin();
  if (!queue_) return group_.run(member_, call);
  return enqueue({&call, 1})->sequence;
}

// Through the rank's queue; returns when carried out, unless asynchronous.
std::shared_ptr<QueuedCall> ThreadBackend::enqueue(std::span<const Call> calls) {
  auto queued = queue_->push(group_, member_, calls, world_->options().check_buffers);
  const OpOptions& options = calls.front().options;
  if (!options.async) queue_->wait(*queued, world_->deadline(options.timeout));
  return queued;
}

// A Work may be kept for longer than its world runs; then it says what became of the operation.
Work ThreadBackend::kept(std::shared_ptr<WorkState> state) {
  WorkState* const work = state.get();
  return Work({work, [backend = shared_from_this(), state = std::move(state)](WorkState*) {}});
}

Work ThreadBackend::through_queue(std::span<const Call> calls) {
  auto queued = enqueue(calls);
  if (!calls.front().options.async) return {};
  return kept(std::make_shared<QueueWork>(*queue_, std::move(queued)));
}

Work ThreadBackend::submit(const Call& call) {
  if (call.op == OpType::Send || call.op == OpType::Recv) return submit_batch({&call, 1});
  begin();
  if (queue_) return through_queue({&call, 1});
  if (call.options.async) return kept(group_.start(member_, call));
  group_.run(member_, call);
  return {};
}

Work ThreadBackend::submit_batch(std::span<const Call> calls) {
  begin();
  if (queue_) return through_queue(calls);
  if (calls.front().options.async) return kept(group_.start_exchange(member_, calls));
  group_.exchange(member_, calls);
  return {};
}

ThreadContext::ThreadContext(std::shared_ptr<ThreadWorld> world, int rank)
    : world_(std::move(world)), rank_(rank), jitter_(std::make_shared<Jitter>(world_->options().schedule_seed, rank)) {
  backend_ = backend_for(world_->world_group(), rank);
  group_ = join(world_->world_group());
}

int ThreadContext::world_size() const { return static_cast<int>(world_->world_group().info().size()); }

std::shared_ptr<ThreadBackend> ThreadContext::backend_for(ThreadGroup& group, int member) {
  return std::make_shared<ThreadBackend>(world_, group, member, jitter_);
}

ProcessGroup ThreadContext::join(ThreadGroup& group) {
  const GroupInfo& info = group.info();
  if (info.id != 0) world_->recorder(rank_).add_group({info.id, info.name, info.ranks});
  const int member = member_of(info.ranks, rank_);
  return {backend_for(group, member),
          {.name = info.name,
           .ranks = info.ranks,
           .rank = member,
           .device = world_->options().device,
           .any_device = world_->options().any_device}};
}

ProcessGroup ThreadContext::outside(std::vector<int> ranks, std::string name) const {
  return {nullptr, {.name = std::move(name), .ranks = std::move(ranks)}};
}

ProcessGroup ThreadContext::new_group(std::vector<int> ranks, std::string name, Site site) {
  check_new_group(ranks, world_size());
  const uint64_t sequence =
      backend_->run({.op = OpType::NewGroup, .new_ranks = ranks, .options = {.name = name}, .site = site});
  if (member_of(ranks, rank_) < 0) return outside(std::move(ranks), std::move(name));
  return join(world_->group_made_in(sequence, 0, std::move(ranks), name));
}

ProcessGroup ThreadContext::split(int color, int key, std::string name, Site site) {
  const Tensor mine = Tensor::from<int64_t>({color, key}, {2});
  const Tensor all = Tensor::empty({world_size(), 2}, DType::I64);
  const uint64_t sequence = backend_->run(
      {.op = OpType::NewGroup, .in = {&mine, 1}, .out = {&all, 1}, .options = {.name = name}, .site = site});
  std::vector<int> ranks = ranks_of_color(all.as<int64_t>(), color);
  if (color < 0) return outside({}, std::move(name));
  return join(world_->group_made_in(sequence, color, std::move(ranks), name));
}

}  // namespace ranklint::runtime
