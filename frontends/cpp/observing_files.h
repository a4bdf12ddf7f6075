// The files of the machine as Clang asks for them, and a list of the answers.
#pragma once

#include <llvm/ADT/IntrusiveRefCntPtr.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <vector>

#include "analyzer/base/observation.h"

namespace ranklint::cpp {

// Adds to `seen`, which must outlive what is returned. For one thread at a time.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> observing(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                                                          std::vector<Observation>& seen);

}  // namespace ranklint::cpp
