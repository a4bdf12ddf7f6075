#include "app/config/schema.h"

#include <span>

#include "analyzer/base/embedded_file.h"

namespace ranklint {

std::span<const EmbeddedFile> config_schema_files();

namespace app {

std::string_view config_schema() { return config_schema_files().front().content; }

}  // namespace app

}  // namespace ranklint
