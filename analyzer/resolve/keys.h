// Numbers of modules, functions and classes over a whole project.
#pragma once

#include "analyzer/base/ids.h"

namespace ranklint {

using ModuleKey = Id<struct ModuleKeyTag>;
using FunctionKey = Id<struct FunctionKeyTag>;  // a function of any module
using ClassKey = Id<struct ClassKeyTag>;        // a class of any module

}  // namespace ranklint
