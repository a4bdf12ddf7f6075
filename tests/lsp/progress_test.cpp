// While a large folder is read and checked, the user sees the progress.
#include <catch2/catch.hpp>

#include <algorithm>

#include "tests/app/world.h"
#include "tests/lsp/session.h"

namespace ranklint::test {

TEST_CASE("progress is reported while a large folder is read and checked, and then it ends") {
  TempFolder folder;
  std::string text = kImport;
  for (const char* name : {"a", "b", "c"})
    text += std::string("def ") + name + "():\n    if dist.get_rank() == 0:\n        dist.barrier()\n";
  for (int i = 0; i < 140; ++i) folder.write("f" + std::to_string(i) + ".py", text);
  Session session(folder.path());
  session.start({{"window", {{"workDoneProgress", true}}}});
  session.settle();
  std::vector<std::string> kinds;
  std::string messages;
  unsigned percent = 0;
  for (Json message = session.next_of("$/progress"); !message.is_null(); message = session.next_of("$/progress")) {
    const Json& value = message["params"]["value"];
    kinds.push_back(value["kind"]);
    messages += value.value("message", "") + "\n";
    if (!value.contains("percentage")) continue;
    CHECK(percent <= value["percentage"].get<unsigned>());
    percent = value["percentage"];
  }
  REQUIRE(kinds.size() >= 3);
  CHECK(kinds.front() == "begin");
  CHECK(kinds.back() == "end");
  CHECK(std::count(kinds.begin(), kinds.end(), "end") == 1);
  for (const char* stage : {"of 140 files read", "functions summarised", "of 420 functions compared between ranks"})
    CHECK(messages.find(stage) != messages.npos);
  session.open("f0.py", text + "x = 1\n");
  session.settle();
  CHECK(session.next_of("$/progress").is_null());
}

}  // namespace ranklint::test
