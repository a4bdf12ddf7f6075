// Which ranks a condition holds for, from its term alone: for every rank, and for groups of every size.
//
// The term is evaluated as it stands, with numbers for the coordinates in it and names for what ranks share. It is
// evaluated in groups of several sizes, up to one that exceeds what the constants in the term can distinguish; a
// description that agrees with all of these is the condition's. A condition that does not follow from coordinates alone
// has none.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "analyzer/mesh/rank_set.h"
#include "analyzer/variance/values.h"

namespace ranklint {

// What a number in a term counts: ranks within their group over axes, or in a group that is known as a term only.
struct RankVariable {
  AxesId axes;
  ValueId group;
  friend bool operator==(const RankVariable&, const RankVariable&) = default;
};

struct Requirement {
  ValueId condition;
  bool holds = true;
};

// Ranks by one number, or by several of which all have to be in their sets (or one, of `any`).
struct RanksWhere {
  struct Part {
    RankVariable variable;
    RankSet set;
    friend bool operator==(const Part&, const Part&) = default;
  };
  std::vector<Part> parts;
  bool any = false;
};

class RankCondition {
 public:
  // What is known of a term that ranks share.
  using Decide = std::function<ValueStore::Truth(ValueId)>;

  RankCondition(const ValueStore& values, const ProjectIndex& index, Decide decide)
      : values_(values), index_(index), decide_(std::move(decide)) {}

  // The ranks that meet all requirements. No value: they cannot be described exactly, or they are none or all.
  std::optional<RanksWhere> ranks_where(std::span<const Requirement> all) const;

  // Whether a condition over one variable holds for this number in a group of this size.
  std::optional<bool> holds(ValueId condition, const RankVariable& variable, uint32_t number, uint32_t size) const;

  // The numbers that it asks for, in no order.
  std::vector<RankVariable> variables_of(ValueId term) const;

 private:
  // A number, or the name of something that ranks share.
  struct Outcome {
    bool is_number = false;
    int64_t number = 0;
    uint64_t name = 0;
    friend bool operator==(const Outcome&, const Outcome&) = default;
  };
  struct Asked {
    const RankVariable& variable;
    uint32_t number, size;
    mutable int budget;
  };
  using Maybe = std::optional<Outcome>;

  Maybe evaluate(ValueId v, const Asked& asked) const;
  Maybe evaluate_unary(ValueId v, const Asked& asked) const;
  Maybe evaluate_binary(ValueId v, const Asked& asked) const;
  Maybe evaluate_member(ValueId v, const Asked& asked) const;
  Maybe evaluate_sequence(ValueId v, const Asked& asked) const;
  Maybe evaluate_call(ValueId v, const Asked& asked) const;
  ValueStore::Truth truth(ValueId v, const Asked& asked) const;
  bool is_size_of(ValueId v, const RankVariable& variable) const;
  std::vector<Requirement> conjuncts(std::span<const Requirement> all) const;
  std::optional<RankSet> set_of(const std::vector<Requirement>& parts, const RankVariable& variable, bool any) const;
  std::optional<RanksWhere> by_variable(const std::vector<Requirement>& parts, bool any) const;

  const ValueStore& values_;
  const ProjectIndex& index_;
  Decide decide_;
};

}  // namespace ranklint
