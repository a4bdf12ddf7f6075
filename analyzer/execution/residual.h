// What is left of a value on one rank of one small world.
//
// A scenario fixes the rank; coordinates and sizes become numbers and the value is folded again. A condition
// whose residual is a constant is decided on that rank; one that is not is a choice, and two ranks share it when
// their residuals are the same term: same configuration, same decision.
#pragma once

#include <unordered_map>
#include <vector>

#include "analyzer/mesh/world.h"
#include "analyzer/summary/query.h"

namespace ranklint {

class Scenario {
 public:
  Scenario(const Query& query, const World& world, uint32_t rank) : in_(query), world_(world), rank_(rank) {}

  uint32_t rank() const {
    gave_rank_ = true;
    return rank_;
  }
  int64_t coordinate(const AxisSet& axes) const {
    gave_rank_ = true;
    return world_.coordinate(rank_, axes);
  }
  ValueId residual(ValueId v);

  // What it was asked for so far, each term once, and what was left of it.
  struct Answer {
    ValueId term, residual;
  };
  const std::vector<Answer>& answers() const { return answers_; }
  // Whether it would answer the same. That does not count as being asked.
  bool would_answer(const Answer& answer) { return part_left(answer.term) == answer.residual; }
  // Whether the rank itself was read: what follows from that holds for this rank alone.
  bool gave_rank() const { return gave_rank_; }

 private:
  struct Known {
    ValueId residual;
    bool was_asked = false;  // and is among the answers
  };

  ValueId part_left(ValueId v);
  ValueId fold(ValueId v, const Value& value);
  ValueId from_root(const std::vector<ValueId>& parts);
  ValueId never_changed(const Value& loop, const std::vector<ValueId>& children);
  bool tests_for_large_job(ir::Operator op, const std::vector<ValueId>& children) const;

  const Query& in_;
  const World& world_;
  uint32_t rank_;
  std::unordered_map<uint32_t, Known> known_;
  std::vector<Answer> answers_;
  mutable bool gave_rank_ = false;
};

}  // namespace ranklint
