#include <catch2/catch.hpp>

#include <memory>
#include <thread>

#include "runtime/attention/workspace.h"
#include "tests/runtime_attention/attention_support.h"

namespace ranklint::test {

constexpr size_t kBytes = size_t{1} << 20;

TEST_CASE("memory that was given back is given out again, also for a little less, not for much less") {
  rt::Workspace workspace;
  const std::byte* first = workspace.take(kBytes).get();
  CHECK(workspace.take(kBytes).get() == first);
  CHECK(workspace.take(kBytes - kBytes / 8).get() == first);
  CHECK(workspace.take(kBytes / 2).get() != first);
}

TEST_CASE("what is in use is not given out, whoever holds it") {
  rt::Workspace workspace;
  const rt::Tensor tensor = rt::empty_from(&workspace, {1024, 256});
  const rt::Tensor part = tensor.narrow(0, 100, 1);
  CHECK_FALSE(rt::empty_from(&workspace, {1024, 256}).shares_memory_with(part));
}

TEST_CASE("a workspace keeps at most twice what was in use at one time") {
  rt::Workspace workspace;
  for (size_t size_bytes = kBytes; size_bytes < 64 * kBytes; size_bytes *= 2) workspace.take(size_bytes);
  CHECK(workspace.idle_bytes() <= 2 * 32 * kBytes);
  for (int i = 0; i < 8; ++i) workspace.take(32 * kBytes - static_cast<size_t>(i) * 8 * kBytes / 2);
  CHECK(workspace.idle_bytes() <= 2 * 32 * kBytes);
}

TEST_CASE("memory outlives its workspace and comes back from another thread") {
  auto workspace = std::make_unique<rt::Workspace>();
  rt::Tensor tensor = rt::empty_from(workspace.get(), {1024, 256});
  std::jthread([held = rt::empty_from(workspace.get(), {512, 256})] { held.fill_(1); }).join();
  CHECK(workspace->idle_bytes() == 512 * 256 * sizeof(float));
  workspace.reset();
  tensor.fill_(2);
  CHECK(tensor.item(1024 * 256 - 1) == 2);
}

TEST_CASE("kept memory changes no bit, whatever lay in it before") {
  const Inputs in = random_inputs({2, 70, 130, 4, 2, 24});
  rt::AttentionPlan plan = {
      {.begin = 3, .end = 50, .keys = {{.begin = 0, .end = 120, .diagonal = 5}}}};  // and queries that see nothing
  const Results fresh = run_kernel(in, plan);
  const rt::AttentionOptions kept{.workspace = std::make_shared<rt::Workspace>()};
  for (int i = 0; i < 3; ++i) check_bit_equal(run_kernel(in, plan, kept), fresh);
}

}  // namespace ranklint::test
