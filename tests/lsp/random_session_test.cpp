// A long session of random edits in which, edit by edit, what the server has published is compared with a fresh check of the
// same texts. RANKLINT_EDITS says how many; the edits follow from the seed alone.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <random>
#include <set>

#include "app/engine/engine.h"
#include "app/lsp/checker.h"
#include "tests/app/world.h"
#include "tests/lsp/session.h"
#include "tests/support/support.h"

namespace ranklint::test {
namespace {

const std::map<std::string, std::string>& project() {
  static const std::map<std::string, std::string> kFiles{
      {"train.py", "import torch.distributed as dist\nfrom sync import wait, Meter\n\n\ndef step(model, loss):\n    meter = Meter()\n"
                   "    if dist.get_rank() == 0:\n        wait()\n    meter.add(loss)\n    for i in range(dist.get_rank()):\n        meter.flush()\n"},
      {"sync.py", "import torch.distributed as dist\n\n\ndef wait():\n    dist.barrier()\n\n\nclass Meter:\n    def __init__(self):\n        self.group = None\n\n"
                  "    def add(self, x):\n        if x is None:\n            return\n        dist.all_reduce(x)\n\n    def flush(self):\n        wait()\n"},
      {"main.py", "import train\nimport torch.distributed as dist\n\n\ndef main():\n    rank = dist.get_rank()\n    try:\n        train.step(None, 1)\n"
                  "    except ValueError:\n        pass\n    if rank == 0:\n        print('é𝄞')\n    dist.barrier()\n"}};
  return kFiles;
}

using Told = std::set<std::tuple<std::string, std::string, uint32_t, uint32_t>>;  // path, code, line, column of a client

Told told_by(const Session& session) {
  Told told;
  for (const auto& [path, text] : project())
    for (const Json& d : session.diagnostics(path))
      told.insert({path, d["code"].get<std::string>(), d["range"]["start"]["line"].get<uint32_t>(), d["range"]["start"]["character"].get<uint32_t>()});
  return told;
}

Told of_file(const Told& all, const std::string& path) {
  Told some;
  for (const auto& told : all)
    if (std::get<0>(told) == path) some.insert(told);
  return some;
}

Told told_fresh(const std::map<std::string, std::string>& texts, const app::lsp::Loaded& loaded) {
  const app::Engine& engine = loaded.rules->engine;
  Workspace workspace(engine.frontend({.cwd = loaded.root, .build_folder = ""}).value());
  app::lsp::CheckJob job;
  job.root = loaded.root;
  job.settings = loaded.settings;
  job.models = loaded.models;
  job.rules = loaded.rules;
  for (const auto& [path, text] : texts) {
    workspace.put({.path = path, .bytes = text});
    job.buffers[path] = std::make_shared<const std::string>(text);
  }
  job.files = workspace.snapshot();
  Told told;
  for (const Finding& finding : app::lsp::check(job)->findings) {
    const app::lsp::TextLines lines(texts.at(finding.primary.path));
    const app::lsp::Position at = lines.position(lines.span(finding.primary.range).begin, app::lsp::Encoding::Utf16);
    told.insert({finding.primary.path, finding.code, at.line, at.character});
  }
  return told;
}

class Edits {
 public:
  explicit Edits(uint32_t seed) : random_(seed) {}
  size_t below(size_t n) { return n == 0 ? 0 : random_() % n; }

  // Mostly what somebody types; now and then a line is gone or comes twice, or the text is the first again.
  app::lsp::Span place(const std::string& text) {
    const size_t begin = below(text.size() + 1);
    const size_t length = below(3) == 0 ? below(20) : 0;
    return {character(text, begin), character(text, std::min(text.size(), begin + length))};
  }
  std::string typed() {
    static const std::vector<std::string> kTyped{"x", "(", ")", ":", "\n", "    ", "'", "#", " = ", "if dist.get_rank() == 0:\n        ", "return\n",
                                                 "dist.barrier()\n", "wait()\n", "def f():\n    pass\n", "é", "𝄞", "\r\n", ".", "self.", "\"\"\"", ""};
    return kTyped[below(kTyped.size())];
  }

 private:
  static size_t character(const std::string& text, size_t at) {
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) ++at;
    return at;
  }
  std::mt19937 random_;
};

TEST_CASE("after each of many random edits, what is shown is what a fresh check finds") {
  TempFolder folder;
  for (const auto& [path, text] : project()) folder.write(path, text);
  const char* asked = std::getenv("RANKLINT_EDITS");
  const int count = asked ? std::atoi(asked) : 60;
  const app::Engine engine = app::real_engine();
  std::ostringstream ignored;
  const app::Io io{.read_stdin = {}, .out = ignored, .err = ignored, .environment = [](const std::string&) { return std::optional<std::string>(); }, .cwd = folder.path()};
  app::lsp::Inbox inbox;
  app::lsp::LoadJob load;
  load.root = folder.path();
  const auto loaded = app::lsp::load(load, engine, io, inbox);

  Session session(folder.path());
  session.start();
  std::map<std::string, std::string> texts = project();
  for (const auto& [path, text] : texts) session.open(path, text);
  Edits edits(1);
  size_t findings = 0;
  int at_once = 0;  // edits behind which the edited file's findings were right before all files had been checked
  for (int i = 0; i < count; ++i) {
    auto file = texts.begin();
    std::advance(file, edits.below(texts.size()));
    std::string& text = file->second;
    Json change;
    if (edits.below(10) == 0) {
      text = project().at(file->first);
      change = {{"text", text}};
    } else {
      const app::lsp::Span span = edits.place(text);
      const std::string typed = edits.typed();
      const app::lsp::TextLines lines(text);
      change = {{"range", app::lsp::range_of(lines, span, app::lsp::Encoding::Utf16)}, {"text", typed}};
      text = app::lsp::changed_text(text, Json::array({change}), app::lsp::Encoding::Utf16);
    }
    session.notify("textDocument/didChange", {{"textDocument", {{"uri", session.uri(file->first)}, {"version", i + 2}}}, {"contentChanges", {change}}});
    REQUIRE(session.request("textDocument/hover", {{"textDocument", {{"uri", session.uri(file->first)}}}, {"position", {{"line", 0}, {"character", 0}}}}).contains("result"));
    const Told first = told_by(session);
    REQUIRE(session.request("ranklint/settle", Json()).contains("result"));
    while (session.put_by() != 0) session.next();
    const Told fresh = told_fresh(texts, *loaded);
    INFO("edit " << i << " in " << file->first << ":\n" << text);
    REQUIRE(told_by(session) == fresh);
    findings += fresh.size();
    at_once += of_file(first, file->first) == of_file(fresh, file->first);
  }
  CHECK(findings > 0);
  INFO(at_once << " of " << count);
  CHECK(at_once * 10 >= count * 9);
}

}  // namespace
}  // namespace ranklint::test
