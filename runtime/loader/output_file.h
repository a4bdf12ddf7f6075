// A file that is either there in full or not at all: written under a temporary name beside its own, brought to the disk
// (fsync), and only then renamed, which replaces what was there in one step. A crash leaves at most NAME.partial.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "runtime/base/error.h"
#include "runtime/loader/descriptor.h"

namespace ranklint::runtime {

class OutputFile {
 public:
  static Result<OutputFile> create(const std::string& path);
  OutputFile(OutputFile&&) noexcept = default;
  OutputFile& operator=(OutputFile&&) noexcept = default;
  ~OutputFile();  // without commit: removes the temporary file

  Status write(std::span<const std::byte> bytes);
  Status write(std::string_view text) { return write(std::as_bytes(std::span(text))); }
  Status commit();

 private:
  OutputFile() = default;

  std::string path_, temporary_;
  Descriptor descriptor_;
};

// The names in a folder are on the disk too.
Status sync_folder_of(const std::string& path);

Status write_file(const std::string& path, std::string_view text);

}  // namespace ranklint::runtime
