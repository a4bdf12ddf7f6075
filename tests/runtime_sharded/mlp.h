// A small model to wrap: linear units with tanh between them, and its loss. Plain loops; numbers matter, speed does
// not.
#pragma once

#include "runtime/sharded/module.h"

namespace ranklint::runtime::test {

// weight: [out, in], bias: [out], input: [batch, in]; the output is tanh(input weight^T + bias) of [batch, out]. The
// buffer `calls` counts forwards on this rank.
Unit linear_unit(std::string name, int64_t in, int64_t out, uint32_t seed);

// 3 -> 5 -> 2: units `first` (20 parameters) and `second` (12).
Module mlp(uint32_t seed = 1);
constexpr int64_t kFirst = 20, kSecond = 12;

struct Batch {
  Tensor input;   // [rows, 3]
  Tensor target;  // [rows, 2]
};
Batch batch(int rank);  // the same in every step, so that a loss that does not fall shows

double loss_of(const Tensor& output, const Tensor& target);  // mean of the squared differences
Tensor loss_gradient(const Tensor& output, const Tensor& target);

// Losses of `steps` steps of gradient descent on one rank that computes the batches of `ranks` ranks one after another
// and averages their gradients.
std::vector<double> reference_losses(int steps, int ranks, double rate);

}  // namespace ranklint::runtime::test
