// The completions, asked of the shells themselves, and the manual page, asked of groff. Where one is not installed its
// case only warns.
#include <catch2/catch.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/cli/arguments.h"
#include "app/cli/run.h"
#include "app/engine/engine.h"

using Catch::Contains;
namespace fs = std::filesystem;

namespace ranklint::test {

namespace {

std::string written(const std::vector<std::string>& args) {
  std::ostringstream out, err;
  app::Io io{.read_stdin = [] { return std::string(); },
             .out = out,
             .err = err,
             .environment = [](const std::string&) { return std::optional<std::string>(); },
             .cwd = "/"};
  CHECK(app::run(args, io, app::real_engine()) == 0);
  return out.str();
}

struct Script {
  fs::path path = fs::temp_directory_path() / ("ranklint-shell-" + std::to_string(::getpid()));
  explicit Script(const std::string& text) { std::ofstream(path) << text; }
  Script(const Script&) = delete;
  Script& operator=(const Script&) = delete;
  ~Script() { fs::remove(path); }
};

// What a command prints on both of its outputs.
std::string printed(const std::string& command) {
  std::string out;
  FILE* pipe = ::popen(("exec 2>&1; " + command).c_str(), "r");
  REQUIRE(pipe != nullptr);
  char part[4096];
  while (const size_t count = std::fread(part, 1, sizeof part, pipe)) out.append(part, count);
  ::pclose(pipe);
  return out;
}

bool is_installed(const std::string& program) {
  if (!printed("command -v " + program).empty()) return true;
  WARN(program << " is not installed");
  return false;
}

// The completions that bash offers for the last of the words.
std::string in_bash(const Script& script, const std::string& words) {
  return printed("bash -c 'source " + script.path.string() + "; COMP_WORDS=(" + words +
                 "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _ranklint; echo \"${COMPREPLY[@]}\"'");
}

std::string in_fish(const Script& script, const std::string& line) {
  return printed("HOME=/nonexistent fish --no-config -c 'source " + script.path.string() + "; complete -C \"" + line +
                 "\"'");
}

}  // namespace

TEST_CASE("bash completes commands, flags, their values and lists of rules") {
  if (!is_installed("bash")) return;
  const Script script(written({"completions", "bash"}));
  CHECK(printed("bash -n " + script.path.string()).empty());
  CHECK(in_bash(script, "ranklint base") == "baseline\n");
  CHECK(in_bash(script, "ranklint check --sel") == "--select\n");
  CHECK(in_bash(script, "ranklint check --min-severity w") == "warning\n");
  CHECK(in_bash(script, "ranklint check --min-severity = w") == "warning\n");
  CHECK(in_bash(script, "ranklint check --min-severity =") == "info warning error\n");
  CHECK(in_bash(script, "ranklint check --select RL101,RL10").starts_with("RL101,RL101 RL101,RL102 "));
  CHECK(in_bash(script, "ranklint baseline cr") == "create\n");
  CHECK(in_bash(script, "ranklint baseline create --min-sev") == "--min-severity\n");
  CHECK(in_bash(script, "ranklint rule unsorted") == "unsorted-shards\n");
  CHECK(in_bash(script, "ranklint completions f") == "fish\n");
  CHECK(in_bash(script, "ranklint config explain min") == "min-severity min-confidence\n");
}

TEST_CASE("fish completes commands, flags, their values and lists of rules") {
  if (!is_installed("fish")) return;
  const Script script(written({"completions", "fish"}));
  CHECK_THAT(in_fish(script, "ranklint base"), Contains("baseline\tRecord current findings"));
  CHECK_THAT(in_fish(script, "ranklint check --sel"), Contains("--select\tRules to run"));
  CHECK_THAT(in_fish(script, "ranklint check --min-severity w"), Catch::StartsWith("warning"));
  CHECK_THAT(in_fish(script, "ranklint check --select RL101,RL10"), Contains("RL101,RL104"));
  CHECK_THAT(in_fish(script, "ranklint baseline cr"), Contains("create\tWrite a new baseline"));
  CHECK_THAT(in_fish(script, "ranklint rule unsorted"), Catch::StartsWith("unsorted-shards"));
}

TEST_CASE("zsh reads its completions, has them for ranklint, and knows every command") {
  if (!is_installed("zsh")) return;
  const std::string text = written({"completions", "zsh"});
  const Script script(text);
  CHECK(printed("zsh -n " + script.path.string()).empty());
  CHECK(printed("zsh -fc 'autoload -U compinit; compinit -D -u; source " + script.path.string() +
                "; echo $_comps[ranklint]'") == "_ranklint\n");
  for (const std::string& command : app::command_names()) CHECK_THAT(text, Contains("'" + command + ":"));
}

TEST_CASE("the manual page has no warning and tells every command and flag") {
  const std::string page = written({"man"});
  for (const app::CommandDescription& command : app::describe_commands().commands)
    CHECK_THAT(page, Contains(".SS ranklint " + command.name));
  CHECK_THAT(page, Contains("\\fB\\-\\-add\\-ignore\\fR \\fIREASON\\fR") && Contains("info, warning, error"));
  CHECK_THAT(page, Contains(".SH EXIT STATUS\n") && Contains(".SH FILES\n") && Contains(".SH SEE ALSO\n"));
  if (!is_installed("groff")) return;
  const Script script(page);
  CHECK(printed("groff -ww -man -Tascii -z " + script.path.string()).empty());
  CHECK_THAT(printed("groff -man -Tascii -P-cbou " + script.path.string()),
             Contains("ranklint baseline create") && Contains("--min-severity LEVEL"));
}

}  // namespace ranklint::test
