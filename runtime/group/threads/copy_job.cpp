#include "runtime/group/threads/copy_job.h"

#include <algorithm>
#include <thread>

#include "runtime/group/collectives/kernels.h"
#include "runtime/group/threads/pause.h"

namespace ranklint::runtime {

static constexpr size_t kChunkBytes = size_t{256} << 10;

CopyJob::CopyJob(std::byte* to, const std::byte* from, size_t size_bytes, Keep keep)
    : to_(to),
      from_(from),
      size_bytes_(size_bytes),
      chunks_((size_bytes + kChunkBytes - 1) / kChunkBytes),
      keep_(std::move(keep)) {}

void CopyJob::help() {
  const Passage passage{.streaming = streams(size_bytes_)};  // forward, since both ends copy
  for (size_t chunk = taken_.fetch_add(1); chunk < chunks_; chunk = taken_.fetch_add(1)) {
    const size_t begin = chunk * kChunkBytes;
    copy_bytes(to_ + begin, from_ + begin, std::min(kChunkBytes, size_bytes_ - begin), passage);
    copied_.fetch_add(1, std::memory_order_acq_rel);
  }
}

void finish(Transfer& transfer, int patience) {
  transfer.job->help();
  for (; patience > 0 && !transfer.job->finished(); --patience) pause_or_yield(patience);
  while (!transfer.job->finished()) std::this_thread::yield();  // the other end is inside its last chunk
}

}  // namespace ranklint::runtime
