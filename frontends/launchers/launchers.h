// Launch scripts and configurations as IR: what starts how many processes, with which degrees, in which environment.
//
// A shell script or a YAML file has no ranks and no collectives, but it says how many there will be. So it becomes a
// module with the calls that say it:
//
//     ranklint.launch.processes(count=8, script="train.py", sp_size=3)     ; torchrun --nproc_per_node=8 train.py
//     --sp-size 3 ranklint.launch.degree("sp_size", 3, count=8)                        ; where that is written
//     os.environ["NCCL_DEBUG"] = "INFO"                                    ; export NCCL_DEBUG=INFO
//
// and rules find them as they find any call. Its `starts` say which scripts are started, and by what. Values that
// are not constants are left out. Reading never fails: a file that cannot be read starts nothing.
#pragma once

#include <string>
#include <string_view>

#include "analyzer/ir/ir.h"

namespace ranklint {

// By the name: .sh, .bash, .slurm, .sbatch; .yaml, .yml; .md, .rst.
bool may_launch(std::string_view path);

// Whether the file says anything about processes, or starts a script: most shell and YAML of a repository is about
// something else.
bool launches(std::string_view path, std::string_view bytes);

// Of a page only which scripts its commands start: its settings are examples.
ir::Module lower_launcher(const std::string& path, std::string_view bytes);

// What the comments and texts of a program show to be started by a launcher.
std::vector<ir::Start> starts_shown_in(std::string_view program);

}  // namespace ranklint
