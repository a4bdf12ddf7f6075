// The frontend of Python, as a project takes one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontends/python/frontend.h"

namespace ranklint {

inline std::vector<ir::Module> python(const std::string& path, std::string_view bytes) {
  std::vector<ir::Module> modules;
  modules.push_back(lower_python(path, bytes));
  return modules;
}

}  // namespace ranklint
