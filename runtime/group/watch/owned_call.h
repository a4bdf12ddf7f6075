// A call that outlives its caller's frame: handles of its tensors and copies of its words.
#pragma once

#include <string>
#include <vector>

#include "runtime/group/call.h"

namespace ranklint::runtime {

class OwnedCall {
 public:
  explicit OwnedCall(const Call& call)
      : call_(call),
        in_(call.in.begin(), call.in.end()),
        out_(call.out.begin(), call.out.end()),
        new_ranks_(call.new_ranks.begin(), call.new_ranks.end()),
        name_(call.options.name),
        implicit_in_(call.options.implicit_in) {}

  // Looks at this object.
  Call get() const {
    Call call = call_;
    call.in = in_;
    call.out = out_;
    call.new_ranks = new_ranks_;
    call.options.name = name_;
    call.options.implicit_in = implicit_in_;
    return call;
  }

 private:
  Call call_;
  std::vector<Tensor> in_, out_;
  std::vector<int> new_ranks_;
  std::string name_, implicit_in_;
};

}  // namespace ranklint::runtime
