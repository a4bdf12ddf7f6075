#include "frontends/cpp/resources.h"

#include <dlfcn.h>

#include <filesystem>

namespace ranklint::cpp {

namespace {

// The file that this code was loaded from: the module, or a program that has the frontend linked in.
std::filesystem::path own_file() {
  static const char kHere = 0;
  Dl_info info{};
  return dladdr(&kHere, &info) != 0 && info.dli_fname ? std::filesystem::path(info.dli_fname) : std::filesystem::path();
}

std::string find_resources() {
  std::error_code ignored;
  const std::filesystem::path beside = own_file().parent_path() / "clang";
  if (std::filesystem::exists(beside / "include" / "stddef.h", ignored)) return beside.string();
  return RANKLINT_CLANG_RESOURCES;
}

}  // namespace

const std::string& clang_resources() {
  static const std::string kFolder = find_resources();
  return kFolder;
}

}  // namespace ranklint::cpp
