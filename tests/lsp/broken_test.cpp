// A bug of ours shows while the server checks: the client receives a message, and the server goes on.
#include <catch2/catch.hpp>

#include <atomic>
#include <new>

#include "analyzer/base/check.h"
#include "app/engine/engine.h"
#include "tests/app/world.h"
#include "tests/lsp/session.h"

namespace ranklint::test {
namespace {

// An engine whose rules break as long as `is_broken` is set.
app::Engine breaking(const std::atomic<bool>& is_broken, std::atomic<int>& runs) {
  app::Engine engine = app::real_engine();
  engine.findings_of = [&, real = engine.findings_of](const Analysis& analysis, std::span<const Rule> rules) {
    ++runs;
    RANKLINT_CHECK(!is_broken, "rules that hold");
    return real(analysis, rules);
  };
  return engine;
}

// The file, followed by `more`.
void edit(Session& session, int version, const std::string& more) {
  session.notify("textDocument/didChange", {{"textDocument", {{"uri", session.uri("train.py")}, {"version", version}}},
                                            {"contentChanges", Json::array({Json{{"text", kGuarded + more}}})}});
}

void open_guarded(const TempFolder& folder, Session& session) {
  folder.write("train.py", kGuarded);
  session.start();
  session.open("train.py", kGuarded);
  session.settle();
}

// The messages that were shown since it was last asked, each followed by a line feed.
std::string shown(Session& session) {
  std::string all;
  while (session.put_by() != 0)
    if (const Json message = session.next(); message.value("method", "") == "window/showMessage")
      all += message["params"]["message"].get<std::string>() + "\n";
  return all;
}

size_t count(const std::string& text, const std::string& part) {
  size_t n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("a bug while all files are checked is shown, and the next check finds what there is") {
  std::atomic<bool> is_broken = true;
  std::atomic<int> runs = 0;
  const TempFolder folder;
  Session session(folder.path(), breaking(is_broken, runs));
  open_guarded(folder, session);
  const std::string message = shown(session);
  CHECK(message.find("rules that hold (!is_broken)") != std::string::npos);
  CHECK(message.find("please report") != std::string::npos);
  CHECK(session.diagnostics("train.py").empty());
  CHECK(runs <= 2);  // of the folder, and of the file where that was opened later: it is not tried again and again

  is_broken = false;
  edit(session, 2, "\n");
  session.settle();
  CHECK(session.diagnostics("train.py").size() == 1);
  CHECK(session.finish() == 1);
}

TEST_CASE("a bug while an edit is judged is shown once, and the server goes on") {
  std::atomic<bool> is_broken = false;
  std::atomic<int> runs = 0;
  const TempFolder folder;
  Session session(folder.path(), breaking(is_broken, runs));
  open_guarded(folder, session);
  CHECK(session.diagnostics("train.py").size() == 1);
  is_broken = true;
  for (int version = 2; version < 5; ++version) edit(session, version, std::string(version, '\n'));
  session.settle();
  const std::string messages = shown(session);
  CHECK(count(messages, "rules that hold") >= 1);
  CHECK(count(messages, "rules that hold") <= 2);  // of the edit, and of the check of all
  is_broken = false;
  edit(session, 9, "x = 1\n");
  session.settle();
  CHECK(session.diagnostics("train.py").size() == 1);
}

}  // namespace ranklint::test
