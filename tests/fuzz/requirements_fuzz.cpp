// Any bytes as each kind of list of requirements: a module that the verifier accepts.
#include <cstdint>
#include <string_view>

#include "analyzer/base/check.h"
#include "analyzer/ir/verify.h"
#include "frontends/requirements/requirements.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  for (const char* path : {"requirements.txt", "setup.cfg", "pyproject.toml", "environment.yml"})
    RANKLINT_CHECK(ranklint::ir::verify(ranklint::lower_requirements(path, bytes)).empty(),
                   "a list of requirements gives a module that does not verify");
  return 0;
}
