// The main() of every test. A failing case says how to run it alone.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#include <iostream>

#include "tests/support/support.h"

namespace ranklint::test {

namespace {

struct RunAlone : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;

  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    if (!stats.totals.testCases.failed) return;
    std::cout << "run it alone: " << run_alone_command(stats.testInfo.name) << std::endl;
  }
};

CATCH_REGISTER_LISTENER(RunAlone)

}  // namespace

}  // namespace ranklint::test
