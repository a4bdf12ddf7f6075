// Python source to IR: one file in, one module out.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "analyzer/ir/ir.h"

namespace ranklint {

// Any bytes are acceptable: what can not be read becomes a diagnostic of the module, what can not be expressed
// becomes `unknown`, and the rest is lowered all the same. Keeps no state between calls, so it may be called from
// several threads at once.
// A bug of ours in the body of a function costs that body (ir::Module::broken). `probe` is called with the qualified
// name where a body begins; for tests, which let it throw.
using LoweringProbe = std::function<void(std::string_view function)>;
ir::Module lower_python(const std::string& path, std::string_view bytes, const LoweringProbe& probe = {});

// The same modules, for files that are read again and again: what the last few of them consist of is kept, and of the
// next text of such a file only what has changed is parsed (frontends/python/sections.h). From several threads at once,
// too.
class PythonReader {
 public:
  PythonReader();
  ~PythonReader();
  ir::Module lower(const std::string& path, std::string_view bytes);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ranklint
