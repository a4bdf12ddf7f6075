#include "runtime/attention/tensor_parallel.h"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "runtime/attention/agree.h"
#include "runtime/attention/layout.h"
#include "runtime/attention/prepare.h"

namespace ranklint::runtime {

namespace {

constexpr double kInverseSqrt2 = 0.7071067811865476, kInverseSqrt2Pi = 0.3989422804014327;

// Each member's tokens as views of [tokens, features].
std::vector<Tensor> pieces_of(const ProcessGroup& group, const Tensor& whole) {
  std::vector<Tensor> pieces;
  for (int member = 0; member < group.size(); ++member) {
    const Interval piece = split_piece(whole.size(0), group.size(), member);
    pieces.push_back(whole.narrow(0, piece.begin, piece.length()));
  }
  return pieces;
}

// A transfer under way and what it will give.
struct Pending {
  Tensor tensor;
  Work work;
};

void require_member(const ProcessGroup& group) {
  if (!group.is_member()) fail(ErrorKind::InvalidArgument, "sequence parallelism: this rank is no member of the group");
}

Pending start_gather(ProcessGroup& group, const Tensor& shard, int64_t tokens) {
  require_member(group);
  Pending pending{Tensor::empty({tokens, shard.size(1)}, shard.dtype(), shard.device()), {}};
  pending.work = group.all_gather(pieces_of(group, pending.tensor), shard, {.async = true});
  return pending;
}

Pending start_reduce_scatter(ProcessGroup& group, const Tensor& partial) {
  require_member(group);
  const Interval mine = split_piece(partial.size(0), group.size(), group.rank());
  Pending pending{Tensor::empty({mine.length(), partial.size(1)}, partial.dtype(), partial.device()), {}};
  pending.work = group.reduce_scatter(pending.tensor, pieces_of(group, partial), ReduceOp::Sum, {.async = true});
  return pending;
}

template <typename F>
Tensor mapped(const Tensor& x, F&& f) {
  const Tensor out = Tensor::empty(x.shape());
  for (size_t i = 0; i < out.as<float>().size(); ++i) out.as<float>()[i] = static_cast<float>(f(i));
  return out.to(x.dtype());
}

double phi(double x) { return 0.5 * std::erfc(-x * kInverseSqrt2); }

}  // namespace

Tensor gather_sequence(ProcessGroup& group, const Tensor& shard, int64_t tokens) {
  Pending pending = start_gather(group, shard, tokens);
  pending.work.wait();
  return pending.tensor;
}

Tensor reduce_scatter_sequence(ProcessGroup& group, const Tensor& partial) {
  Pending pending = start_reduce_scatter(group, partial);
  pending.work.wait();
  return pending.tensor;
}

Tensor column_parallel_forward(ProcessGroup& group, const Tensor& x_shard, const Tensor& w, int64_t tokens,
                               const MatmulOptions& options) {
  return matmul(gather_sequence(group, x_shard, tokens), MatrixForm::AsIs, w, MatrixForm::Transposed, options)
      .to(x_shard.dtype());
}

LinearGradients column_parallel_backward(ProcessGroup& group, const Tensor& dy, const Tensor& x_shard, const Tensor& w,
                                         const MatmulOptions& options) {
  Pending x = start_gather(group, x_shard, dy.size(0));
  const Tensor partial = matmul(dy, MatrixForm::AsIs, w, MatrixForm::AsIs, options);
  x.work.wait();
  Pending dx = start_reduce_scatter(group, partial);
  const Tensor dw = matmul(dy, MatrixForm::Transposed, x.tensor, MatrixForm::AsIs, options);
  dx.work.wait();
  return {.dx = dx.tensor.to(dy.dtype()), .dw = dw.to(w.dtype())};
}

Tensor row_parallel_forward(ProcessGroup& group, const Tensor& x, const Tensor& w, const MatmulOptions& options) {
  return reduce_scatter_sequence(group, matmul(x, MatrixForm::AsIs, w, MatrixForm::Transposed, options)).to(x.dtype());
}

LinearGradients row_parallel_backward(ProcessGroup& group, const Tensor& dy_shard, const Tensor& x, const Tensor& w,
                                      const MatmulOptions& options) {
  const Tensor dy = gather_sequence(group, dy_shard, x.size(0));
  return {.dx = matmul(dy, MatrixForm::AsIs, w, MatrixForm::AsIs, options).to(x.dtype()),
          .dw = matmul(dy, MatrixForm::Transposed, x, MatrixForm::AsIs, options).to(w.dtype())};
}

Result<ParallelMlp> ParallelMlp::create(ProcessGroup group, const MlpShape& shape, const MatmulOptions& options) {
  const auto invalid = [](std::string message) {
    return Error{.kind = ErrorKind::InvalidArgument, .message = std::move(message)};
  };
  if (!group.is_member()) return invalid("this rank is not a member of the group of the MLP");
  const NamedNumber numbers[] = {{"tokens", shape.tokens}, {"hidden", shape.hidden}, {"inner", shape.inner}};
  ProcessGroup alone;
  if (const Status agreed = agree_on(alone, group, numbers); !agreed) return agreed.error();
  for (const NamedNumber& number : numbers)
    if (number.value < 0) return invalid(std::string(number.name) + " is " + std::to_string(number.value));
  if (shape.inner % group.size() != 0)
    return invalid(std::to_string(shape.inner) + " inner features do not divide over " + std::to_string(group.size()) +
                   " ranks");
  ParallelMlp made;
  made.group_ = std::move(group);
  made.shape_ = shape;
  made.options_ = options;
  return made;
}

ParallelMlp::Forward ParallelMlp::forward(const Tensor& x_shard, const Tensor& w1, const Tensor& w2) {
  const int64_t part = shape_.inner / group_.size();
  check_shape("x", x_shard, {split_piece(shape_.tokens, group_.size(), group_.rank()).length(), shape_.hidden});
  check_shape("w1", w1, {part, shape_.hidden});
  check_shape("w2", w2, {shape_.hidden, part});
  const Tensor before = column_parallel_forward(group_, x_shard, w1, shape_.tokens, options_);
  const Tensor after = gelu(before);
  return {.y_shard = row_parallel_forward(group_, after, w2, options_),
          .saved = {.x_shard = x_shard, .before = before, .after = after}};
}

ParallelMlp::Gradients ParallelMlp::backward(const Tensor& dy_shard, const Saved& saved, const Tensor& w1,
                                             const Tensor& w2) {
  check_shape("dy", dy_shard, saved.x_shard.shape());
  const LinearGradients second = row_parallel_backward(group_, dy_shard, saved.after, w2, options_);
  const LinearGradients first =
      column_parallel_backward(group_, gelu_backward(second.dx, saved.before), saved.x_shard, w1, options_);
  return {.dx_shard = first.dx, .dw1 = first.dw, .dw2 = second.dw};
}

Tensor gelu(const Tensor& x) {
  const Tensor x32 = x.to(DType::F32);
  const auto values = x32.as<float>();
  return mapped(x, [&](size_t i) { return values[i] * phi(values[i]); });
}

Tensor gelu_backward(const Tensor& dy, const Tensor& x) {
  check_shape("dy", dy, x.shape());
  const Tensor x32 = x.to(DType::F32), dy32 = dy.to(DType::F32);
  const auto values = x32.as<float>(), gradients = dy32.as<float>();
  return mapped(x, [&](size_t i) {
    const double at = values[i];
    return gradients[i] * (phi(at) + at * kInverseSqrt2Pi * std::exp(-0.5 * at * at));
  });
}

}  // namespace ranklint::runtime
