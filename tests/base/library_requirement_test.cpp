#include "analyzer/base/library_requirement.h"

#include <catch2/catch.hpp>

namespace ranklint {

static LibraryRequirement read(std::string_view text) {
  INFO(text);
  const std::optional<LibraryRequirement> requirement = read_requirement(text);
  REQUIRE(requirement);
  return *requirement;
}

static bool is_too_old(std::string_view stated, std::string_view needed) {
  return is_too_old(read(stated), read(needed));
}
static bool is_new_enough(std::string_view stated, std::string_view needed) {
  return is_new_enough(read(stated), read(needed));
}

TEST_CASE("a requirement is a package with bounds, in each notation") {
  CHECK(read("Torch_Vision[extra] >= 0.9, < 1").package == "torch-vision");
  CHECK(read("torch>=1.13,<2").from == Version{1, 13});
  CHECK(read("torch>=1.13,<2").below == Version{2});
  CHECK(read("torch==1.9.*").below == Version{1, 10});
  CHECK(read("torch==1.9.1+cu111").below == Version{1, 9, 2});
  CHECK(read("torch~=1.8.2").below == Version{1, 9});
  CHECK(read("torch^1.13").below == Version{2});
  CHECK(read("torch ^0.3.1").below == Version{0, 4});
  CHECK(read("torch ~1.6.3").below == Version{1, 7});
  CHECK(read("conda-forge::pytorch=1.13").package == "pytorch");
  CHECK(read("pytorch=1.13").from == Version{1, 13});
  CHECK(read("torch (<=1.9)  # for now").below == Version{1, 10});
  CHECK(read("torch>1.0,>=1.4,!=1.5").from == Version{1, 4});
}

TEST_CASE("what says nothing of a version is no requirement") {
  for (const std::string_view text :
       {"", "torch", "# torch<2", "-r base.txt", "--find-links https://x/y==1", "torch @ https://x/torch.whl",
        "git+https://x/y@v1", "torch<2; sys_platform == \"darwin\"", "torch ^1.13 || ^2.2", "torch!=1.5",
        "torch>=", "torch[", "[", "torch==x"})
    CHECK_FALSE(read_requirement(text));
}

TEST_CASE("versions are too old or new enough where all that are allowed are") {
  CHECK(is_too_old("lightning==1.9.4", "lightning>=2.1"));
  CHECK(is_too_old("lightning<2.1", "lightning>=2.1"));
  CHECK(is_too_old("lightning<2.1.0", "lightning>=2.1"));
  CHECK_FALSE(is_too_old("lightning<2.1.1", "lightning>=2.1"));
  CHECK_FALSE(is_too_old("lightning>=1.0", "lightning>=2.1"));
  CHECK(is_new_enough("lightning>=2.1", "lightning>=2.1"));
  CHECK(is_new_enough("lightning==2.10", "lightning>=2.1"));
  CHECK_FALSE(is_new_enough("lightning>=2", "lightning>=2.1"));
  CHECK_FALSE(is_new_enough("lightning<3", "lightning>=2.1"));
}

}  // namespace ranklint
