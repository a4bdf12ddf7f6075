// Models as bytes that take no parsing: what the built-in files come to, made when the program is built.
//
// Parsing their JSON took most of the time of a run on one small file. So a program of the build reads and checks it
// (embedding/main.cpp), and the binary holds a table: for each model a set of the fields that differ from their
// defaults, and those fields; then the roles and the words. The table always matches the files that the build checked,
// so nothing is checked here; models of the user's are read as JSON (model_reader.h).
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/resolve/model_reader.h"

namespace ranklint {

std::string model_table(const ModelFile& models);

// The inverse, model by model: all of them at once take more room than they are used for. A table of another origin
// is a broken invariant.
void read_model_table(std::string_view table, const std::function<void(NamedModel)>& take_model,
                      const std::function<void(RoleEntry)>& take_role, const std::function<void(NamePrior)>& take_name);

}  // namespace ranklint
