#include "app/check/of_interest.h"

#include "frontends/launchers/launchers.h"
#include "frontends/requirements/requirements.h"

namespace ranklint::app {

bool may_say_nothing(std::string_view path) { return may_require(path) || may_launch(path); }

bool is_of_interest(std::string_view path, std::string_view bytes) {
  if (may_require(path) && requires_versions(path, bytes)) return true;
  return may_launch(path) ? launches(path, bytes) : !may_require(path);
}

}  // namespace ranklint::app
