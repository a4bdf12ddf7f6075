#include "runtime/loader/run_reader.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace ranklint::runtime {

static uint64_t widest_gap(const InputFile& file) {
  return file.mapped() ? kWidestMappedGapBytes : kWidestReadGapBytes;
}

// The run after the last one of the block that begins at run `first`.
static size_t end_of_block(const Runs& runs, const InputFile& file, size_t first) {
  const uint64_t begin = runs.source(first);
  uint64_t end = begin + runs.run_bytes();
  size_t k = first + 1;
  for (; k < runs.count(); ++k) {
    const uint64_t next = runs.source(k);
    if (next - end > widest_gap(file) || next + runs.run_bytes() - begin > kRunBlockBytes) break;
    end = next + runs.run_bytes();
  }
  return k;
}

// No gap is narrower than the first one: the outer dimensions' steps are wider.
static bool is_one_block_each(const Runs& runs, const InputFile& file) {
  if (runs.count() <= 1 || runs.run_bytes() > kRunBlockBytes / 2) return true;
  return runs.source(1) - runs.source(0) - runs.run_bytes() > widest_gap(file);
}

uint64_t scratch_bytes(const Runs& runs, const InputFile& file) {
  if (file.mapped() || is_one_block_each(runs, file)) return 0;
  const uint64_t span = runs.source(runs.count() - 1) + runs.run_bytes() - runs.source(0);
  return std::min<uint64_t>(kRunBlockBytes, span);
}

static Status read_block(const InputFile& file, uint64_t offset, const Runs& runs, size_t first, size_t end,
                         std::vector<std::byte>& scratch, std::byte* out) {
  const uint64_t begin = runs.source(first);
  if (end - first == 1) return file.read(offset + begin, {out + runs.destination(first), runs.run_bytes()});
  const uint64_t size = runs.source(end - 1) + runs.run_bytes() - begin;
  if (Status status =
          file.mapped() ? file.prepare(offset + begin, size) : file.read(offset + begin, {scratch.data(), size});
      !status)
    return status;
  const std::byte* bytes = file.mapped() ? file.mapped() + offset + begin : scratch.data();
  for (size_t k = first; k < end; ++k)
    std::memcpy(out + runs.destination(k), bytes + (runs.source(k) - begin), runs.run_bytes());
  return ok();
}

Status read_runs(const InputFile& file, uint64_t offset, const Runs& runs, std::byte* out) {
  std::vector<std::byte> scratch(scratch_bytes(runs, file));
  for (size_t k = 0; k < runs.count();) {
    const size_t end = end_of_block(runs, file, k);
    if (Status status = read_block(file, offset, runs, k, end, scratch, out); !status) return status;
    k = end;
  }
  return ok();
}

}  // namespace ranklint::runtime
