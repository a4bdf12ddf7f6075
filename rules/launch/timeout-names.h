// What parameters and settings that hold a time-out are called: by the keyword of some call that takes one.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "analyzer/resolve/models.h"

namespace ranklint {

class TimeoutNames {
 public:
  explicit TimeoutNames(const Roles& roles) {
    for (const std::string& name : roles.names_in(Role::TakesTimeout))
      keywords_.insert(roles.find(name, Role::TakesTimeout)->argument.keyword);
  }

  // `timeout`, `ddp_timeout`
  bool name_one(std::string_view name) const {
    return std::ranges::any_of(
        keywords_, [&](const std::string& keyword) { return name == keyword || name.ends_with("_" + keyword); });
  }
  // And `timeout_minutes`, as settings say their unit.
  bool name_setting(std::string_view name) const {
    return name_one(name) ||
           std::ranges::any_of(keywords_, [&](const std::string& keyword) { return name.starts_with(keyword + "_"); });
  }

 private:
  std::set<std::string> keywords_;
};

}  // namespace ranklint
