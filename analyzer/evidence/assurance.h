// How sure a fact is, what it rests on, and where it is merely possible, why. What is possible always has a reason:
// there is no other way to say it.
#pragma once

#include <algorithm>
#include <span>
#include <utility>

#include "analyzer/base/check.h"
#include "analyzer/base/compact_vector.h"
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
  std::span<const Doubt> doubts() const { return doubts_; }
  std::span<const Assumption> assumptions() const { return assumptions_; }

  void doubt(Doubt doubt) {
    degree_ = Confidence::Possible;
    doubts_.push_back(doubt);
  }
  void assume(Assumption assumption) { assumptions_.push_back(std::move(assumption)); }
  // No surer than the other, whose doubts and assumptions are its own from now on.
  void lower_to(const Assurance& other) {
    degree_ = std::min(degree_, other.degree_);
    doubts_.append(other.doubts_);
    assumptions_.append(other.assumptions_);
  }

 private:
  Confidence degree_;
  CompactVector<Doubt> doubts_;
  CompactVector<Assumption> assumptions_;
};

inline Assurance lower_of(Assurance a, const Assurance& b) {
  a.lower_to(b);
  return a;
}

}  // namespace ranklint
