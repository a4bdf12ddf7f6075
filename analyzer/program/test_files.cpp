#include "analyzer/program/test_files.h"

namespace ranklint {

bool is_test_file(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);  // npos + 1 is 0
  return name.starts_with("test_") || name.substr(0, name.rfind('.')).ends_with("_test") ||
         path.starts_with("tests/") || path.starts_with("test/") || path.find("/tests/") != path.npos ||
         path.find("/test/") != path.npos;
}

}  // namespace ranklint
