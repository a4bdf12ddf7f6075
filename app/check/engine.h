// What a command calls to have sources judged. The real one is in app/engine; tests hand in their own.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/ir/ir.h"
#include "analyzer/project/project.h"
#include "analyzer/resolve/models.h"
#include "app/cache/source_store.h"
#include "app/check/io.h"
#include "app/files/observed_files.h"
#include "app/files/open_files.h"
#include "app/report/report.h"
#include "rules/finding.h"
#include "rules/rule.h"

namespace ranklint::app {

// How sources are read in a run.
struct Reading {
  std::string cwd;           // what paths are relative to
  std::string build_folder;  // where compile_commands.json lies; empty: it is looked for, from each file upwards
  bool again = false;        // the same files are read many times, as they change
  std::shared_ptr<OpenFiles> open = {};          // of an editor; null: there is none
  std::shared_ptr<ObservedFiles> observed = {};  // records what is read beside the sources; null: it is not recorded
  std::shared_ptr<const SourceStore> kept = {};  // of earlier runs; null: there is none
};

// A language that this build cannot read.
struct MissingFrontend {
  std::string kind;  // a file of it: "C or C++ file"
  std::string why;   // "this build of ranklint has no frontend for C and C++"
  std::string way_out;
};

struct Engine {
  std::function<Models()> builtin_models;
  std::function<Result<Frontend>(const Reading&)> frontend;
  // By the file's name; nothing: it can be read. Without `load`, a frontend that is installed and broken counts as good
  // until something loads it. Null: every file can be read.
  std::function<std::optional<MissingFrontend>(const std::string& path, bool load)> missing_frontend = {};
  std::function<Analysis(std::vector<SourceFile>, const Models&, const Frontend&, const AnalysisOptions&)> analyze;
  // Whether a file may communicate by its own text: a frontend is loaded for it. Null: every file may.
  std::function<bool(const std::string& path, std::string_view bytes)> communicates = {};
  // What the rules found that were among the analysis's passes.
  std::function<std::vector<Finding>(const Analysis&, std::span<const Rule>)> findings_of;
  // Runs the witness of every finding, gives it its verdict and takes out what was refuted.
  std::function<Verified(std::vector<Finding>&)> verify;
  std::span<const Rule> rules;
  // What the engine is: its build, and the user's rules by their text. The same sources, models and settings give the
  // same with an engine of the same identity. Empty: it is not known, and nothing is kept of what is found.
  std::string identity = {};
  std::span<const std::string_view> variables = {};  // of the environment, that the frontends read
  std::function<std::string_view(std::string_view id)> rule_page;
  std::function<std::string(OutputFormat, const ReportInput&)> render;
  std::function<int(const Engine&, const Io&)> serve = {};  // the language server
};

}  // namespace ranklint::app
