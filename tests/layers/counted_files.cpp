#include "tests/layers/counted_files.h"

#include <algorithm>

namespace ranklint::test {

std::vector<std::string> mistakes_in(const std::vector<CountedFile>& list, const std::map<std::string, size_t>& found) {
  std::vector<std::string> mistakes;
  for (const auto& [path, count] : found) {
    const auto listed = std::ranges::find(list, std::string_view(path), &CountedFile::path);
    const size_t expected = listed == list.end() ? 0 : listed->count;
    if (count != expected)
      mistakes.push_back(path + ": expected " + std::to_string(expected) + " places, got " + std::to_string(count));
  }
  for (const CountedFile& file : list)
    if (!found.contains(std::string(file.path)))
      mistakes.push_back(std::string(file.path) + ": take it off the list (" + std::string(file.reason) + ")");
  return mistakes;
}

}  // namespace ranklint::test
