// Which of the checked files a frame ran. The job ran on another machine and from another folder: the frame says
// /job/trainer/train.py and the file is called ../code/trainer/train.py here.
//
// Two paths are of the same file when they end alike, at least in all that the file's path says below a folder that was
// named for the check (or below the one that the program is run in). Where several files do, the longest common end
// decides, then the order of the files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ranklint::app {

class FrameFiles {
 public:
  // `files` as they are shown, relative to `cwd`; `named`: absolute paths of folders and files. `cwd` is absolute.
  FrameFiles(std::vector<std::string> files, std::vector<std::string> named, const std::string& cwd);

  // As it is shown; empty: none of them.
  std::string_view file_of(std::string_view frame_file) const;

 private:
  struct File {
    std::string shown;
    std::string absolute;
    size_t least = 0;  // components at the end that have to be the same
  };
  std::vector<File> files_;
};

}  // namespace ranklint::app
