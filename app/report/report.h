// From findings to bytes: one function, and all that it may know.
//
// Rendering reads no file, no clock and no environment: what it needs is in the input, and equal inputs give
// equal bytes. So the command line decides (colour, width, where the text goes) and a test states its world.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/finding.h"
#include "rules/rule.h"

namespace ranklint {

enum class OutputFormat {
  Full,        // for people: excerpt, lanes side by side, help
  Concise,     // for people and editors: one line a finding
  Json,        // one document with everything
  JsonLines,   // one finding a line
  Sarif,       // SARIF 2.1.0, as GitHub code scanning and editors read it
  Github,      // workflow commands: annotations in a pull request
  Html,        // one page for a browser: every finding with its picture and its source
  Svg,         // the picture of one finding
  Junit,       // XML of tests that fail, for CI servers
  Gitlab,      // GitLab's code quality report
  Rdjson,      // reviewdog's diagnostics
  Checkstyle,  // Checkstyle's XML
};

// The format's name on the command line ("full", "json-lines"), and back.
std::string_view name_of(OutputFormat format);
std::optional<OutputFormat> output_format_of(std::string_view name);

// A finding that the user has asked not to see. It stays out of the text and the counts, and is listed where a
// format has a place for it (JSON, SARIF).
struct SuppressedFinding {
  enum class By { Comment, Baseline };
  Finding finding;
  std::string reason;  // what the user wrote; may be empty
  Location location;   // the comment; unknown range for a baseline
  By by = By::Comment;
};

// A way out of a finding that a program can take: edits of one file, none of which overlap.
struct ReportFix {
  struct Edit {
    size_t begin = 0;  // bytes [begin, end) of the file become `text`
    size_t end = 0;
    std::string text;
  };
  bool safe = false;  // the program does what it did
  std::string title;  // "remove the comment"
  std::string path;
  std::vector<Edit> edits;
};

// What the tool has to say about its own work: a file that could not be read, a function that was skipped.
struct ReportNote {
  std::string rule;  // "unreadable-source"
  std::string code;  // "RL903"
  Severity severity = Severity::Warning;
  Location location;  // the range may be unknown
  std::string message;
};

// A rule that was on in this run, and its page (rule_page(info->id)).
struct ReportRule {
  const RuleInfo* info = nullptr;
  std::string_view page;
};

struct ReportCounts {
  size_t files = 0;
  size_t functions = 0;
  size_t unresolved_calls = 0;  // calls without a body and without a model
  size_t communicating_functions = 0;
  size_t unknown_constructs = 0;  // what a frontend did not understand
  size_t limited_functions = 0;   // functions too large or too deep to be followed to the end
  size_t programs = 0;            // MPI programs that were run in small worlds
};

// Files of one kind that were not read, for one reason.
struct UnreadFiles {
  std::string kind;                // one of them: "C or C++ file"
  std::string why;                 // "this build cannot read C and C++"
  std::string way_out;             // what makes them readable; may be empty
  std::vector<std::string> paths;  // sorted
};

// What was read and not checked to the end.
struct IncompletePlace {
  // BrokenFunction, Stage (of the check, about all files): a bug of ours showed in it.
  enum class Kind { File, Function, BrokenFunction, Program, Imports, Stage };
  Kind kind = Kind::File;
  std::string path;      // Imports, Stage: empty
  uint32_t line = 0;     // 0: not known
  std::string function;  // Function: its qualified name
  std::string reason;    // for programs: "parse-error", "many-paths"
  std::string message;   // for people: "too many paths to compare"
};

// An MPI program that was not run to its end on every path.
struct TruncatedRun {
  std::string path;  // of its `main`
  std::string why;   // "an object with a destructor"
};

// What the runs of the witnesses came to.
struct Verified {
  size_t confirmed = 0;
  size_t not_replayable = 0;
  std::vector<Finding> refuted;  // and withdrawn: not among the findings
};

struct ReportInput {
  std::vector<Finding> findings;              // in report order
  std::vector<SuppressedFinding> suppressed;  // in report order
  std::vector<ReportNote> notes;              // in report order
  std::vector<ReportRule> rules;              // sorted by code; a finding's rule may be missing here
  std::vector<TruncatedRun> truncated_runs;   // by path
  std::vector<UnreadFiles> unread;            // by kind
  std::vector<IncompletePlace> incomplete;    // by path and line
  ReportCounts counts;
  std::optional<Verified> verified;  // no value: nothing was run
  bool has_baseline = false;         // findings were compared with one, so those shown are new

  // The bytes of a file by its path as findings spell it; empty when it cannot be read (any more). The view
  // lives until render returns. A null function: no file can be read.
  std::function<std::string_view(const std::string& path)> source;

  std::function<std::optional<ReportFix>(const Finding& finding)> fix;  // null: no finding has one

  std::string version;           // "0.1.0"
  std::string home_page;         // Sarif: where the tool is described, a URI; may be empty
  std::string project_root;      // absolute path that relative paths start from; may be empty
  bool color = false;            // Full and Concise: ANSI colours
  unsigned width = 100;          // Full: columns of the terminal
  bool show_incomplete = false;  // Full and Concise: `unread` and `incomplete` place by place
  bool failed = false;  // the run ends as an error, with or without findings: what was asked for could not be checked
  bool statistics = false;  // Full and Concise: findings per rule and what is not known, at the end

  // Full and Concise: shown in the last line when given. The other formats never show it, so that they stay
  // the same from run to run.
  std::optional<std::chrono::milliseconds> elapsed;
};

// The whole report, with a line feed at its end. Never fails: what is unknown is left out.
std::string render(OutputFormat format, const ReportInput& input);

}  // namespace ranklint
