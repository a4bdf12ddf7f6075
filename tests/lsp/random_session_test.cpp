// A long session of random edits in which, edit by edit, what the server has published is compared with a fresh check
// of the same texts. Some edits come while the check of the one before is still running, which breaks it off; now and
// then a file gets another name. RANKLINT_EDITS says how many; the edits follow from the seed alone.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
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
      {"train.py",
       "import torch.distributed as dist\nfrom sync import wait, report, Meter\n\n\ndef step(model, loss):\n    meter "
       "= Meter()\n"
       "    if dist.get_rank() == 0:\n        wait()\n    meter.add(loss)\n    for i in range(dist.get_rank()):\n      "
       "  meter.flush()\n"
       "    report(meter)\n"},
      {"sync.py",
       "import torch.distributed as dist\n\n\ndef wait():\n    dist.barrier()\n\n\nclass Meter:\n    def "
       "__init__(self):\n        self.group = None\n\n"
       "    def add(self, x):\n        if x is None:\n            return\n        dist.all_reduce(x)\n\n    def "
       "flush(self):\n        wait()\n\n\n"
       "def report(meter):\n    if dist.get_rank() == 0:\n        meter.flush()\n"},
      {"main.py",
       "import train\nimport torch.distributed as dist\n\n\ndef main():\n    rank = dist.get_rank()\n    try:\n        "
       "train.step(None, 1)\n"
       "    except ValueError:\n        pass\n    if rank == 0:\n        print('é𝄞')\n    dist.barrier()\n"}};
  return kFiles;
}

using Told =
    std::set<std::tuple<std::string, std::string, uint32_t, uint32_t>>;  // path, code, line, column of a client

// What a file is called for a while.
std::string other_name(const std::string& path) { return path == "sync.py" ? "barriers.py" : "sync.py"; }

Told told_by(const Session& session) {
  Told told;
  std::map<std::string, std::string> paths = project();
  paths["barriers.py"] = {};
  for (const auto& [path, text] : paths)
    for (const Json& d : session.diagnostics(path))
      told.insert({path, d["code"].get<std::string>(), d["range"]["start"]["line"].get<uint32_t>(),
                   d["range"]["start"]["character"].get<uint32_t>()});
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
  const std::shared_ptr<const app::lsp::Outcome> outcome = app::lsp::check(job);
  Told told;
  for (const Finding& finding : outcome->findings) {
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
    static const std::vector<std::string> kTyped{"x",
                                                 "(",
                                                 ")",
                                                 ":",
                                                 "\n",
                                                 "    ",
                                                 "'",
                                                 "#",
                                                 " = ",
                                                 "if dist.get_rank() == 0:\n        ",
                                                 "return\n",
                                                 "dist.barrier()\n",
                                                 "wait()\n",
                                                 "def f():\n    pass\n",
                                                 "é",
                                                 "𝄞",
                                                 "\r\n",
                                                 ".",
                                                 "self.",
                                                 "\"\"\"",
                                                 "",
                                                 "import train\n",
                                                 "from sync import wait\n",
                                                 "@",
                                                 "lambda: ",
                                                 "class Meter(",
                                                 "dist.get_rank()",
                                                 "[",
                                                 "for r in "};
    return kTyped[below(kTyped.size())];
  }

  // Half-typed, then whole: another signature, base or import, or a line that is gone.
  app::lsp::Span line(const std::string& text) {
    const size_t at = below(text.size() + 1);
    const size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1, end = std::min(text.find('\n', at), text.size());
    return {begin, end};
  }
  std::string rewritten(const std::string& line) {
    std::string text = line;
    const auto replace = [&](std::string_view what, std::string_view by) {
      if (const size_t at = text.find(what); at != std::string::npos) text.replace(at, what.size(), by);
    };
    switch (below(5)) {
      case 0: return "";
      case 1: replace("():", "(flag=None):"); break;
      case 2: replace("self, ", "self, *args, "); break;
      case 3: replace("import ", "import os, "); break;
      default: replace("rank() == 0", "rank() != 0"); break;
    }
    return text;
  }

 private:
  static size_t character(const std::string& text, size_t at) {
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) ++at;
    return at;
  }
  std::mt19937 random_;
};

// The client's side of the session, and what the texts are.
class Typist {
 public:
  Typist(TempFolder& folder, uint32_t seed) : edits(seed), folder_(folder), session_(folder.path()) {
    session_.start();
    for (const auto& [path, text] : texts) session_.open(path, text);
  }

