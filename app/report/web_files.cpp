#include "app/report/web_files.h"

#include <span>

#include "analyzer/base/check.h"
#include "analyzer/base/embedded_file.h"

namespace ranklint {

std::span<const EmbeddedFile> report_web_files();

namespace report {

std::string_view web_file(std::string_view name) {
  for (const EmbeddedFile& file : report_web_files())
    if (file.name.substr(file.name.rfind('/') + 1) == name) return file.content;
  RANKLINT_CHECK(false, "a report asks for a file that app/report/web/ does not have");
  return {};
}

}  // namespace report

}  // namespace ranklint
