// What a launcher starts, whatever it is written in.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analyzer/base/source_range.h"

namespace ranklint::launchers {

struct Setting {
  std::string name;  // "sp_size", in small letters with underscores
  int64_t value = 0;
  SourceRange range;
};

struct Launch {
  SourceRange range;
  std::optional<int64_t> per_node, nodes = 1, total;  // processes; not known where a constant is missing
  bool is_counted = false;                            // an option says how many, known or not
  std::string script;                                 // "train.py"; empty: a module, or not known
  std::string module;                                 // "tools.train", where `-m` names one
  std::vector<Setting> settings;                      // integer options of the script, in order
  std::vector<std::string> chosen;                    // words that switch something on or say which, in order
  // The script is one process by what is written: `torchrun --nproc_per_node=1 export.py`.
  bool starts_one() const { return is_counted && count() == 1; }
  std::optional<int64_t> count() const {
    if (total) return total;
    int64_t n = 0;
    if (!per_node || !nodes || __builtin_mul_overflow(*per_node, *nodes, &n)) return std::nullopt;
    return n;
  }
};

// "--tensor-model-parallel-size" -> "tensor_model_parallel_size"; the last part of a dotted key.
std::string setting_name(std::string_view option);

}  // namespace ranklint::launchers
