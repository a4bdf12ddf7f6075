// A folder of its own on disk, and an engine that finds what a word in the source asks for, so that the command
// line is tested without the analysis:
//
//   BUG      rank-guarded-collective, certain        LOOP     rank-dependent-loop, certain
//   MAYBE    rank-guarded-collective, possible       AUDIT    redundant-guard, information
//   SYNTAX   a place that does not parse             HUGE     a function that is not followed to the end
//
// It has no frontend for `.cxx` files.
//
// Its reports are one line a finding: `path:line:column CODE message`.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "app/check/engine.h"
#include "app/cli/run.h"

namespace ranklint::test {

class TempFolder {
 public:
  TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder();

  std::string path() const { return path_.string(); }
  void write(const std::string& relative, const std::string& text) const;
  std::string read(const std::string& relative) const;

 private:
  std::filesystem::path path_;
};

// What the fake engine was asked, for tests of what reaches it.
struct EngineLog {
  std::vector<std::string> read_paths;      // of all files, sorted
  std::vector<std::string> reported_paths;  // of those that are reported
  unsigned threads = 0;
  bool color = false;
  unsigned width = 0;
  bool statistics = false;
  OutputFormat format = OutputFormat::Full;
  size_t suppressed = 0;
  size_t broken_files = 0;
  std::vector<UnreadFiles> unread;
  std::vector<IncompletePlace> incomplete;
  bool failed = false;
};

app::Engine fake_engine(EngineLog& log);

struct Outcome {
  int status = 0;
  std::string out;
  std::string err;
  EngineLog log;
};

struct World {
  TempFolder folder;
  std::string stdin_text;
  std::map<std::string, std::string> environment;
  bool terminal = false;
  std::function<void()> after_report;  // called when a check has reported
  int stop_fd = -1;
  std::string subfolder;  // where the command is run, relative to the folder
  std::string identity;   // of the engine; empty: nothing is kept

  Outcome run(const std::vector<std::string>& args) const;
};

std::span<const Rule> fake_rules();

}  // namespace ranklint::test
