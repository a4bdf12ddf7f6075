// Any bytes as a launch script and as a configuration: a module that the verifier accepts.
#include <cstdint>
#include <string_view>

#include "analyzer/base/check.h"
#include "analyzer/ir/verify.h"
#include "frontends/launchers/launchers.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const char* path : {"fuzz.sh", "fuzz.yaml"})
    RANKLINT_CHECK(ranklint::ir::verify(ranklint::lower_launcher(path, bytes)).empty(),
                   "a launcher's module does not verify");
  return 0;
}
