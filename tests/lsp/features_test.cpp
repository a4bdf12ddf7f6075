// What a client may ask for, a case each: the server in this process, the client in this test.
#include <catch2/catch.hpp>

#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <future>
#include <set>

#include "app/engine/engine.h"
#include "app/lsp/document.h"
#include "tests/app/world.h"
#include "tests/lsp/session.h"

namespace ranklint::test {
namespace {

Json next_answer(Session& session) {
  Json message = session.next();
  while (message.contains("method")) message = session.next();
  return message;
}

Json document(const Session& session, const std::string& path) { return {{"uri", session.uri(path)}}; }

Json actions(Session& session, const std::string& path, int line, Json only = Json()) {
  Json context{{"diagnostics", Json::array()}};
  if (!only.is_null()) context["only"] = std::move(only);
  const Json at{{"line", line}, {"character", 0}}, end{{"line", line}, {"character", 200}};
  return session.request("textDocument/codeAction", {{"textDocument", document(session, path)},
                                                     {"range", {{"start", at}, {"end", end}}},
                                                     {"context", std::move(context)}})["result"];
}

// How: 1 made, 2 changed, 3 removed.
void tell_of_change(Session& session, const std::string& path, int how = 2) {
  session.notify("workspace/didChangeWatchedFiles",
                 {{"changes", Json::array({Json{{"uri", session.uri(path)}, {"type", how}}})}});
  session.settle();
}

// A folder with one file, open in the editor and checked.
struct Opened {
  explicit Opened(const std::string& text) : session(folder.path()) {
    folder.write("train.py", text);
    session.start();
    session.open("train.py", text);
    session.settle();
  }

