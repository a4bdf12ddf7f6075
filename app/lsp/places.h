// The present places of what a check found. A finding refers to the texts that were checked; the user types on while a
// check runs, and a place moves with the text.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "app/lsp/checker.h"
#include "app/lsp/folder.h"
#include "app/lsp/text.h"

namespace ranklint::app::lsp {

class Places {
 public:
  // `file`: the one whose findings are asked about, by its shown path; of others the text that was checked counts.
  Places(const Folder& folder, const std::map<std::string, Document>& open, Encoding encoding, std::string file = {});

  // By the path of the finding.
  Json range(const Location& location);
  Json location(const Location& location);  // {uri, range}
  Span span(const Location& location);      // in the text as it is now
  const TextLines& now(const std::string& shown_path);
  std::string_view reported_text(const std::string& shown_path);     // that findings speak of
  Span moved(const std::string& shown_path, Span in_reported_text);  // to the text as it is now
  std::string uri(const std::string& shown_path);
  Encoding encoding() const { return encoding_; }

 private:
  struct File {
    Text checked, current;
    TextLines checked_lines, current_lines;
    Relocation relocation;
  };
  File& file(const std::string& shown_path);

  const Folder& folder_;
  const std::map<std::string, Document>& open_;  // by absolute path
  Encoding encoding_;
  std::string values_read_;
  std::map<std::string, std::unique_ptr<File>> files_;
};

}  // namespace ranklint::app::lsp
