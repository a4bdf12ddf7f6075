// Lists of the files that may still do what others do not, each with how often and why. A list can only shrink.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ranklint::test {

struct CountedFile {
  std::string_view path;
  size_t count = 0;
  std::string_view reason;
};

// What is wrong with a list: a file that does it more often or less often than stated, and one that need not be listed.
std::vector<std::string> mistakes_in(const std::vector<CountedFile>& list, const std::map<std::string, size_t>& found);

}  // namespace ranklint::test
