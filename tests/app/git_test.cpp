// Folders for other states of the sources.
#include <catch2/catch.hpp>

#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "app/git/git.h"

using namespace ranklint;

TEST_CASE("what a killed run left is taken away, and what a running one uses is not") {
  namespace fs = std::filesystem;
  const fs::path left = fs::temp_directory_path() / ("ranklint-git-left" + std::to_string(::getpid()));
  const app::ScratchFolder used;
  fs::create_directories(left / "tree");
  const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (const fs::path& folder : {left, fs::path(used.path())}) fs::last_write_time(folder, old);
  const app::ScratchFolder another;
  CHECK_FALSE(fs::exists(left));
  CHECK(fs::exists(used.path()));
}
