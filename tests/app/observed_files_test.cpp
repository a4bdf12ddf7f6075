#include <catch2/catch.hpp>

#include <filesystem>
#include <string>

#include "app/files/observed_files.h"
#include "tests/app/world.h"

namespace ranklint::test {

namespace fs = std::filesystem;
using app::ObservedFiles;

namespace {

// Whether what was seen of the folder is seen again.
bool still_so(const ObservedFiles& files) {
  const auto seen = files.all();
  return seen && app::are_still_so(*seen);
}

}  // namespace

TEST_CASE("bytes that were read are seen again until they are others, whatever the file's time") {
  const TempFolder folder;
  folder.write("a.h", "int x;");
  ObservedFiles files;
  CHECK(files.read(folder.path() + "/a.h").value() == "int x;");
  CHECK(still_so(files));
  folder.write("a.h", "int x;");
  CHECK(still_so(files));
  const auto time = fs::last_write_time(folder.path() + "/a.h");
  folder.write("a.h", "int y;");
  fs::last_write_time(folder.path() + "/a.h", time);
  CHECK_FALSE(still_so(files));
  fs::remove(folder.path() + "/a.h");
  CHECK_FALSE(still_so(files));
}

TEST_CASE("a file that was looked for and not there is seen when it comes") {
  const TempFolder folder;
  ObservedFiles files;
  CHECK_FALSE(files.exists(folder.path() + "/a.h"));
  CHECK_FALSE(files.is_file(folder.path() + "/b"));
  CHECK(still_so(files));
  folder.write("b/c", "");
  CHECK_FALSE(still_so(files));
}

TEST_CASE("a file that lies elsewhere behind a link is another") {
  const TempFolder folder;
  folder.write("a.h", "int x;");
  folder.write("b.h", "int x;");
  fs::create_symlink("a.h", folder.path() + "/link.h");
  ObservedFiles files;
  CHECK(files.read(folder.path() + "/link.h").value() == "int x;");
  CHECK(still_so(files));
  fs::remove(folder.path() + "/link.h");
  fs::create_symlink("b.h", folder.path() + "/link.h");
  CHECK_FALSE(still_so(files));
}

TEST_CASE("the headers below a folder are seen again until one comes or goes") {
  const TempFolder folder;
  folder.write("src/a.h", "");
  folder.write("src/b.cpp", "");
  folder.write("src/.hidden/c.h", "");
  ObservedFiles files;
  CHECK(files.headers_below(folder.path()) == std::vector<std::string>{folder.path() + "/src/a.h"});
  folder.write("src/c.cpp", "");
  CHECK(still_so(files));
  folder.write("lib/d.hpp", "");
  CHECK_FALSE(still_so(files));
}

TEST_CASE("nothing rests on what changed while it was looked at, or need not be the same again") {
  const TempFolder folder;
  folder.write("a.h", "int x;");
  ObservedFiles changed;
  CHECK(changed.read(folder.path() + "/a.h"));
  folder.write("a.h", "int y;");
  CHECK(changed.read(folder.path() + "/a.h"));
  CHECK_FALSE(changed.all());
  ObservedFiles clock;
  clock.note({Observation::Kind::Unrepeatable, "", {}});
  CHECK_FALSE(clock.all());
  ObservedFiles unreadable;
  CHECK_FALSE(unreadable.read(folder.path() + "/none"));
  CHECK_FALSE(unreadable.all());
}

}  // namespace ranklint::test
