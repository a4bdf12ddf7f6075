// Lowered files as bytes and back: every source of testdata/ comes back as it was.
#include <catch2/catch.hpp>

#include <filesystem>
#include <string>

#include "analyzer/ir/equal.h"
#include "analyzer/ir/print.h"
#include "analyzer/ir/verify.h"
#include "app/cache/module_packing.h"
#include "app/engine/frontends.h"
#include "tests/support/support.h"

namespace ranklint::test {

namespace {

// The packed bytes, once they have been found to say all that the file said.
std::string packed(const std::filesystem::path& path) {
  app::KeptSource kept;
  kept.source = app::lower_source(path.string(), read_file(path));
  std::string bytes = app::pack_source(kept);
  const std::optional<app::KeptSource> again = app::unpack_source(bytes);
  INFO(path);
  REQUIRE(again);
  REQUIRE(again->source.modules.size() == kept.source.modules.size());
  for (size_t i = 0; i < kept.source.modules.size(); ++i) {
    const ir::Module& before = kept.source.modules[i];
    const ir::Module& after = again->source.modules[i];
    CHECK(ir::difference(before, after).empty());
    CHECK(ir::verify(after).empty());
    CHECK(ir::print(after) == ir::print(before));
    CHECK(after.conventions == before.conventions);
    CHECK(after.diagnostics == before.diagnostics);
  }
  CHECK((again->source.program == nullptr) == (kept.source.program == nullptr));
  CHECK(app::pack_source(*again) == bytes);
  return bytes;
}

}  // namespace

TEST_CASE("a file as it was lowered is the same when it was packed") {
  size_t count = 0;
  for (const char* suffix : {".py", ".c", ".cpp"})
    for (const std::filesystem::path& path : files_below(source_path("testdata/rules"), suffix))
      if (++count % (std::string_view(suffix) == ".py" ? 5 : 20) == 0) packed(path);
  CHECK(count > 300);
}

TEST_CASE("bytes that are no lowered file are refused") {
  const std::string bytes =
      packed(source_path("testdata/rules/rank-guarded-collective/pipeline/video/training/model.py"));
  for (size_t i = 0; i < bytes.size(); ++i) CHECK_FALSE(app::unpack_source(std::string_view(bytes).substr(0, i)));
  for (size_t i = 0; i < bytes.size(); ++i) {
    std::string other = bytes;
    other[i] = static_cast<char>(static_cast<unsigned char>(other[i]) ^ 0x81U);
    app::unpack_source(other);  // whatever comes of it, it ends
  }
}

}  // namespace ranklint::test
