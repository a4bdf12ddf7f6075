#include "runtime/attention/workspace.h"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

#include "runtime/base/memory.h"

namespace ranklint::runtime {

namespace {

constexpr size_t kWorthKeeping = size_t{16} << 10;  // smaller blocks are best left to the allocator

struct Idle {
  Memory block;
  size_t size_bytes = 0;
};

}  // namespace

struct Workspace::Pool {
  // The smallest idle block that fits and wastes no more than a quarter, of several the one that came back last, which
  // may still be in a cache; none: null.
  Idle reuse(size_t size_bytes) {
    const std::lock_guard guard(lock);
    auto best = idle.end();
    for (auto each = idle.begin(); each != idle.end(); ++each)
      if (each->size_bytes >= size_bytes && each->size_bytes - size_bytes <= size_bytes / 4)
        if (best == idle.end() || each->size_bytes <= best->size_bytes) best = each;
    Idle found{.block = nullptr, .size_bytes = size_bytes};
    if (best != idle.end()) {
      found = std::move(*best);
      idle.erase(best);
      idle_bytes -= found.size_bytes;
    }
    used_bytes += found.size_bytes;
    most_used_bytes = std::max(most_used_bytes, used_bytes);
    return found;
  }

  void give_back(Memory block, size_t size_bytes) {
    const std::lock_guard guard(lock);
    used_bytes -= size_bytes;
    idle_bytes += size_bytes;
    idle.push_back({std::move(block), size_bytes});
    while (idle_bytes > 2 * most_used_bytes) {  // those that nobody asked for go first
      idle_bytes -= idle.front().size_bytes;
      idle.erase(idle.begin());
    }
  }

  std::mutex lock;
  std::vector<Idle> idle;  // in the order in which they came back
  size_t idle_bytes = 0, used_bytes = 0, most_used_bytes = 0;
};

Workspace::Workspace() : pool_(std::make_shared<Pool>()) {}

std::shared_ptr<std::byte> Workspace::take(size_t size_bytes) {
  if (size_bytes < kWorthKeeping) return allocate_memory(size_bytes);
  Idle taken = pool_->reuse(size_bytes);
  if (!taken.block) taken.block = allocate_memory(size_bytes);
  const FreeMemory free = taken.block.get_deleter();
  return {taken.block.release(), [pool = pool_, size = taken.size_bytes, free](std::byte* block) {
            pool->give_back(Memory(block, free), size);
          }};
}

size_t Workspace::idle_bytes() const {
  const std::lock_guard guard(pool_->lock);
  return pool_->idle_bytes;
}

std::shared_ptr<std::byte> memory_from(Workspace* workspace, size_t size_bytes) {
  if (workspace) return workspace->take(size_bytes);
  return allocate_memory(size_bytes);
}

Tensor empty_from(Workspace* workspace, Shape shape, DType dtype, Device device) {
  if (!workspace) return Tensor::empty(std::move(shape), dtype, device);
  const std::shared_ptr<std::byte> memory = workspace->take(static_cast<size_t>(numel_of(shape)) * size_bytes(dtype));
  return Tensor::borrow(memory, memory.get(), std::move(shape), dtype, device);
}

}  // namespace ranklint::runtime
