// What a client receives about a finding that is hidden by default.
#include <catch2/catch.hpp>

#include "tests/app/world.h"
#include "tests/lsp/session.h"

namespace ranklint::test {

TEST_CASE("a finding that is merely possible says why") {
  const std::string text =
      "import torch.distributed as dist\ndef save(model):\n    for turn in range(dist.get_world_size()):\n"
      "        if dist.get_rank() == turn:\n            dist.barrier()\n";
  TempFolder folder;
  folder.write("train.py", text);
  Session session(folder.path());
  session.start(Json::object(), {{"settings", {{"minConfidence", "possible"}}}});
  session.open("train.py", text);
  session.settle();
  const Json told = session.diagnostics("train.py");
  REQUIRE(told.size() == 1);
  CHECK(told[0]["data"]["doubts"] == Json::array({"takes-turns"}));
  const Json at{{"textDocument", {{"uri", session.uri("train.py")}}}, {"position", {{"line", 4}, {"character", 14}}}};
  const std::string shown = session.request("textDocument/hover", at).dump();
  CHECK(shown.find("possible: the loop lets every rank enter in turn") != std::string::npos);
}

}  // namespace ranklint::test
