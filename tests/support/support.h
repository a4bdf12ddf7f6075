// What tests of every folder need: where testdata lies, a file's bytes, and comparison with a golden file.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ranklint::test {

// A path relative to the repository's root, made absolute: source_path("testdata/ir/log_step.ir").
std::filesystem::path source_path(std::string_view relative);

// The bytes of a file; a failed test when it can not be read.
std::string read_file(const std::filesystem::path& path);

// The files below a folder whose name ends in `suffix`, sorted; never empty (an empty folder is a failed test).
std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder, std::string_view suffix);

// Compares `actual` with the golden file. Under RANKLINT_UPDATE=1 the file is rewritten instead, to be
// reviewed as a diff.
void check_golden(const std::filesystem::path& golden, std::string_view actual);

// Whether RANKLINT_UPDATE=1 is set, for harnesses that keep expectations in another form than a golden file.
bool update_expectations();

// An environment that has no more than what keeps a check from writing a cache where it runs.
std::optional<std::string> environment_without_cache(const std::string& name);

// The shell command that runs one case of this executable.
std::string run_alone_command(std::string_view case_name);

}  // namespace ranklint::test
