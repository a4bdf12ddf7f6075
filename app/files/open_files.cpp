#include "app/files/open_files.h"

#include <algorithm>

namespace ranklint::app {

void OpenFiles::put(const std::string& path, Text text) {
  const std::lock_guard lock(mutex_);
  if (text)
    texts_[path] = std::move(text);
  else
    texts_.erase(path);
}

std::map<std::string, OpenFiles::Text> OpenFiles::texts() const {
  const std::lock_guard lock(mutex_);
  return texts_;
}

void OpenFiles::note_included(const std::string& unit, const std::vector<std::string>& included) {
  const std::lock_guard lock(mutex_);
  std::vector<uint32_t>& numbers = included_[unit];
  numbers.clear();
  for (const std::string& path : included) numbers.push_back(numbers_.emplace(path, numbers_.size()).first->second);
  std::sort(numbers.begin(), numbers.end());
}

std::vector<std::string> OpenFiles::includers(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> units;
  const auto number = numbers_.find(path);
  if (number == numbers_.end()) return units;
  for (const auto& [unit, numbers] : included_)
    if (std::binary_search(numbers.begin(), numbers.end(), number->second)) units.push_back(unit);
  return units;
}

}  // namespace ranklint::app