  TempFolder folder;
  Session session;
};

TEST_CASE("columns are counted as the client counts them") {
  const auto [offered, column] = GENERATE(table<const char*, int>({{"utf-8", 42}, {"utf-16", 39}, {"utf-32", 38}}));
  TempFolder folder;
  folder.write("train.py", std::string(kImport) + "if dist.get_rank() == 0: print(\"𝄞é\"); dist.barrier()\n");
  Session session(folder.path());
  const Json answer = session.start({{"general", {{"positionEncodings", {offered}}}}});
  CHECK(answer["result"]["capabilities"]["positionEncoding"] == offered);
  session.settle();
  const Json told = session.diagnostics("train.py");
  REQUIRE(told.size() == 1);
  CHECK(told[0]["range"]["start"]["character"] == column);
}

TEST_CASE("what is not saved counts, also for other files, until it is closed") {
  TempFolder folder;
  folder.write("train.py", std::string(kImport) + "from sync import wait\nif dist.get_rank() == 0:\n    wait()\n");
  folder.write("sync.py", "def wait():\n    pass\n");
  Session session(folder.path());
  session.start();
  session.settle();
  CHECK(session.diagnostics("train.py").empty());
  session.open("sync.py", std::string(kImport) + "def wait():\n    dist.barrier()\n");
  session.settle();
  CHECK(session.diagnostics("train.py").size() == 1);
  session.notify("textDocument/didClose", {{"textDocument", document(session, "sync.py")}});
  session.settle();
  CHECK(session.diagnostics("train.py").empty());
}

TEST_CASE("a file that changes on disk is read again when the client says so") {
  TempFolder folder;
  folder.write("train.py", kImport);
  Session session(folder.path());
  session.start();
  session.settle();
  const auto tell = [&](const char* path, int how) { tell_of_change(session, path, how); };
  folder.write("train.py", kGuarded);
  tell("train.py", 2);
  CHECK(session.diagnostics("train.py").size() == 1);
  folder.write("new.py", kGuarded);
  tell("new.py", 1);
  CHECK(session.diagnostics("new.py").size() == 1);
  std::filesystem::remove(folder.path() + "/new.py");
  tell("new.py", 3);
  CHECK(session.diagnostics("new.py").empty());
  CHECK(session.diagnostics("train.py").size() == 1);
}

TEST_CASE("a launch script that is opened or made counts while it starts a job") {
  const std::string starts = "export NCCL_BLOCKING_WAIT=1\ntorchrun --nproc_per_node=4 train.py\n";
  TempFolder folder;
  Session session(folder.path());
  session.start();
  session.settle();
  session.open("run.sh", starts);
  session.settle();
  CHECK(session.diagnostics("run.sh").size() == 1);
  session.notify("textDocument/didChange",
                 {{"textDocument", {{"uri", session.uri("run.sh")}, {"version", 2}}},
                  {"contentChanges", Json::array({Json{{"text", "echo starts nothing\n"}}})}});
  session.settle();
  CHECK(session.diagnostics("run.sh").empty());
  folder.write("made.sh", starts);
  tell_of_change(session, "made.sh", 1);
  CHECK(session.diagnostics("made.sh").size() == 1);
}

TEST_CASE("a file that the configuration names counts as it is now") {
  TempFolder folder;
  folder.write("train.py",
               "import ours\nfrom torch import distributed as dist\nif dist.get_rank() == 0:\n    ours.meet()\n");
  folder.write("ranklint.toml", "models = [\"ours.json\"]\n");
  folder.write("ours.json", R"({"models": []})");
  Session session(folder.path());
  session.start();
  session.settle();
  CHECK(session.diagnostics("train.py").empty());
  folder.write("ours.json",
               R"({"models": [{"name": "ours.meet", "kind": "collective", "op": "barrier", "group": "world"}]})");
  tell_of_change(session, "ours.json");
  CHECK(session.diagnostics("train.py").size() == 1);
}

TEST_CASE("a baseline that is named and not there is told") {
  TempFolder folder;
  folder.write("train.py", kGuarded);
  folder.write("ranklint.toml", "baseline = \"known.json\"\n");
  Session session(folder.path());
  session.start();
  session.settle();
  CHECK(session.diagnostics("train.py").size() == 1);
  const Json told = session.next_of("window/showMessage");
  REQUIRE(told.is_object());
  CHECK(told["params"]["message"].get<std::string>().starts_with("ranklint: known.json: can not read the baseline"));
}

TEST_CASE("a C file counts as it is typed, and as it is on disk when it is closed") {
  const auto program = [](const std::string& guard) {
    return "#include <mpi.h>\nint main(int argc, char **argv) {\n  int rank;\n  MPI_Init(&argc, &argv);\n"
           "  MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n  " +
           guard + "MPI_Barrier(MPI_COMM_WORLD);\n  MPI_Finalize();\n}\n";
  };
  TempFolder folder;
  folder.write("main.c", program("if (rank == 0) "));
  Session session(folder.path());
  session.start();
  session.open("main.c", program("if (rank == 0) "));
  session.settle();
  CHECK(session.diagnostics("main.c").size() == 1);
  session.notify("textDocument/didChange", {{"textDocument", {{"uri", session.uri("main.c")}, {"version", 2}}},
                                            {"contentChanges", Json::array({Json{{"text", program("")}}})}});
  session.settle();
  CHECK(session.diagnostics("main.c").empty());
  session.notify("textDocument/didClose", {{"textDocument", document(session, "main.c")}});
  session.settle();
  CHECK(session.diagnostics("main.c").size() == 1);
}

// A program whose one fault may stand in a header that it includes through another.
struct WithHeader {
  const std::string guarded =
      "#include <mpi.h>\nstatic inline void meet(int rank) {\n  if (rank == 0) MPI_Barrier(MPI_COMM_WORLD);\n}\n";
  const std::string plain =
      "#include <mpi.h>\nstatic inline void meet(int rank) {\n  MPI_Barrier(MPI_COMM_WORLD);\n}\n";
  TempFolder folder;

