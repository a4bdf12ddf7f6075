// The long mode: `random_programs [--programs N] [--seed S] [--no-locals] [--no-exceptions] [--messages] [--show N]
// [--only-exact]` compares N programs and prints the rates, and the first disagreements of each kind, made small, as
// Python.
#include <charconv>
#include <chrono>
#include <cstdio>
#include <map>
#include <string_view>

#include "tests/random_programs/compare.h"
#include "tests/random_programs/emit.h"
#include "tests/random_programs/generate.h"

using namespace ranklint;
using namespace ranklint::random_programs;

static uint64_t number_behind(int argc, char** argv, std::string_view flag, uint64_t otherwise) {
  for (int i = 1; i + 1 < argc; ++i)
    if (argv[i] == flag) {
      const std::string_view digits = argv[i + 1];
      std::from_chars(digits.data(), digits.data() + digits.size(), otherwise);
    }
  return otherwise;
}

static void show(const Program& program, Outcome outcome, uint64_t seed, const Models& models) {
  const Program small = shrink(program, outcome, models);
  std::printf("# seed %llu: %s\n", static_cast<unsigned long long>(seed),
              outcome == Outcome::Miss ? "miss" : "false alarm");
  if (const std::optional<Hang> hang = find_hang(small)) std::printf("# hangs in %s\n", describe(*hang).c_str());
  std::printf("%s\n", as_python(small).c_str());
  std::fflush(stdout);
}

int main(int argc, char** argv) {
  const uint64_t count = number_behind(argc, argv, "--programs", 10000), first = number_behind(argc, argv, "--seed", 1);
  uint64_t to_show = number_behind(argc, argv, "--show", 5);
  Taste taste;
  for (int i = 1; i < argc; ++i) taste.locals = taste.locals && std::string_view(argv[i]) != "--no-locals";
  for (int i = 1; i < argc; ++i) taste.exceptions = taste.exceptions && std::string_view(argv[i]) != "--no-exceptions";
  for (int i = 1; i < argc; ++i) taste.messages = taste.messages || std::string_view(argv[i]) == "--messages";
  const Models models = Models::builtin();
  const auto start = std::chrono::steady_clock::now();
  uint64_t hang = 0, miss = 0, possible = 0, alarm = 0, shown_miss = 0, shown_alarm = 0;
  uint64_t in_domain = 0, exact_miss = 0, exact_alarm = 0;
  bool only_exact = false;
  for (int i = 1; i < argc; ++i) only_exact = only_exact || std::string_view(argv[i]) == "--only-exact";
  for (uint64_t seed = first; seed < first + count; ++seed) {
    const Program program = generate(seed, taste);
    const bool hangs = find_hang(program).has_value();
    const Said said = analyse(program, models);
    hang += hangs;
    const bool exact = is_exact(program);
    in_domain += exact;
    if (compare(program, hangs, said) == Outcome::Agree) continue;
    possible += hangs && said == Said::Possible;
    ++(hangs ? miss : alarm);
    if (exact) ++(hangs ? exact_miss : exact_alarm);
    if (only_exact && !exact) continue;
    uint64_t& shown = hangs ? shown_miss : shown_alarm;
    if (shown++ < to_show) show(program, hangs ? Outcome::Miss : Outcome::FalseAlarm, seed, models);
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%llu programs from seed %llu in %.0f s: %llu hang, %llu do not\n",
              static_cast<unsigned long long>(count), static_cast<unsigned long long>(first), seconds,
              static_cast<unsigned long long>(hang), static_cast<unsigned long long>(count - hang));
  std::printf("misses: %llu (%llu of them told as possible), false alarms: %llu\n",
              static_cast<unsigned long long>(miss), static_cast<unsigned long long>(possible),
              static_cast<unsigned long long>(alarm));
  std::printf("in the exact domain: %llu programs, misses: %llu, false alarms: %llu\n",
              static_cast<unsigned long long>(in_domain), static_cast<unsigned long long>(exact_miss),
              static_cast<unsigned long long>(exact_alarm));
  return 0;
}
