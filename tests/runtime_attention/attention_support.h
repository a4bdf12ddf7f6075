// What the tests of attention share: inputs, a plain f32 attention as the measure of accuracy, and errors.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runtime/attention/attention.h"
#include "runtime/attention/kernel.h"
#include "runtime/attention/reference.h"

namespace ranklint::test {

namespace rt = ranklint::runtime;

// Normally distributed; the same for the same seed.
rt::Tensor random_tensor(rt::Shape shape, uint32_t seed, rt::DType dtype = rt::DType::F32);

// Whole numbers from -3 to 3.
rt::Tensor small_integers(rt::Shape shape, uint32_t seed);

struct Inputs {
  rt::Tensor q, k, v, dout;
};

struct Sizes {
  int64_t batch = 1, q_len = 0, k_len = 0, heads = 1, kv_heads = 1, head_dim = 8;
};

Inputs random_inputs(const Sizes& sizes, uint32_t seed = 1, rt::DType dtype = rt::DType::F32);

struct Results {
  rt::Tensor out, lse, dq, dk, dv;
};

Results run_reference(const Inputs& inputs, const rt::Sees& sees);
Results run_kernel(const Inputs& inputs, const rt::AttentionPlan& plan, const rt::AttentionOptions& options = {});

// The whole matrix of weights of a row at a time, every sum in f32 from left to right: what an untiled program
// computes.
Results run_eager(const Inputs& inputs, const rt::Sees& sees);

// The rule of accuracy: over several draws of the inputs, for each named result, the largest and the mean error against
// the reference (f64) are at most twice those of the measure and two units in the last place of the largest and of the
// mean value.
class AccuracyRule {
 public:
  void add(const std::string& name, const rt::Tensor& result, const rt::Tensor& measure, const rt::Tensor& reference);
  void add(const Results& results, const Results& measure, const Results& reference);
  void check() const;  // fails the test

 private:
  struct Errors {
    double max = 0, sum = 0;
  };
  struct Line {
    Errors error, bound, size;
    int64_t count = 0;
  };
  static void add_errors(Errors& errors, const rt::Tensor& result, const rt::Tensor& reference);
  std::map<std::string, Line> lines_;
};

void check_bit_equal(const Results& a, const Results& b);

// Every kernel that this processor runs; where narrower instructions are forced, theirs alone.
std::vector<const rt::Kernel*> kernels();

}  // namespace ranklint::test
