#include "runtime/mpi/process_context.h"

#include <algorithm>

#include "runtime/group/groups.h"
#include "runtime/group/watch/polling.h"

namespace ranklint::runtime {

namespace {

class CollectiveHandle final : public WorkState {
 public:
  CollectiveHandle(std::shared_ptr<ProcessWorld> world, ProcessGroupState& group, const Call& call)
      : world_(std::move(world)), group_(group), timeout_(call.options.timeout) {
    const ProcessWorld::Lock lock = world_->lock();
    collective_ = world_->post(group_, call, call.options.async);
    record_ = world_->recorder().begin(group_.info.id, sequence(), call, group_.info.global_rank(call.root));
  }

  void wait(std::chrono::milliseconds timeout, Site site) override {
    if (complete_ && !changed_) return;
    ProcessWorld::Lock lock = world_->lock();
    if (!complete_) {
      await_moved(lock, timeout.count() == 0 ? timeout_ : timeout);
      complete();
    }
    if (changed_) world_->blame_reuse(lock, group_, collective_->call(), sequence(), site);
  }

  bool test() override {
    if (complete_) return true;
    ProcessWorld::Lock lock = world_->lock();
    world_->progress();
    if (!collective_->moved()) {
      world_->throw_if_ended();
      const WaitFor wait = wait_for();
      const auto never_ends = [&] { return world_->never_ends({&wait, 1}); };
      if (!polling_.is_over(world_->options().in_force(timeout_), never_ends)) return false;
      await_moved(lock, polling_.left());
    }
    complete();
    return true;
  }

  OpType op() const override { return collective_->call().op; }
  uint64_t sequence() const override { return collective_->sequence(); }

 private:
  WaitFor wait_for() const {
    return {.group = &group_.info, .member = group_.member, .entry = &collective_->entry(), .sequence = sequence()};
  }

  void await_moved(ProcessWorld::Lock& lock, std::chrono::milliseconds timeout) {
    const WaitFor wait = wait_for();
    world_->await(lock, {&wait, 1}, [&] { return collective_->moved(); }, timeout);
  }

  void complete() {
    changed_ = !collective_->guard().unchanged();
    world_->recorder().started(record_);
    collective_->deliver();
    collective_->guard().put_back();
    world_->recorder().completed(record_);
    group_.open.erase(sequence());
    complete_ = true;
  }

  std::shared_ptr<ProcessWorld> world_;
  ProcessGroupState& group_;
  std::chrono::milliseconds timeout_;
  std::shared_ptr<Collective> collective_;
  Polling polling_;
  uint64_t record_ = 0;
  bool complete_ = false;
  bool changed_ = false;  // a tensor was, before it was complete; told at the wait
};

class MessagesHandle final : public WorkState {
 public:
  MessagesHandle(std::shared_ptr<ProcessWorld> world, ProcessGroupState& group, std::span<const Call> calls)
      : world_(std::move(world)),
        group_(group),
        timeout_(calls.front().options.timeout),
        guarded_(calls.front().options.async && world_->options().check_buffers) {
    const ProcessWorld::Lock lock = world_->lock();
    for (const Call& call : calls) messages_.push_back(world_->post_message(group_, call));
  }

  void wait(std::chrono::milliseconds timeout, Site site) override {
    if (complete_ && !changed_) return;
    ProcessWorld::Lock lock = world_->lock();
    if (!complete_) {
      await_moved(lock, timeout.count() == 0 ? timeout_ : timeout);
      complete();
    }
    if (changed_) world_->blame_reuse(lock, group_, call_of(*changed_), changed_->sequence, site);
  }

  bool test() override {
    if (complete_) return true;
    ProcessWorld::Lock lock = world_->lock();
    world_->progress();
    if (!all_moved()) {
      world_->throw_if_ended();
      const auto never_ends = [&] { return world_->never_ends(waits_for()); };
      if (!polling_.is_over(world_->options().in_force(timeout_), never_ends)) return false;
      await_moved(lock, polling_.left());
    }
    complete();
    return true;
  }

  OpType op() const override { return messages_.front()->facts->signature.op; }
  uint64_t sequence() const override { return messages_.front()->facts->sequence; }

 private:
  bool all_moved() const {
    return std::all_of(messages_.begin(), messages_.end(), [](const auto& each) { return each->moved(); });
  }

  std::vector<WaitFor> waits_for() const {
    std::vector<WaitFor> waits;
    for (const auto& message : messages_)
      if (!message->ran_ahead)
        waits.push_back({.group = &group_.info, .member = group_.member, .transfer = message->facts.get()});
    return waits;
  }

