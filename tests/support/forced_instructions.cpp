// A test program of the runtime that links this runs on the instructions that RANKLINT_TEST_INSTRUCTIONS names, and is
// skipped, by that status, where the processor does not have them.
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include <catch2/catch.hpp>

#include <cstdlib>
#include <iostream>

#include "runtime/base/instructions.h"

namespace ranklint::test {

namespace {

namespace rt = ranklint::runtime;

constexpr int kSkipped = 77, kWrongName = 2;

struct ForcedInstructions : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;

  void testRunStarting(const Catch::TestRunInfo&) override {
    const char* name = std::getenv("RANKLINT_TEST_INSTRUCTIONS");
    if (name == nullptr) return;
    const std::optional<rt::Instructions> set = rt::instructions_named(name);
    if (!set) {
      std::cout << "RANKLINT_TEST_INSTRUCTIONS: expected portable, avx2 or avx512, got `" << name << "`" << std::endl;
      std::exit(kWrongName);
    }
    if (rt::force_instructions(*set)) return;
    std::cout << "skipped: the code for " << name << " was not run, since this processor has only "
              << rt::name_of(rt::widest_instructions()) << std::endl;
    std::exit(kSkipped);
  }
};

CATCH_REGISTER_LISTENER(ForcedInstructions)

}  // namespace

}  // namespace ranklint::test
