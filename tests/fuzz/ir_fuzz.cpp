// Any bytes are a text: it is read or refused with a message and a place. What is read prints, reads back to the
// same module and prints the same again, and the verifier copes with it.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "analyzer/ir/equal.h"
#include "analyzer/ir/parse.h"
#include "analyzer/ir/print.h"
#include "analyzer/ir/verify.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace ranklint;
  const Result<ir::Module> read = ir::parse({reinterpret_cast<const char*>(data), size}, "fuzz.ir");
  if (!read) {
    if (read.error().message.empty() || read.error().line == 0 || read.error().column == 0) std::abort();
    return 0;
  }
  ir::verify(read.value());
  const std::string text = ir::print(read.value());
  const Result<ir::Module> again = ir::parse(text);
  if (!again || !ir::difference(read.value(), again.value()).empty()) std::abort();
  if (ir::print(again.value()) != text) std::abort();
  return 0;
}
