// Each hang program as a process of its own: the wrong one ends by itself with the verdict that lies beside it, the fixed
// one ends well under many schedules. RANKLINT_UPDATE=1 writes the verdicts anew; read the difference.
#include <catch2/catch.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace fs = std::filesystem;

namespace {

const fs::path kFolder = fs::path(RANKLINT_SOURCE_DIR) / "testdata/hangs";

struct Outcome {
  int exit_code = 0;
  std::string output;
};

Outcome run(const std::string& name, const std::string& side, int schedules) {
  const std::string command = std::string(HANG_PROGRAMS) + " " + name + " " + side + " --schedules " + std::to_string(schedules);
  INFO(command);
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe);
  Outcome outcome;
  std::array<char, 4096> chunk;
  while (const size_t n = fread(chunk.data(), 1, chunk.size(), pipe)) outcome.output.append(chunk.data(), n);
  outcome.exit_code = WEXITSTATUS(pclose(pipe));
  return outcome;
}

std::set<std::string> programs() {
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(kFolder))
    if (entry.is_directory()) names.insert(entry.path().filename().string());
  return names;
}

std::string read(const fs::path& path) {
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("every wrong hang program ends with the verdict beside it") {
  for (const std::string& name : programs()) {
    if (!fs::exists(kFolder / name / "wrong.cpp")) continue;
    const Outcome outcome = run(name, "wrong", 1);
    if (std::getenv("RANKLINT_UPDATE")) std::ofstream(kFolder / name / "verdict.json") << outcome.output;
    INFO(name);
    CHECK(outcome.exit_code == 1);
    CHECK(outcome.output == read(kFolder / name / "verdict.json"));
  }
}

TEST_CASE("a wrong hang program has one verdict under every schedule") {
  constexpr int kRuns = 5;
  for (const std::string& name : programs()) {
    if (!fs::exists(kFolder / name / "wrong.cpp")) continue;
    for (int i = 0; i < kRuns; ++i) CHECK(run(name, "wrong", 1).output == read(kFolder / name / "verdict.json"));
  }
}

TEST_CASE("every fixed hang program ends well under many schedules") {
  for (const std::string& name : programs()) {
    INFO(name);
    const Outcome outcome = run(name, "fixed", name == "slow_not_dead" ? 2 : 200);
    CHECK(outcome.output == "");
    CHECK(outcome.exit_code == 0);
  }
}

TEST_CASE("there are at least 25 pairs of hang programs") {
  size_t pairs = 0;
  for (const std::string& name : programs())
    pairs += fs::exists(kFolder / name / "wrong.cpp") && fs::exists(kFolder / name / "fixed.cpp");
  CHECK(pairs >= 25);
}
