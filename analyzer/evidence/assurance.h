// How sure a fact is, what it rests on, and where it is merely possible, why. What is possible always has a reason:
// there is no other way to say it.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "analyzer/base/check.h"
#include "analyzer/base/confidence.h"
#include "analyzer/evidence/assumption.h"
#include "analyzer/evidence/reason.h"

namespace ranklint {

struct Doubt {
  Reason reason;
  CodePlace place = {};  // that it is about, where there is one
};

class Assurance {
 public:
  Assurance(Confidence degree) : degree_(degree) {  // NOLINT(google-explicit-constructor): Likely is as good as a fact
    RANKLINT_CHECK(degree != Confidence::Possible, "a doubt without a reason");
  }
  Assurance(Doubt doubt) : degree_(Confidence::Possible), doubts_{doubt} {}  // NOLINT(google-explicit-constructor)

  Confidence degree() const { return degree_; }
  const std::vector<Doubt>& doubts() const { return doubts_; }
  const std::vector<Assumption>& assumptions() const { return assumptions_; }

  void doubt(Doubt doubt) {
    degree_ = Confidence::Possible;
    doubts_.push_back(doubt);
  }
  void assume(Assumption assumption) { assumptions_.push_back(std::move(assumption)); }
  // No surer than the other, whose doubts and assumptions are its own from now on.
  void lower_to(const Assurance& other) {
    degree_ = std::min(degree_, other.degree_);
    doubts_.insert(doubts_.end(), other.doubts_.begin(), other.doubts_.end());
    assumptions_.insert(assumptions_.end(), other.assumptions_.begin(), other.assumptions_.end());
  }

 private:
  Confidence degree_;
  std::vector<Doubt> doubts_;
  std::vector<Assumption> assumptions_;
};

inline Assurance lower_of(Assurance a, const Assurance& b) {
  a.lower_to(b);
  return a;
}

}  // namespace ranklint
