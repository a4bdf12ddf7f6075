// Python source to IR: one file in, one module out.
#pragma once

#include <string>
#include <string_view>

#include "analyzer/ir/ir.h"

namespace ranklint {

// Any bytes are acceptable: what can not be read becomes a diagnostic of the module, what can not be expressed
// becomes `unknown`, and the rest is lowered all the same. Keeps no state between calls, so it may be called from
// several threads at once.
ir::Module lower_python(const std::string& path, std::string_view bytes);

}  // namespace ranklint
