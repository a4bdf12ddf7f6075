// Any bytes are a C++ file: the frontend returns modules that the verifier accepts.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "analyzer/ir/verify.h"
#include "frontends/cpp/frontend.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto modules = ranklint::lower_cpp("fuzz.cpp", bytes).modules;
  if (modules.empty() || modules.front().functions.empty()) std::abort();  // function 0 is the file's top level
  for (const ranklint::ir::Module& module : modules)
    for (const std::string& complaint : ranklint::ir::verify(module)) {
      std::fprintf(stderr, "%s\n", complaint.c_str());
      std::abort();
    }
  return 0;
}
