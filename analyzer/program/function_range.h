// Functions whose keys follow each other, or some of them. It ends where it is asked to stop.
#pragma once

#include <stop_token>
#include <vector>

#include "analyzer/resolve/index.h"

namespace ranklint {

struct FunctionRange {
  class Iterator {
   public:
    Iterator(const FunctionRange& range, uint32_t index) : range_(&range), index_(index) { go_on(); }
    FunctionKey operator*() const { return FunctionKey{index_}; }
    Iterator& operator++() {
      ++index_;
      go_on();
      return *this;
    }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.index_ == b.index_; }

   private:
    void go_on() {
      while (range_->wanted && index_ < range_->last && !(*range_->wanted)[index_ - range_->first]) ++index_;
      if (range_->stop && range_->stop->stop_requested()) index_ = range_->last;
    }
    const FunctionRange* range_;
    uint32_t index_;
  };
  uint32_t first = 0, last = 0;
  const std::vector<bool>* wanted = nullptr;  // from the first on; null: all
  const std::stop_token* stop = nullptr;
  Iterator begin() const { return {*this, first}; }
  Iterator end() const { return {*this, last}; }
  bool contains(FunctionKey f) const {
    return f.index >= first && f.index < last && (!wanted || (*wanted)[f.index - first]);
  }
};

}  // namespace ranklint
