#include "runtime/attention/reference.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace ranklint::runtime {

namespace {

// Element (batch, position, head, c) of a tensor [batch, length, heads, head_dim].
struct Array {
  explicit Array(const Tensor& tensor)
      : owner(tensor.to(DType::F64)),
        values(owner.as<double>()),
        length(tensor.size(1)),
        heads(tensor.size(2)),
        head_dim(tensor.size(3)) {}
  std::span<double> row(int64_t batch, int64_t position, int64_t head) const {
    return values.subspan(static_cast<size_t>(((batch * length + position) * heads + head) * head_dim),
                          static_cast<size_t>(head_dim));
  }
  Tensor owner;
  std::span<double> values;
  int64_t length, heads, head_dim;
};

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

void add_scaled(std::span<double> to, double factor, std::span<const double> from) {
  for (size_t i = 0; i < to.size(); ++i) to[i] += factor * from[i];
}

// One query of one head: whom it sees and with what weight.
struct Row {
  std::vector<int64_t> keys;
  std::vector<double> weights;
  double lse = -std::numeric_limits<double>::infinity();
};

struct Problem {
  Array q, k, v;
  const Sees& sees;
  double scale;

  int64_t kv_head(int64_t head) const { return head * k.heads / q.heads; }

  Row softmax_row(int64_t batch, int64_t query, int64_t head) const {
    Row row;
    for (int64_t key = 0; key < k.length; ++key)
      if (sees(query, key)) row.keys.push_back(key);
    for (int64_t key : row.keys)
      row.weights.push_back(scale * dot(q.row(batch, query, head), k.row(batch, key, kv_head(head))));
    if (row.keys.empty()) return row;
    const double top = *std::max_element(row.weights.begin(), row.weights.end());
    double sum = 0;
    for (double& weight : row.weights) sum += weight = std::exp(weight - top);
    for (double& weight : row.weights) weight /= sum;
    row.lse = top + std::log(sum);
    return row;
  }

  template <typename Body>
  void for_each_row(Body&& body) const {
    for (int64_t batch = 0; batch < q.owner.size(0); ++batch)
      for (int64_t head = 0; head < q.heads; ++head)
        for (int64_t query = 0; query < q.length; ++query) body(batch, query, head);
  }
};

void check(bool fit, const char* which, const Tensor& a, const Tensor& b) {
  if (!fit)
    fail(ErrorKind::InvalidArgument, std::string(which) + " of shapes " + to_string(a.shape()) + " and " +
                                         to_string(b.shape()) + " do not fit together");
}

Problem problem_of(const Tensor& q, const Tensor& k, const Tensor& v, const Sees& sees, std::optional<double> scale) {
  check(q.dim() == 4 && k.dim() == 4, "q and k", q, k);
  check(k.size(0) == q.size(0) && k.size(3) == q.size(3), "q and k", q, k);
  check(k.size(2) == 0 ? q.size(2) == 0 : q.size(2) % k.size(2) == 0, "q and k", q, k);
  check(v.shape() == k.shape(), "k and v", k, v);
  return {Array(q), Array(k), Array(v), sees, scale.value_or(1.0 / std::sqrt(static_cast<double>(q.size(3))))};
}

}  // namespace

ReferenceOutput reference_forward(const Tensor& q, const Tensor& k, const Tensor& v, const Sees& sees,
                                  std::optional<double> scale) {
  const Problem problem = problem_of(q, k, v, sees, scale);
  const Array out(Tensor::zeros(q.shape(), DType::F64));
  const Tensor lse = Tensor::zeros({q.size(0), q.size(2), q.size(1)}, DType::F64);
  problem.for_each_row([&](int64_t batch, int64_t query, int64_t head) {
    const Row row = problem.softmax_row(batch, query, head);
    lse.as<double>()[static_cast<size_t>((batch * q.size(2) + head) * q.size(1) + query)] = row.lse;
    for (size_t j = 0; j < row.keys.size(); ++j)
      add_scaled(out.row(batch, query, head), row.weights[j], problem.v.row(batch, row.keys[j], problem.kv_head(head)));
  });
  return {.out = out.owner, .lse = lse};
}

ReferenceGradients reference_backward(const Tensor& dout, const Tensor& q, const Tensor& k, const Tensor& v,
                                      const Sees& sees, std::optional<double> scale) {
  const Problem problem = problem_of(q, k, v, sees, scale);
  check(dout.shape() == q.shape(), "dout and q", dout, q);
  const Array gradient(dout);
  const Array dq(Tensor::zeros(q.shape(), DType::F64)), dk(Tensor::zeros(k.shape(), DType::F64)),
      dv(Tensor::zeros(v.shape(), DType::F64));
  problem.for_each_row([&](int64_t batch, int64_t query, int64_t head) {
    const Row row = problem.softmax_row(batch, query, head);
    const std::span<double> d = gradient.row(batch, query, head);
    const int64_t kv = problem.kv_head(head);
    std::vector<double> dp;  // the gradient of each weight
    for (int64_t key : row.keys) dp.push_back(dot(d, problem.v.row(batch, key, kv)));
    const double mean = dot(row.weights, dp);
    for (size_t j = 0; j < row.keys.size(); ++j) {
      const double ds = problem.scale * row.weights[j] * (dp[j] - mean);
      add_scaled(dv.row(batch, row.keys[j], kv), row.weights[j], d);
      add_scaled(dq.row(batch, query, head), ds, problem.k.row(batch, row.keys[j], kv));
      add_scaled(dk.row(batch, row.keys[j], kv), ds, problem.q.row(batch, query, head));
    }
  });
  return {.dq = dq.owner, .dk = dk.owner, .dv = dv.owner};
}

}  // namespace ranklint::runtime
