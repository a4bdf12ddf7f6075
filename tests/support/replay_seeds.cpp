// The main() of a fuzz target in a build without libFuzzer: feeds each seed of a folder as it is, cut short at up
// to 64 places, and with one byte changed at up to 64 places. Always the same inputs, in the same order.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

constexpr size_t kPlaces = 64;

void feed(const std::string& bytes) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
}

void feed_variants(const std::string& seed) {
  feed(seed);
  const size_t step = std::max<size_t>(1, seed.size() / kPlaces);
  for (size_t at = 0; at < seed.size(); at += step) {
    feed(seed.substr(0, at));
    std::string damaged = seed;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << (at % 8)));
    feed(damaged);
  }
}

std::vector<std::filesystem::path> files_of(const char* folder) {
  std::vector<std::filesystem::path> files;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::filesystem::path> seeds = argc == 2 ? files_of(argv[1]) : std::vector<std::filesystem::path>();
  for (const std::filesystem::path& seed : seeds) {
    std::ifstream in(seed, std::ios::binary);
    feed_variants({std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()});
  }
  std::printf("%zu seeds survived\n", seeds.size());
  return seeds.empty() ? 1 : 0;
}
