#include "tests/runtime_sharded/mlp.h"

#include <cmath>
#include <random>

namespace ranklint::runtime::test {

// Uniform in [-0.5, 0.5), the same on every platform.
static Tensor random(Shape shape, uint32_t seed) {
  std::mt19937 generator(seed);
  const Tensor out = Tensor::empty(std::move(shape));
  for (float& x : out.as<float>()) x = static_cast<float>(generator() >> 8) * 0x1p-24F - 0.5F;
  return out;
}

static Tensor linear_forward(const UnitTensors& tensors, const Tensor& input) {
  const Tensor& weight = tensors.parameters[0];
  const int64_t rows = input.size(0), in = weight.size(1), out = weight.size(0);
  const Tensor result = Tensor::empty({rows, out}, input.dtype(), input.device());
  const auto x = input.as<float>(), w = weight.as<float>(), b = tensors.parameters[1].as<float>(),
             y = result.as<float>();
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t o = 0; o < out; ++o) {
      float sum = b[static_cast<size_t>(o)];
      for (int64_t i = 0; i < in; ++i) sum += x[static_cast<size_t>(r * in + i)] * w[static_cast<size_t>(o * in + i)];
      y[static_cast<size_t>(r * out + o)] = std::tanh(sum);
    }
  tensors.buffers[0].as<int64_t>()[0] += 1;
  return result;
}

static Tensor linear_backward(const UnitTensors& tensors, const Tensor& input, const Tensor& grad_output,
                              const std::vector<Tensor>& gradients) {
  const Tensor output = linear_forward(tensors, input);
  tensors.buffers[0].as<int64_t>()[0] -= 1;  // this one is a recomputation
  const int64_t rows = input.size(0), in = input.size(1), out = output.size(1);
  const Tensor result = Tensor::zeros(input.shape(), input.dtype(), input.device());
  const auto x = input.as<float>(), w = tensors.parameters[0].as<float>(), y = output.as<float>(),
             g = grad_output.as<float>();
  const auto dx = result.as<float>(), dw = gradients[0].as<float>(), db = gradients[1].as<float>();
  for (int64_t r = 0; r < rows; ++r)
    for (int64_t o = 0; o < out; ++o) {
      const auto at = static_cast<size_t>(r * out + o);
      const float before_tanh = g[at] * (1 - y[at] * y[at]);
      db[static_cast<size_t>(o)] += before_tanh;
      for (int64_t i = 0; i < in; ++i) {
        dw[static_cast<size_t>(o * in + i)] += before_tanh * x[static_cast<size_t>(r * in + i)];
        dx[static_cast<size_t>(r * in + i)] += before_tanh * w[static_cast<size_t>(o * in + i)];
      }
    }
  return result;
}

Unit linear_unit(std::string name, int64_t in, int64_t out, uint32_t seed) {
  return {.name = std::move(name),
          .parameters = {Slot::of("weight", random({out, in}, seed)), Slot::of("bias", random({out}, seed + 1))},
          .buffers = {Slot::of("calls", Tensor::zeros({1}, DType::I64))},
          .forward = linear_forward,
          .backward = linear_backward};
}

Module mlp(uint32_t seed) {
  return {.units = {linear_unit("first", 3, 5, seed), linear_unit("second", 5, 2, seed + 10)}};
}

Batch batch(int rank) {
  const auto seed = static_cast<uint32_t>(1000 + 2 * rank);
  return {.input = random({4, 3}, seed), .target = random({4, 2}, seed + 1)};
}

double loss_of(const Tensor& output, const Tensor& target) {
  double sum = 0;
  for (int64_t i = 0; i < output.numel(); ++i) sum += std::pow(output.item(i) - target.item(i), 2);
  return sum / static_cast<double>(output.numel());
}

Tensor loss_gradient(const Tensor& output, const Tensor& target) {
  const Tensor gradient = Tensor::empty(output.shape(), output.dtype(), output.device());
  const float scale = 2.0F / static_cast<float>(output.numel());
  const auto y = output.as<float>(), t = target.as<float>(), g = gradient.as<float>();
  for (size_t i = 0; i < g.size(); ++i) g[i] = scale * (y[i] - t[i]);
  return gradient;
}

static UnitTensors values_of(const Unit& unit) {
  UnitTensors tensors;
  for (const Slot& slot : unit.parameters) tensors.parameters.push_back(*slot.value);
  for (const Slot& slot : unit.buffers) tensors.buffers.push_back(*slot.value);
  return tensors;
}

static std::vector<Tensor> zeros_like(const std::vector<Tensor>& tensors) {
  std::vector<Tensor> zeros;
  for (const Tensor& tensor : tensors) zeros.push_back(Tensor::zeros(tensor.shape()));
  return zeros;
}

std::vector<double> reference_losses(int steps, int ranks, double rate) {
  const Module module = mlp();
  const UnitTensors first = values_of(module.units[0]), second = values_of(module.units[1]);
  std::vector<double> losses;
  for (int step = 0; step < steps; ++step) {
    const std::vector<Tensor> first_gradients = zeros_like(first.parameters),
                              second_gradients = zeros_like(second.parameters);
    double loss = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      const Batch data = batch(rank);
      const Tensor hidden = linear_forward(first, data.input);
      const Tensor output = linear_forward(second, hidden);
      loss += loss_of(output, data.target) / ranks;
      const Tensor back = linear_backward(second, hidden, loss_gradient(output, data.target), second_gradients);
      linear_backward(first, data.input, back, first_gradients);
    }
    losses.push_back(loss);
    const auto descend = [&](const std::vector<Tensor>& parameters, const std::vector<Tensor>& gradients) {
      for (size_t p = 0; p < parameters.size(); ++p)
        for (size_t i = 0; i < parameters[p].as<float>().size(); ++i)
          parameters[p].as<float>()[i] -=
              static_cast<float>(rate) * gradients[p].as<float>()[i] / static_cast<float>(ranks);
    };
    descend(first.parameters, first_gradients);
    descend(second.parameters, second_gradients);
  }
  return losses;
}

}  // namespace ranklint::runtime::test
