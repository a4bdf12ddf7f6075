// What the standard library's containers do, in the words that all frontends use: `v.push_back(x)` is `v.append(x)`,
// `v.size()` is `len(v)`. A list that the function fills in sight is followed; any other code that may write to it
// makes it unknown again.
#pragma once

#include "frontends/cpp/lowering.h"

namespace ranklint::cpp {

// Whether the type is a container of the standard library (strings too), or a reference or a pointer to one.
bool is_container(clang::QualType type);
bool reads_size(const clang::CallExpr& call);  // v.size(), v.length(), v.empty()
// A method that says how long a container is, or that makes it longer by one. False: the call is none of these.
bool lower_container_call(FunctionScope& s, const clang::CallExpr& call);
// What a container made of these arguments holds; invalid: the construction is not a container's.
ir::ExprId container_made(FunctionScope& s, const clang::CXXConstructExpr& e);
// Containers that a call was given to write to.
void forget_written(FunctionScope& s, const clang::CallExpr& call);
// Containers that the body of a lambda may write to.
void forget_captured(FunctionScope& s, const clang::LambdaExpr& e);

}  // namespace ranklint::cpp
