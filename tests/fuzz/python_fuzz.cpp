// Any bytes are a Python file: the frontend returns a module that the verifier accepts.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "analyzer/ir/verify.h"
#include "frontends/python/frontend.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const ranklint::ir::Module module = ranklint::lower_python("fuzz.py", bytes);
  if (module.functions.empty()) std::abort();  // function 0 is the file's top level
  for (const std::string& complaint : ranklint::ir::verify(module)) {
    std::fprintf(stderr, "%s\n", complaint.c_str());
    std::abort();
  }
  return 0;
}
