// What was found out once and is kept, in a map that may be laid over another.
#pragma once

#include <utility>

namespace ranklint {

// Over another it has what that one has, and what is set is its own. The one below must outlive it and must not change
// meanwhile. Several may lie over one, each in a thread of its own.
template <typename Map>
class OverlaidMap {
 public:
  using Key = typename Map::key_type;
  using Mapped = typename Map::mapped_type;

  OverlaidMap() = default;
  static OverlaidMap over(const OverlaidMap& below) {
    OverlaidMap above;
    above.below_ = &below;
    return above;
  }

  // Null: nothing is kept under the key. Good until it is set anew.
  const Mapped* find(const Key& key) const {
    if (const auto found = own_.find(key); found != own_.end()) return &found->second;
    return below_ ? below_->find(key) : nullptr;
  }
  const Mapped& set(const Key& key, Mapped value) { return own_[key] = std::move(value); }

 private:
  const OverlaidMap* below_ = nullptr;
  Map own_;
};

}  // namespace ranklint
