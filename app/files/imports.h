// The import statements of a Python file, found without parsing it: the files that it depends on must be known before
// any is read, and of files that are never reported nothing else is needed at that time.
//
// A statement counts wherever one may begin, also in functions and after `if`. What stands in strings and comments
// does not.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ranklint::app {

// `from ..pkg.sub import a, b`: level 2, "pkg.sub", {"a", "b"}. `import pkg.sub`: level 0, "pkg.sub", none.
struct Import {
  unsigned level = 0;
  std::string module;
  std::vector<std::string> names;  // "*" for all
  friend bool operator==(const Import&, const Import&) = default;
};

std::vector<Import> imports_of(std::string_view text);

}  // namespace ranklint::app
