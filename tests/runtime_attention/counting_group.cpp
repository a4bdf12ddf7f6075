#include "tests/runtime_attention/counting_group.h"

#include <vector>

namespace ranklint::test {

namespace {

class CountingBackend : public rt::GroupBackend {
 public:
  CountingBackend(rt::ProcessGroup group, Counts& counts) : group_(std::move(group)), counts_(counts) {}

  rt::Work submit(const rt::Call& call) override {
    const std::vector<rt::Tensor> in(call.in.begin(), call.in.end()), out(call.out.begin(), call.out.end());
    const int64_t peers = group_.size() - 1;
    switch (call.op) {
      case rt::OpType::AllToAll: {
        ++counts_.all_to_alls;
        for (int i = 0; i < group_.size(); ++i)
          if (i != group_.rank()) counts_.sent += in[static_cast<size_t>(i)].numel();
        return group_.all_to_all(out, in, call.options, call.site);
      }
      case rt::OpType::AllGather: {
        ++counts_.all_gathers;
        counts_.sent += peers * in[0].numel();
        return out.size() == 1 ? group_.all_gather_into_tensor(out[0], in[0], call.options, call.site)
                               : group_.all_gather(out, in[0], call.options, call.site);
      }
      case rt::OpType::ReduceScatter: {
        ++counts_.reduce_scatters;
        for (int i = 0; i < group_.size(); ++i)
          if (i != group_.rank()) counts_.sent += in.size() == 1 ? out[0].numel() : in[static_cast<size_t>(i)].numel();
        return in.size() == 1 ? group_.reduce_scatter_tensor(out[0], in[0], call.reduce, call.options, call.site)
                              : group_.reduce_scatter(out[0], in, call.reduce, call.options, call.site);
      }
      case rt::OpType::AllReduce: {
        ++counts_.all_reduces;
        return group_.all_reduce(in[0], call.reduce, call.options, call.site);
      }
      default: rt::fail(rt::ErrorKind::Unsupported, "not counted");
    }
  }

  rt::Work submit_batch(std::span<const rt::Call> calls) override {
    ++counts_.batches;
    std::vector<rt::P2POp> operations;
    for (const rt::Call& call : calls) {
      const bool sends = call.op == rt::OpType::Send;
      if (sends) counts_.sent += call.in[0].numel();
      operations.push_back({.kind = sends ? rt::P2POp::Kind::Send : rt::P2POp::Kind::Recv,
                            .tensor = sends ? call.in[0] : call.out[0],
                            .peer = group_.global_rank(call.root),
                            .tag = call.tag});
    }
    return group_.batch(operations, calls[0].options, calls[0].site);
  }

 private:
  rt::ProcessGroup group_;
  Counts& counts_;
};

}  // namespace

rt::ProcessGroup counting(rt::ProcessGroup group, Counts& counts) {
  const rt::ProcessGroup::Info info{.name = group.name(), .ranks = group.ranks(), .rank = group.rank()};
  return {std::make_shared<CountingBackend>(std::move(group), counts), info};
}

}  // namespace ranklint::test
