// The files of a run: found, read, and what could not be.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/project/project.h"
#include "app/check/engine.h"
#include "app/check/io.h"
#include "app/check/options.h"
#include "app/check/settings.h"

namespace ranklint::app {

// A file that could not be read, or not as text.
struct SourceProblem {
  Location location;
  std::string message;
  bool is_unread = false;  // nothing of it was read
};

// A file that was to be reported on and was not read.
struct UnreadSource {
  std::string path;
  std::string kind;  // "C or C++ file"
  std::string why;
  std::string way_out;    // may be empty
  bool is_named = false;  // on the command line: the run fails
};

struct Sources {
  std::vector<SourceFile> files;
  std::vector<SourceProblem> problems;
  std::vector<UnreadSource> unread;      // those among the problems, too
  std::set<std::string> named;           // of the files, those that were named themselves
  std::vector<std::string> headers;      // named, to be read with the sources that include them
  std::vector<std::string> passed_over;  // what to say of named files that are not read
  bool is_import_limited = false;        // more is imported than kMostImported files
};

// The most files that are read because others import them.
inline constexpr size_t kMostImported = 500;

// Texts that stand for what is on disk, by absolute path.
using Overlay = std::map<std::string, std::string>;

// What the user names, what `src` names, and what the Python files among the named import besides: a collective is
// often in another file than the guard before it. What lies in a folder that was named was found or left out there. The
// error is a path that does not exist, a wrong use of `-`, or that nothing was named but files of other kinds.
Result<Sources> read_sources(const CheckOptions& options, const Settings& settings, const Io& io,
                             const Overlay& overlay = {}, size_t most_imported = kMostImported);

// Takes out the files that are to be reported on and that this build cannot read. A frontend that takes long to load
// is loaded only where a file was named or cannot wait.
void set_unreadable_aside(Sources& sources, const Engine& engine);

// The first byte that is not UTF-8, as a place of one byte; nothing for text that is UTF-8, looks like ASCII, or
// declares another encoding in its first two lines.
std::optional<SourceRange> first_broken_byte(std::string_view bytes);

// Gives a file's text again when a report needs it: what came from standard input from memory, all else from disk,
// so that a large project is not held twice.
class SourceTexts {
 public:
  explicit SourceTexts(std::string cwd) : cwd_(std::move(cwd)) {}
  void keep(const std::string& path, std::string bytes) { texts_[path] = std::move(bytes); }
  std::string_view text(const std::string& path);

 private:
  std::string cwd_;
  std::map<std::string, std::string> texts_;
};

}  // namespace ranklint::app
