// What an earlier check of the same folder found is shown before the folder has been read.
#include <catch2/catch.hpp>

#include <future>

#include "tests/app/world.h"
#include "tests/lsp/session.h"

namespace ranklint::test {
namespace {

void check_once(const TempFolder& folder) {
  Session session(folder.path());
  session.start();
  session.settle();
  CHECK(session.finish() == 1);  // without a `shutdown`
}

}  // namespace

TEST_CASE("findings of an earlier check are shown before any file is read, and a full check follows") {
  TempFolder folder;
  folder.write("pyproject.toml", "");
  folder.write("train.py", kGuarded);
  check_once(folder);
  std::promise<void> may_read;
  Session session(folder.path(), engine_that_waits(may_read));
  session.start();
  session.open("train.py", kGuarded);
  CHECK(session.next_published().size() == 1);
  CHECK(session.hover(2, 10).is_object());
  may_read.set_value();
  session.settle();
  CHECK(session.diagnostics("train.py").size() == 1);
}

TEST_CASE("a folder that has changed since the last check shows nothing until it is checked again") {
  TempFolder folder;
  folder.write("pyproject.toml", "");
  folder.write("train.py", kGuarded);
  check_once(folder);
  folder.write("other.py", kImport);
  std::promise<void> may_read;
  Session session(folder.path(), engine_that_waits(may_read));
  session.start();
  CHECK(session.hover(2, 10).is_null());
  CHECK(session.diagnostics("train.py").empty());
  may_read.set_value();
  session.settle();
  CHECK(session.diagnostics("train.py").size() == 1);
}

TEST_CASE("findings in unsaved text are not kept") {
  TempFolder folder;
  folder.write("pyproject.toml", "");
  folder.write("train.py", kImport);
  {
    std::promise<void> may_read;
    Session session(folder.path(), engine_that_waits(may_read));
    session.start();
    session.open("train.py", kGuarded);
    session.hover(0, 0);  // answered when the text has been taken
    may_read.set_value();
    session.settle();
    REQUIRE(session.diagnostics("train.py").size() == 1);
  }
  Session session(folder.path());
  session.start();
  session.settle();
  while (session.put_by() != 0) CHECK(session.next().value("method", "") != "textDocument/publishDiagnostics");
}

}  // namespace ranklint::test
