// What the tests of the hang programs share: which there are, and how one of them ends.
#pragma once

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace hangs {

namespace fs = std::filesystem;

inline fs::path programs_folder() { return fs::path(RANKLINT_SOURCE_DIR) / "testdata/hangs"; }

// The names of all of them, or of those that have the side.
inline std::set<std::string> programs(const std::string& side = {}) {
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(programs_folder()))
    if (entry.is_directory() && (side.empty() || fs::exists(entry.path() / (side + ".cpp"))))
      names.insert(entry.path().filename().string());
  return names;
}

inline std::string read(const fs::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

inline std::string expected_verdict(const std::string& name) { return read(programs_folder() / name / "verdict.json"); }

struct Outcome {
  int exit_code = -1;
  std::string output;
};

inline Outcome run_command(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  if (!pipe) return {};
  Outcome outcome;
  std::array<char, 4096> chunk;
  while (const size_t n = fread(chunk.data(), 1, chunk.size(), pipe)) outcome.output.append(chunk.data(), n);
  const int status = pclose(pipe);
  if (WIFEXITED(status)) outcome.exit_code = WEXITSTATUS(status);
  return outcome;
}

}  // namespace hangs
