// How fast weights come from a file, beside reading the same bytes through a mapping by hand.
//
// The file (256 MiB in 8 matrices of 16 KiB rows) lies in the page cache, so that what is measured is the loader and
// not the disk. Each iteration times the plain mapping and the loader in turn, into memory that both have touched
// before; the counters are the best of each in GB/s, and `ratio`, the loader's part of the mapping's bandwidth.
#include <benchmark/benchmark.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "runtime/group/world.h"
#include "runtime/loader/load.h"
#include "runtime/loader/writer.h"

namespace ranklint::runtime {

namespace {

constexpr int64_t kTensors = 8, kRows = 2048, kColumns = 4096;  // f32: 32 MiB each
constexpr uint64_t kTensorBytes = kRows * kColumns * sizeof(float);

// Written once, gone at the end.
class WeightsFile {
 public:
  WeightsFile()
      : path_((std::filesystem::temp_directory_path() / ("ranklint_bench_" + std::to_string(::getpid()))).string()) {
    const Tensor matrix = Tensor::arange(kRows * kColumns).reshape({kRows, kColumns});
    std::vector<NamedBytes> tensors;
    for (int64_t i = 0; i < kTensors; ++i) tensors.push_back(named_bytes(name(i), matrix));
    if (!write_safetensors(path_, tensors)) std::abort();
    data_offset_ = std::filesystem::file_size(path_) - kTensors * kTensorBytes;
  }
  ~WeightsFile() { ::unlink(path_.c_str()); }

  const std::string& path() const { return path_; }
  uint64_t data_offset() const { return data_offset_; }
  static std::string name(int64_t i) { return "w" + std::to_string(i); }

 private:
  std::string path_;
  uint64_t data_offset_ = 0;
};

const WeightsFile& weights() {
  static const WeightsFile file;
  return file;
}

std::vector<Wanted> wanted(const Box& part, const std::vector<Tensor>& into) {
  std::vector<Wanted> out;
  for (int64_t i = 0; i < kTensors; ++i)
    out.push_back(
        {.name = WeightsFile::name(i), .shape = {kRows, kColumns}, .part = part, .into = into[static_cast<size_t>(i)]});
  return out;
}

// Part of each matrix by mapping, as a loader by hand would: no header, no check.
void read_mapped(const Box& part, const std::vector<Tensor>& into) {
  const int fd = ::open(weights().path().c_str(), O_RDONLY);
  const size_t size = weights().data_offset() + kTensors * kTensorBytes;
  auto* mapped = static_cast<std::byte*>(::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0));
  if (mapped == MAP_FAILED) std::abort();
  const size_t row_bytes = kColumns * sizeof(float), run_bytes = static_cast<size_t>(part.sizes[1]) * sizeof(float);
  for (int64_t i = 0; i < kTensors; ++i) {
    const std::byte* from = mapped + weights().data_offset() + static_cast<size_t>(i) * kTensorBytes;
    std::byte* to = into[static_cast<size_t>(i)].data();
    if (run_bytes == row_bytes) {
      std::memcpy(to, from + static_cast<size_t>(part.offsets[0]) * row_bytes,
                  static_cast<size_t>(part.sizes[0]) * row_bytes);
      continue;
    }
    for (int64_t row = 0; row < part.sizes[0]; ++row)
      std::memcpy(to + static_cast<size_t>(row) * run_bytes,
                  from + static_cast<size_t>(part.offsets[0] + row) * row_bytes +
                      static_cast<size_t>(part.offsets[1]) * sizeof(float),
                  run_bytes);
  }
  ::munmap(mapped, size);
  ::close(fd);
}

template <typename F>
double seconds(const F& body) {
  const auto begin = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void compare(benchmark::State& state, const Box& part, LoadStrategy strategy, ReadMode mode) {
  std::vector<Tensor> into;
  for (int64_t i = 0; i < kTensors; ++i) into.push_back(Tensor::zeros(part.sizes));
  const std::vector<Wanted> request = wanted(part, into);
  const double bytes = static_cast<double>(kTensors) * static_cast<double>(into[0].size_bytes());
  double best_mapped = 1e9, best_loaded = 1e9;
  (void)run_world(1, [&](RankContext& context) {
    for (auto unused : state) {
      (void)unused;
      best_mapped = std::min(best_mapped, seconds([&] { read_mapped(part, into); }));
      const double loaded = seconds([&] {
        if (!load(context.world(), weights().path(), request, strategy, {.open = {.read = {.mode = mode}}}))
          std::abort();
      });
      best_loaded = std::min(best_loaded, loaded);
      state.SetIterationTime(loaded);
    }
  });
  state.counters["mapped_GBps"] = bytes / best_mapped / 1e9;
  state.counters["loaded_GBps"] = bytes / best_loaded / 1e9;
  state.counters["ratio"] = best_mapped / best_loaded;
}

const Box kWhole{{0, 0}, {kRows, kColumns}};
const Box kQuarterOfRows{{kRows / 4, 0}, {kRows / 4, kColumns}};
const Box kQuarterOfColumns{{0, kColumns / 4}, {kRows, kColumns / 4}};

constexpr auto kShard = LoadStrategy::EachReadsItsShard;

}  // namespace

BENCHMARK_CAPTURE(compare, whole, kWhole, kShard, ReadMode::Mmap)->UseManualTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compare, whole_by_pread, kWhole, kShard, ReadMode::Pread)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compare, quarter_of_rows, kQuarterOfRows, kShard, ReadMode::Mmap)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compare, quarter_of_columns, kQuarterOfColumns, kShard, ReadMode::Mmap)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compare, quarter_of_columns_by_pread, kQuarterOfColumns, kShard, ReadMode::Pread)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compare, whole_by_rank_zero, kWhole, LoadStrategy::RankZeroReads, ReadMode::Mmap)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace ranklint::runtime

BENCHMARK_MAIN();
