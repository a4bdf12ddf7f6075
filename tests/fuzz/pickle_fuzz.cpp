// Any bytes as a pickle, and what comes of them as a dump.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "app/trace/dump.h"
#include "app/trace/pickle.h"
#include "app/trace/stuck.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ranklint::app;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  static_cast<void>(read_pickle(bytes, "fuzz_0"));
  const auto dump = read_dump(bytes, "fuzz_0");
  if (dump.has_value()) static_cast<void>(find_stuck(std::span(&dump.value(), 1)));
  return 0;
}
