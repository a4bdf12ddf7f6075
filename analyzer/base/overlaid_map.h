// What was found out once and is kept, in a map that may be laid over another.
#pragma once

#include <utility>

namespace ranklint {

// A map laid over another has everything that the other has; what is set goes into the upper map alone. The lower map
// must outlive the upper one and must not change as long as it is there. Several maps may lie over one, and each of
// them may be used by a different thread.
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
  // As if it had not been set in this map.
  void forget(const Key& key) { own_.erase(key); }

 private:
  const OverlaidMap* below_ = nullptr;
  Map own_;
};

}  // namespace ranklint
