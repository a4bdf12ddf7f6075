// What a variable's name suggests of an object that is otherwise unknown: `_data_loader` is a DataLoader.
#pragma once

#include <string_view>
#include <vector>

#include "analyzer/resolve/index.h"

namespace ranklint {

// The methods called `name` of the project's classes that the variable says.
std::vector<FunctionKey> methods_suggested_by_name(const ProjectIndex& index, std::string_view variable, Symbol name);

// The only method of that name in the project, where the variable names its class:
// `self.checkpointer.save_and_remove_old()`. A name of one word is too common: `optimizer.step()` may be any class's.
// Invalid: there is none, or more than one.
FunctionKey method_suggested_by_name(const ProjectIndex& index, std::string_view variable, Symbol name);

}  // namespace ranklint
