// A text file that was compiled into the binary by ranklint_embed (cmake/embed.cmake).
#pragma once

#include <string_view>

namespace ranklint {

struct EmbeddedFile {
  std::string_view name;  // its path from the root of the repository: "rules/models/accelerate.json"
  std::string_view content;
};

}  // namespace ranklint
