// What declarations are called in the IR: dotted, equal in every translation unit, and as a model's file spells it.
//
//   MPI_Bcast                    C linkage, and whatever a system header or a stub declares: no signature
//   c10d.ProcessGroup.allreduce  likewise
//   train.Trainer.step(int)      a function of the project: overloads are told apart by their parameters' types
//   train.scratch#util.cpp       internal linkage: another file has another one
//
//   train.save<Sharded>(int)     a function template: once for each choice of the project's classes among its arguments
//
// Apart from that, a template's instantiations go by the name of the template: it is read once.
#pragma once

#include <string>

namespace clang {
class FunctionDecl;
class NamedDecl;
class QualType;
class SourceManager;
class Decl;
}  // namespace clang

namespace ranklint::cpp {

// Whether the declaration stands in a header of the system or in one of our stubs.
bool is_external(const clang::Decl& decl);

std::string entity_name(const clang::NamedDecl& decl);
std::string function_name(const clang::FunctionDecl& function);

// The pattern that a template's instantiation comes from, the function itself otherwise; its definition if there is
// one.
const clang::FunctionDecl& pattern_of(const clang::FunctionDecl& function);

// Whether a call may write through a parameter of this type: a pointer or a reference to something that is neither
// constant nor a record nor a function. Its value comes back beside the result (lowering.h).
bool is_out_parameter(const clang::QualType& type);
bool has_out_parameters(const clang::FunctionDecl& function);

}  // namespace ranklint::cpp
