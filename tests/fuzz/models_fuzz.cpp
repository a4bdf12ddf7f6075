// Any bytes are a model file: it is read, or refused with a message.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "analyzer/resolve/models.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ranklint::Models models;
  const auto added = models.add({reinterpret_cast<const char*>(data), size}, "fuzz.json");
  if (!added && added.error().message.empty()) std::abort();
  return 0;
}