  WithHeader() {
    folder.write("include/meet.h", plain);
    folder.write("through.h", "#include \"include/meet.h\"\n");
    folder.write("main.c",
                 "#include \"through.h\"\nint main(int argc, char **argv) {\n  int rank;\n  MPI_Init(&argc, &argv);\n"
                 "  MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n  meet(rank);\n  MPI_Finalize();\n}\n");
  }
};

TEST_CASE("a header counts as it is typed for those that include it, and as it is on disk when it is closed") {
  WithHeader project;
  Session session(project.folder.path());
  session.start();
  session.open("include/meet.h", project.plain);
  session.settle();
  CHECK(session.diagnostics("include/meet.h").empty());
  session.notify("textDocument/didChange",
                 {{"textDocument", {{"uri", session.uri("include/meet.h")}, {"version", 2}}},
                  {"contentChanges", Json::array({Json{{"text", "\n\n" + project.guarded}}})}});
  session.settle();
  const Json found = session.diagnostics("include/meet.h");
  REQUIRE(found.size() == 1);
  CHECK(found[0]["range"]["start"]["line"] == 4);  // of the text that is open
  project.folder.write("include/meet.h", "\n\n" + project.guarded);
  session.notify("textDocument/didSave", {{"textDocument", document(session, "include/meet.h")}});
  session.notify("textDocument/didClose", {{"textDocument", document(session, "include/meet.h")}});
  session.settle();
  CHECK(session.diagnostics("include/meet.h") == found);
  session.open("include/meet.h", "\n\n" + project.guarded);
  session.notify("textDocument/didChange", {{"textDocument", {{"uri", session.uri("include/meet.h")}, {"version", 2}}},
                                            {"contentChanges", Json::array({Json{{"text", project.plain}}})}});
  session.settle();
  CHECK(session.diagnostics("include/meet.h").empty());
  session.notify("textDocument/didClose", {{"textDocument", document(session, "include/meet.h")}});
  session.settle();
  CHECK(session.diagnostics("include/meet.h") == found);
}

TEST_CASE("a header that changes on disk counts for those that include it, and so does one that was missing") {
  WithHeader project;
  std::filesystem::remove(project.folder.path() + "/include/meet.h");
  Session session(project.folder.path());
  session.start();
  session.settle();
  CHECK(session.diagnostics("include/meet.h").empty());
  project.folder.write("include/meet.h", project.guarded);
  tell_of_change(session, "include/meet.h", 1);
  CHECK(session.diagnostics("include/meet.h").size() == 1);
  project.folder.write("include/meet.h", project.plain);
  tell_of_change(session, "include/meet.h");
  CHECK(session.diagnostics("include/meet.h").empty());
}

TEST_CASE("whoever can watch files is asked to watch all that are read") {
  TempFolder folder;
  Session session(folder.path());
  session.start({{"workspace", {{"didChangeWatchedFiles", {{"dynamicRegistration", true}}}}}});
  session.settle();
  const Json asked = session.next_of("client/registerCapability");
  REQUIRE(asked.is_object());
  const std::string watchers = asked["params"]["registrations"][0]["registerOptions"]["watchers"].dump();
  for (const char* part : {".py,", ".cu,", ".sh,", ".yaml,", ".hpp,", "toml,json", ".gitignore"})
    CHECK_THAT(watchers, Catch::Contains(part));
}

TEST_CASE("a folder that is added is checked, and of one that is removed nothing is left") {
  TempFolder folder;
  folder.write("one/train.py", kGuarded);
  folder.write("two/train.py", kGuarded);
  Session session(folder.path() + "/one");
  session.start();
  session.settle();
  CHECK(session.diagnostics("train.py").size() == 1);
  const std::string one = app::lsp::uri_of_path(folder.path() + "/one"),
                    two = app::lsp::uri_of_path(folder.path() + "/two");
  while (session.put_by() != 0) session.next();
  const auto change = [&](const Json& added, const Json& removed) {
    session.notify("workspace/didChangeWorkspaceFolders", {{"event", {{"added", added}, {"removed", removed}}}});
    session.settle();
  };
  change(Json::array({Json{{"uri", two}, {"name", "two"}}}), Json::array());
  const Json told = session.next_of("textDocument/publishDiagnostics");
  REQUIRE(told.is_object());
  CHECK(told["params"]["uri"] == two + "/train.py");
  CHECK(told["params"]["diagnostics"].size() == 1);
  change(Json::array(), Json::array({Json{{"uri", one}, {"name", "one"}}}));
  CHECK(session.diagnostics("train.py").empty());
  CHECK(session.next_of("textDocument/publishDiagnostics")["params"]["uri"] == one + "/train.py");
}

TEST_CASE("the client's own settings are asked for, and hold") {
  TempFolder folder;
  folder.write("train.py", kGuarded);
  Session session(folder.path());
  session.start({{"workspace", {{"configuration", true}}}});
  session.settle();
  CHECK(session.diagnostics("train.py").size() == 1);
  const Json asked = session.next_of("workspace/configuration");
  REQUIRE(asked.is_object());
  CHECK(asked["params"]["items"][0]["section"] == "ranklint");
  session.send({{"jsonrpc", "2.0"}, {"id", asked["id"]}, {"result", Json::array({Json{{"ignore", {"RL101"}}}})}});
  session.settle();
  CHECK(session.diagnostics("train.py").empty());
}

TEST_CASE("a setting that does not exist is told, and the others hold") {
  TempFolder folder;
  folder.write("train.py", kGuarded);
  Session session(folder.path());
  session.start(Json::object(),
                {{"settings", {{"minSeverity", "loud"}, {"minConfidence", ""}, {"ignore", {"RL101"}}}}});
  session.settle();
  CHECK(session.diagnostics("train.py").empty());
  CHECK(session.next_of("window/showMessage")["params"]["message"] ==
        "ranklint: the setting `minSeverity` is one of info, warning, error, not `loud`");
  CHECK(session.next_of("window/showMessage").is_null());
}

TEST_CASE("hints are shown to those who ask for them in their settings") {
  const bool wanted = GENERATE(false, true);
  TempFolder folder;
  folder.write("train.py", kGuarded);
  Session session(folder.path());
  session.start(Json::object(), wanted ? Json{{"settings", {{"inlayHints", true}}}} : Json::object());
  session.open("train.py", kGuarded);
  session.settle();
  const Json all{{"start", {{"line", 0}, {"character", 0}}}, {"end", {{"line", 9}, {"character", 0}}}};
  const Json hints = session.request("textDocument/inlayHint",
                                     {{"textDocument", document(session, "train.py")}, {"range", all}})["result"];
  CHECK(hints.size() == (wanted ? 1 : 0));
}

TEST_CASE("a fix is offered as an edit, and all safe ones of a file as one") {
  const std::string text =
      "import os\nimport glob\nimport torch.distributed as dist\n\ndef load(folder, tensors):\n"
      "    for name in glob.glob(folder + '/*.pt'):\n        dist.broadcast(tensors[name], 0)\n"
      "    dist.barrier()  # ranklint: ignore[rank-guarded-collective] of old\n";
  Opened opened(text);
  Session& session = opened.session;
  REQUIRE(session.diagnostics("train.py").size() == 2);
  const Json of_comment = actions(session, "train.py", 7, {"quickfix"});
  REQUIRE(of_comment.size() == 1);
  CHECK(of_comment[0]["title"] == "Remove the comment");
  CHECK(of_comment[0]["edit"]["changes"][session.uri("train.py")][0]["newText"] == "");
  const Json all = actions(session, "train.py", 0, {"source.fixAll"});
  REQUIRE(all.size() == 1);
  CHECK(all[0]["kind"] == "source.fixAll.ranklint");
  CHECK(all[0]["edit"]["changes"][session.uri("train.py")].size() >= 1);
}

TEST_CASE("a comment that suppresses is offered with a place for its reason") {
  TempFolder folder;
  folder.write("train.py", kGuarded);
  Session session(folder.path());
  session.start();
  session.open("train.py", kGuarded);
  session.settle();
  const Json offered = actions(session, "train.py", 2);
  const auto on_line = std::find_if(offered.begin(), offered.end(), [](const Json& a) {
    return a["title"].get<std::string>().find("on this line") != std::string::npos;
  });
  REQUIRE(on_line != offered.end());
  const Json edit = (*on_line)["edit"]["changes"][session.uri("train.py")][0];
  session.notify("textDocument/didChange",
                 {{"textDocument", {{"uri", session.uri("train.py")}, {"version", 2}}},
                  {"contentChanges", Json::array({Json{{"range", edit["range"]}, {"text", edit["newText"]}}})}});
  session.settle();
  CHECK(session.diagnostics("train.py").empty());
}

TEST_CASE("a rule's name in a comment is explained") {
  const std::string text = std::string(kImport) + "dist.barrier()  # ranklint: ignore[rank-guarded-collective] why\n";
  Opened opened(text);
  Session& session = opened.session;
  const Json told = session.hover(1, 45);
  REQUIRE(told.is_object());
  CHECK(told["contents"]["value"].get<std::string>().find("rank-guarded-collective") != std::string::npos);
}

TEST_CASE("a collective is explained: its operation, its group, who gets there and where ranks part") {
  const std::string text = std::string(kImport) +
                           "def step(x, dp):\n    dist.all_reduce(x, group=dp)\n    if dist.get_rank() == 0:\n        "
                           "dist.barrier(group=dp)\n"
                           "    else:\n        dist.barrier(group=dp)\n";
  Opened opened(text);
  Session& session = opened.session;
  REQUIRE(session.diagnostics("train.py").empty());
  const auto hover_on = [&](int line) { return session.hover(line, 14).dump(); };
  for (const char* told : {"`all_reduce` is a collective", "group: `dp`", "Every rank that enters this function"})
    CHECK(hover_on(2).find(told) != std::string::npos);
  for (const char* told : {"`barrier` is a collective", "only where", "(line 4)", "ranks of `world` differ"})
    CHECK(hover_on(4).find(told) != std::string::npos);
  CHECK(hover_on(1) == "null");
}

TEST_CASE("a finding is explained with both ranks' ways, and calls the loop's variable by its name") {
  const std::string text = std::string(kImport) +
                           "def train(loader):\n    for step, batch in enumerate(loader):\n"
                           "        if dist.get_rank() == 0 and (step + 1) % 50 == 0:\n            dist.barrier()\n";
  Opened opened(text);
  Session& session = opened.session;
  const std::string shown = session.hover(4, 14).dump();
  for (const char* told :
       {"**rank 0**", "**the other ranks**", "never call `barrier`", "assuming `(step + 1) % 50 == 0` holds"})
    CHECK(shown.find(told) != std::string::npos);
}

TEST_CASE("a check of all files steps back for the thread that answers, which does not") {
  app::Engine engine = app::real_engine();
  std::mutex mutex;
  std::set<int> seen;
  engine.findings_of = [&, real = engine.findings_of](const Analysis& analysis, std::span<const Rule> rules) {
    const std::lock_guard lock(mutex);
    seen.insert(::getpriority(PRIO_PROCESS, 0));
    return real(analysis, rules);
  };
  TempFolder folder;
  folder.write("train.py", kImport);
  const int ours = ::getpriority(PRIO_PROCESS, 0);
  Session session(folder.path(), engine);
  session.start();
  session.settle();
  CHECK(seen == std::set<int>{std::min(ours + 10, 19)});
  session.open("train.py", kGuarded);
  session.settle();
  CHECK(seen.contains(ours));
}

TEST_CASE("an open file of a language that this build cannot read says so") {
  app::Engine engine = app::real_engine();
  engine.missing_frontend = [](const std::string& path, bool) {
    return path.ends_with(".c")
               ? std::optional(app::MissingFrontend{"C file", "no frontend for C", "use another build"})
               : std::nullopt;
  };
  TempFolder folder;
  folder.write("main.c", "int main(void) {}\n");
  folder.write("other.c", "int one(void) {}\n");
  Session session(folder.path(), engine);
  session.start();
  session.open("main.c", "int main(void) {}\n");
  session.settle();
  REQUIRE(session.diagnostics("main.c").size() == 1);
  CHECK(session.diagnostics("main.c")[0]["message"] == "can not be read: no frontend for C; use another build");
  CHECK(session.diagnostics("other.c").empty());
}

TEST_CASE("nobody waits while a C file is read that somebody types into") {
  app::Engine engine = app::real_engine();
  std::promise<void> answered;
  const std::shared_future<void> is_answered = answered.get_future().share();
  engine.frontend = [is_answered, real = engine.frontend](const app::Reading& reading) -> Result<Frontend> {
    return Frontend([is_answered, read = real(reading).value()](const std::string& path, std::string_view bytes) {
      if (bytes.find("typed") != bytes.npos) is_answered.wait_for(std::chrono::seconds(60));
      return read(path, bytes);
    });
  };
  TempFolder folder;
  folder.write("main.c", "int main(void) {}\n");
  folder.write("train.py", kGuarded);
  Session session(folder.path(), engine);
  session.start();
  session.open("main.c", "int main(void) {}\n");
  session.open("train.py", kGuarded);
  session.settle();
  session.notify("textDocument/didChange",
                 {{"textDocument", {{"uri", session.uri("main.c")}, {"version", 2}}},
                  {"contentChanges", Json::array({Json{{"text", "int main(void) {}  // typed\n"}}})}});
  const auto start = std::chrono::steady_clock::now();
  CHECK(session.hover(2, 10).is_object());
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(30));
  answered.set_value();
  session.settle();
}

TEST_CASE("a request that waits for the first check and is taken back is answered as cancelled, and no other is") {
  app::Engine engine = app::real_engine();
  std::promise<void> answered;
  const std::shared_future<void> is_answered = answered.get_future().share();
  engine.findings_of = [is_answered, real = engine.findings_of](const Analysis& analysis, std::span<const Rule> rules) {
    is_answered.wait_for(std::chrono::seconds(60));
    return real(analysis, rules);
  };
  TempFolder folder;
  folder.write("train.py", kGuarded);
  Session session(folder.path(), engine);
  session.start({{"textDocument", {{"diagnostic", Json::object()}}}});
  for (const int id : {1, 2})
    session.send({{"jsonrpc", "2.0"},
                  {"id", id},
                  {"method", "textDocument/diagnostic"},
                  {"params", {{"textDocument", document(session, "train.py")}}}});
  session.notify("$/cancelRequest", {{"id", 1}});
  const Json first = next_answer(session);
  answered.set_value();
  CHECK(first["id"] == 1);
  CHECK(first["error"]["code"] == -32800);
  const Json second = next_answer(session);
  CHECK(second["id"] == 2);
  CHECK(second["result"]["items"].size() == 1);
}

// Whatever is asked, in whatever order and however often it is taken back, is answered once.
TEST_CASE("each request is answered exactly once") {
  TempFolder folder;
  folder.write("train.py", kGuarded);
  Session session(folder.path());
  session.start({{"textDocument", {{"diagnostic", Json::object()}}},
                 {"workspace", {{"diagnostics", {{"refreshSupport", true}}}}}});
  session.open("train.py", kGuarded);
  static const std::vector<std::string> kMethods{"textDocument/diagnostic", "textDocument/hover",
                                                 "workspace/diagnostic", "nobody/knows", "ranklint/settle"};
  constexpr int kRequests = 400;
  for (int id = 0; id < kRequests; ++id) {
    session.send(
        {{"jsonrpc", "2.0"},
         {"id", id},
         {"method", kMethods[static_cast<size_t>(id) % kMethods.size()]},
         {"params", {{"textDocument", document(session, "train.py")}, {"position", {{"line", 2}, {"character", 5}}}}}});
    if (id % 3 == 0) session.notify("$/cancelRequest", {{"id", id}});
    if (id % 7 == 0)
      session.notify("textDocument/didChange",
                     {{"textDocument", {{"uri", session.uri("train.py")}, {"version", id + 2}}},
                      {"contentChanges", Json::array({Json{{"text", id % 2 ? kGuarded : kImport}}})}});
  }
  session.settle();
  std::multiset<int> answered;
  while (session.put_by() != 0)
    if (const Json message = session.next(); message.contains("id") && !message.contains("method"))
      answered.insert(message["id"].get<int>());
  CHECK(answered.size() == kRequests);
  CHECK(std::set<int>(answered.begin(), answered.end()).size() == kRequests);
}

}  // namespace
}  // namespace ranklint::test