  // Changes one of the files somehow; its path.
  std::string edit() {
    auto file = texts.begin();
    std::advance(file, edits.below(texts.size()));
    const std::string path = file->first;
    if (edits.below(40) == 0 && !path.starts_with("main") && !path.starts_with("train")) return rename(path);
    std::string& text = file->second;
    Json change;
    if (edits.below(10) == 0) {
      text = original(path);
      change = {{"text", text}};
    } else {
      const bool whole_line = edits.below(5) == 0;
      const app::lsp::Span span = whole_line ? edits.line(text) : edits.place(text);
      const std::string typed =
          whole_line ? edits.rewritten(text.substr(span.begin, span.end - span.begin)) : edits.typed();
      change = {{"range", app::lsp::range_of(app::lsp::TextLines(text), span, app::lsp::Encoding::Utf16)},
                {"text", typed}};
      text = app::lsp::changed_text(text, Json::array({change}), app::lsp::Encoding::Utf16);
    }
    session_.notify("textDocument/didChange", {{"textDocument", {{"uri", session_.uri(path)}, {"version", ++version_}}},
                                               {"contentChanges", {change}}});
    return path;
  }

  // Asks for the file's findings, which the server then sends as they are.
  bool hover(const std::string& path) {
    return session_
        .request("textDocument/hover",
                 {{"textDocument", {{"uri", session_.uri(path)}}}, {"position", {{"line", 0}, {"character", 0}}}})
        .contains("result");
  }
  bool settle() {
    const bool answered = session_.request("ranklint/settle", Json()).contains("result");
    while (session_.put_by() != 0) session_.next();
    return answered;
  }
  Told told() const { return told_by(session_); }

  Edits edits;
  std::map<std::string, std::string> texts = project();

 private:
  static const std::string& original(const std::string& path) {
    return project().at(path == "barriers.py" ? "sync.py" : path);
  }

  std::string rename(const std::string& path) {
    const std::string to = other_name(path);
    folder_.write(to, original(path));
    std::filesystem::remove(folder_.path() + "/" + path);
    session_.notify("textDocument/didClose", {{"textDocument", {{"uri", session_.uri(path)}}}});
    session_.notify(
        "workspace/didChangeWatchedFiles",
        {{"changes", {{{"uri", session_.uri(path)}, {"type", 3}}, {{"uri", session_.uri(to)}, {"type", 1}}}}});
    texts[to] = texts.at(path);
    texts.erase(path);
    session_.open(to, texts[to]);
    return to;
  }

  TempFolder& folder_;
  Session session_;
  int version_ = 1;
};

TEST_CASE("after each of many random edits, what is shown is what a fresh check finds") {
  TempFolder folder;
  for (const auto& [path, text] : project()) folder.write(path, text);
  const char* asked = std::getenv("RANKLINT_EDITS");
  const int count = asked ? std::atoi(asked) : 60;
  const app::Engine engine = app::real_engine();
  std::ostringstream ignored;
  const app::Io io{.read_stdin = {},
                   .out = ignored,
                   .err = ignored,
                   .environment = [](const std::string&) { return std::optional<std::string>(); },
                   .cwd = folder.path()};
  app::lsp::Inbox inbox;
  app::lsp::LoadJob load;
  load.root = folder.path();
  const auto loaded = app::lsp::load(load, engine, io, inbox);

  Typist typist(folder, 1);
  size_t findings = 0;
  int at_once = 0, overtaken = 0;  // `at_once`: the edited file's findings were right before all files had been checked
  for (int i = 0; i < count; ++i) {
    const std::string path = typist.edit();
    REQUIRE(typist.hover(path));
    if (typist.edits.below(4) == 0 && i + 1 < count) {  // the next one comes before the check is done
      ++overtaken;
      continue;
    }
    const Told first = typist.told();
    REQUIRE(typist.settle());
    const Told fresh = told_fresh(typist.texts, *loaded);
    INFO("edit " << i << " in " << path << ":\n" << typist.texts.at(path));
    REQUIRE(typist.told() == fresh);
    findings += fresh.size();
    at_once += of_file(first, path) == of_file(fresh, path);
  }
  CHECK(findings > 0);
  INFO(at_once << " of " << count << ", " << overtaken << " overtaken");
  CHECK(at_once * 10 >= (count - overtaken) * 9);
}

}  // namespace
}  // namespace ranklint::test
