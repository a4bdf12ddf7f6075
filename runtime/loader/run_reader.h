// Reads the runs of a box (box.h) out of a file, a block at a time.
//
// A run of many bytes is read straight into its place. Short runs that lie close together, as those of a range of
// columns do, are cheaper to read with what lies between them: one system call, or one request for pages, for a whole
// block of them. A block is at most kBlockBytes, and a gap of more than kWidestGap bytes ends it.
#pragma once

#include "runtime/loader/box.h"
#include "runtime/loader/input_file.h"

namespace ranklint::runtime {

inline constexpr uint64_t kRunBlockBytes = 1u << 20;
inline constexpr uint64_t kWidestMappedGapBytes = 64u << 10;
inline constexpr uint64_t kWidestReadGapBytes = 8u << 10;  // the kernel copies them in the time of a call

// `offset`: of the source box's first element in the file. The bytes of memory that it needs beside `out` are at most
// `scratch_bytes(runs, file)`.
Status read_runs(const InputFile& file, uint64_t offset, const Runs& runs, std::byte* out);
uint64_t scratch_bytes(const Runs& runs, const InputFile& file);

}  // namespace ranklint::runtime
