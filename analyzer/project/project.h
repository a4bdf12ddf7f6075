// All files of a check, from bytes to what is found. The one entry to the analyser.
#pragma once

#include <algorithm>
#include <any>
#include <concepts>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "analyzer/ir/ir.h"
#include "analyzer/resolve/models.h"
#include "analyzer/summary/incomplete.h"

namespace ranklint {

class Query;    // analyzer/summary/query.h
struct Shared;  // analyzer/project/shared.h
namespace machine {
struct Program;  // analyzer/machine/program.h
}

struct SourceFile {
  std::string path;  // as it is to be shown; '/'-separated
  std::string bytes;
  bool reported = true;  // false: read for resolution only, nothing in it is reported
};

// What is to be known of a file beside findings.
struct FileNotes {
  std::string path;
  std::vector<ir::Pragma> pragmas;
  std::vector<ir::Diagnostic> diagnostics;  // what could not be parsed
  uint32_t unknown_count = 0;               // constructs lowered to `unknown`
};

// What a frontend makes of one file: its module, which comes first, and those of other files that it read on the way
// (headers); and the file's part of an MPI program, where it may be one (analyzer/machine/program.h).
struct LoweredSource {
  std::vector<ir::Module> modules = {};
  std::shared_ptr<const machine::Program> program = {};
  std::string broken = {};  // BrokenPiece::what, where a bug of ours kept the file from being read

  LoweredSource() = default;
  LoweredSource(std::vector<ir::Module> m, std::shared_ptr<const machine::Program> p = {})
      : modules(std::move(m)), program(std::move(p)) {}
};

// What a bug of ours kept from being judged: a function, a whole file (no function) or a stage of the check (no path).
struct BrokenPiece {
  std::string path = {};
  uint32_t line = 0;          // where the function begins; 0: not known
  std::string function = {};  // its qualified name
  std::string stage = {};     // "summary", "comparison of ranks", "reading"
  std::string what = {};      // which invariant was broken, or which exception was thrown
};

// Reads files of every language. It must be callable from several threads at once.
class Frontend {
 public:
  using Lower = std::function<LoweredSource(const std::string& path, std::string_view bytes)>;
  using CanWait = std::function<bool(const std::string& path, std::string_view bytes)>;

  Frontend() = default;  // to be assigned

  template <std::convertible_to<Lower> L>
    requires(!std::same_as<std::remove_cvref_t<L>, Frontend>)
  Frontend(L&& lower, CanWait can_wait = {}) : lower_(std::forward<L>(lower)), can_wait_(std::move(can_wait)) {}

  LoweredSource operator()(const std::string& path, std::string_view bytes) const { return lower_(path, bytes); }
  // Whether a file communicates only if it calls a function of another file that does: it is read when it names one.
  bool can_wait(const std::string& path, std::string_view bytes) const { return can_wait_ && can_wait_(path, bytes); }

 private:
  Lower lower_;
  CanWait can_wait_;  // empty: every file is read
};

// What is looked for in the functions that are judged. It asks a query of its own, on a thread of its own, and knows
// what the analysis found for all; what it returns must not refer to the query, which is gone by then.
struct Pass {
  std::string name;  // as a stage: "rule p2p-self"
  std::function<std::any(const Query& in, const Shared& shared)> find;
  bool reads_messages = false;  // Shared::messages: it runs when they are known, the others beside the search
};

struct AnalysisOptions {
  unsigned threads = 0;  // 0: as many as the machine has
  unsigned thread_count() const { return threads ? threads : std::max(1u, std::thread::hardware_concurrency()); }
  // The last parts of the names of the calls that rules ask for (Rule::calls): Shared::calls has them.
  std::vector<std::string> watched = {};
  std::vector<Pass> passes = {};
  // Called from one thread with the number of files done and of all; may be empty.
  std::function<void(size_t done, size_t all)> progress = {};
  // Called where a stage of the check begins with a function, from the thread that runs it: who counts sees how far it
  // is, and a test lets it throw.
  std::function<void(std::string_view stage, std::string_view function)> probe = {};
  bool replays = false;  // findings are to say what every rank does, for a run
};

struct Analysis {
  std::vector<FileNotes> files;  // sorted by path
  std::shared_ptr<const Shared> shared;
  std::map<std::string, std::any> found;  // by each pass, by its name; without those in which a bug of ours showed
  size_t function_count = 0;
  size_t communicating_function_count = 0;          // those that communicate, themselves or through what they call
  size_t unresolved_call_count = 0;                 // calls on communicating paths that have neither a body nor a model
  uint64_t work = 0;                                // done for single functions (analyzer/base/work_limit.h)
  std::vector<IncompleteFunction> incomplete = {};  // functions that were not judged to the end, by path and line
  std::vector<BrokenPiece> broken;                  // bugs of ours: files by path, then functions as they were met
  // Whether another run of the same finds the same: false where a file took too long to be read, or where the machine
  // gave too little stack to follow calls as far down as elsewhere.
  bool is_repeatable = true;
};

// Reads and judges all files together. The result does not depend on the order of `files` or on the threads.
Analysis analyze(std::vector<SourceFile> files, const Models& models, const Frontend& frontend,
                 const AnalysisOptions& options);

}  // namespace ranklint