  void await_moved(ProcessWorld::Lock& lock, std::chrono::milliseconds timeout) {
    world_->await(lock, waits_for(), [&] { return all_moved(); }, timeout);
  }

  const Transfer* find_changed() const {
    const auto changed = std::find_if(messages_.begin(), messages_.end(),
                                      [](const auto& message) { return was_changed(*message->facts); });
    return changed == messages_.end() ? nullptr : (*changed)->facts.get();
  }

  void complete() {
    if (guarded_) changed_ = find_changed();
    for (const auto& message : messages_) {
      world_->recorder().started(message->facts->record);
      world_->recorder().completed(message->facts->record);
    }
    complete_ = true;
  }

  std::shared_ptr<ProcessWorld> world_;
  ProcessGroupState& group_;
  std::chrono::milliseconds timeout_;
  bool guarded_;
  std::vector<std::shared_ptr<Message>> messages_;
  Polling polling_;
  bool complete_ = false;
  const Transfer* changed_ = nullptr;  // whose tensor was changed before all were complete; told at the wait
};

class ProcessBackend final : public GroupBackend {
 public:
  ProcessBackend(std::shared_ptr<ProcessWorld> world, ProcessGroupState& group, std::shared_ptr<Jitter> jitter)
      : world_(std::move(world)), group_(group), jitter_(std::move(jitter)) {}

  Work submit(const Call& call) override {
    if (call.op == OpType::Send || call.op == OpType::Recv) return submit_batch({&call, 1});
    jitter_->delay();
    return begun(std::make_shared<CollectiveHandle>(world_, group_, call), call);
  }

  Work submit_batch(std::span<const Call> calls) override {
    jitter_->delay();
    return begun(std::make_shared<MessagesHandle>(world_, group_, calls), calls.front());
  }

  uint64_t run(const Call& call) {
    jitter_->delay();
    CollectiveHandle handle(world_, group_, call);
    handle.wait(call.options.timeout, call.site);
    return handle.sequence();
  }

 private:
  static Work begun(std::shared_ptr<WorkState> state, const Call& call) {
    if (call.options.async) return Work(std::move(state));
    state->wait(call.options.timeout, call.site);
    return {};
  }

  std::shared_ptr<ProcessWorld> world_;
  ProcessGroupState& group_;
  std::shared_ptr<Jitter> jitter_;
};

}  // namespace

ProcessContext::ProcessContext(std::shared_ptr<ProcessWorld> world)
    : world_(std::move(world)),
      jitter_(std::make_shared<Jitter>(world_->options().schedule_seed, world_->rank())),
      group_(as_group(world_->world_group())) {}

ProcessGroup ProcessContext::as_group(ProcessGroupState& state) {
  const WorldOptions& options = world_->options();
  return {std::make_shared<ProcessBackend>(world_, state, jitter_),
          {.name = state.info.name,
           .ranks = state.info.ranks,
           .rank = state.member,
           .device = options.device,
           .any_device = options.any_device}};
}

ProcessGroup ProcessContext::join(uint64_t made_in, int color, std::vector<int> ranks, std::string name) {
  const int member = member_of(ranks, rank());
  if (member < 0) return {nullptr, {.name = std::move(name), .ranks = std::move(ranks)}};
  const uint64_t id = made_in << 32 | static_cast<uint32_t>(color);
  const ProcessWorld::Lock lock = world_->lock();
  return as_group(world_->add_group({.id = id, .name = std::move(name), .ranks = std::move(ranks)}, member));
}

ProcessGroup ProcessContext::new_group(std::vector<int> ranks, std::string name, Site site) {
  check_new_group(ranks, world_size());
  ProcessBackend backend(world_, world_->world_group(), jitter_);
  const uint64_t made_in =
      backend.run({.op = OpType::NewGroup, .new_ranks = ranks, .options = {.name = name}, .site = site});
  return join(made_in, 0, std::move(ranks), std::move(name));
}

ProcessGroup ProcessContext::split(int color, int key, std::string name, Site site) {
  const Tensor mine = Tensor::from<int64_t>({color, key}, {2});
  const Tensor all = Tensor::empty({world_size(), 2}, DType::I64);
  ProcessBackend backend(world_, world_->world_group(), jitter_);
  const uint64_t made_in = backend.run(
      {.op = OpType::NewGroup, .in = {&mine, 1}, .out = {&all, 1}, .options = {.name = name}, .site = site});
  if (color < 0) return {nullptr, {.name = std::move(name), .ranks = {}}};
  return join(made_in, color, ranks_of_color(all.as<int64_t>(), color), std::move(name));
}

}  // namespace ranklint::runtime
