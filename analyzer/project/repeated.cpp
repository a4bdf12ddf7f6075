#include "analyzer/project/repeated.h"

namespace ranklint {

void MetFunctions::drop_repeated(std::vector<ir::Module>& modules) {
  // Whether the module brings a function of its own.
  const auto brings = [&](ir::Module& module) {
    bool some = false;
    for (uint32_t f = 1; f < module.functions.size(); ++f) {
      ir::Function& function = module.functions[ir::FunctionId{f}];
      if (function.parent.valid() || function.blocks.empty())
        continue;  // goes with the function around it; taken out before
      if (met_.emplace(module.path, module.text(function.qualified_name)).second)
        some = true;
      else
        function.blocks = {};
    }
    return some;
  };
  size_t kept = 0;
  for (size_t m = 0; m < modules.size(); ++m) {
    const bool is_new = !modules[m].has(ir::Convention::OneNamespace) || brings(modules[m]);
    if (m > 0 && !is_new) continue;
    if (kept != m) modules[kept] = std::move(modules[m]);
    ++kept;
  }
  modules.erase(modules.begin() + static_cast<std::ptrdiff_t>(kept), modules.end());
}

}  // namespace ranklint
