// Syntax tree -> the steps of a machine (analyzer/machine/program.h): what the files of that lowering share.
//
// It starts at `main` and takes in the functions and globals that can be reached from it. Statements become jumps, an
// expression leaves its value on the stack, a place its address; a record is its address. What is not C (exceptions,
// virtual calls, objects with constructors) becomes `Unsupported`: only a rank that gets there is affected. So does a
// function that was not read whole: Clang leaves out what it does not understand, and what is left would be another
// program.
//
//   steps_unit.cpp   functions, globals, places     steps_statements.cpp   statements, declarations
//   steps_places.cpp addresses, initialisers        steps_expressions.cpp  values, calls
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/Stmt.h>

#include <map>
#include <memory>
#include <vector>

#include "analyzer/machine/program.h"
#include "frontends/cpp/frontend.h"
#include "frontends/cpp/invocation.h"

namespace ranklint::cpp {

struct StepUnit {
  clang::ASTContext& context;
  const std::string& path;  // as it is shown
  const CompileCommand& command;
  const ParseNotes& notes;
  machine::Program program = {};
  std::map<const clang::FunctionDecl*, uint32_t> functions = {};
  std::vector<const clang::FunctionDecl*> waiting = {};  // given a number, not yet lowered
  std::map<const clang::VarDecl*, uint32_t> globals = {};
  std::vector<const clang::VarDecl*> uninitialized = {};  // globals whose initialiser is to be lowered
  std::map<std::string, uint32_t> externals = {};
  bool misses_mpi = false;       // it calls MPI, and nothing declares it
  bool met_broken_type = false;  // since the function began that is being lowered
  size_t step_count = 0;         // of the functions that are lowered
  std::map<std::string, uint32_t> texts = {};
  std::map<clang::FileID, uint32_t> files = {};
  std::map<std::pair<unsigned, unsigned>, uint32_t> places = {};
};

// One function being lowered.
struct StepScope {
  StepUnit& unit;
  machine::Function function = {};
  std::map<const clang::VarDecl*, uint32_t> variables = {};
  std::map<const clang::LabelDecl*, uint32_t> labels = {};
  std::vector<std::pair<uint32_t, const clang::LabelDecl*>> gotos = {};
  std::vector<std::vector<uint32_t>> breaks = {}, continues = {};  // jumps to be aimed, by loop
  std::map<const clang::SwitchCase*, uint32_t> cases = {};         // where each begins
  bool returns_reference = false;
  uint32_t place = 0;
};

// What a program needs of the unit: its `main`, or the functions that other units may call; null when there is neither,
// or a `main` that calls nothing but libraries other than MPI.
std::shared_ptr<const machine::Program> lower_steps(clang::ASTContext& context, const std::string& path,
                                                    const CompileCommand& command, const ParseNotes& notes);

// steps_unit.cpp
uint32_t text_index(StepUnit& unit, const std::string& text);
uint32_t function_index(StepUnit& unit, const clang::FunctionDecl& definition);
uint32_t external_index(StepUnit& unit, const clang::FunctionDecl& decl);
uint32_t global_index(StepUnit& unit, const clang::VarDecl& v);
uint32_t place_of(StepUnit& unit, clang::SourceRange range);
machine::Scalar scalar_of(const clang::ASTContext& context, clang::QualType type);
machine::Scalar element_of(const clang::ASTContext& context,
                           clang::QualType type);       // of an array, through all dimensions
int64_t size_of(StepUnit& unit, clang::QualType type);  // 0: not known
bool has_layout(StepUnit& unit, clang::QualType type);  // else it is of code that could not be read
uint32_t add_variable(StepScope& s, clang::QualType type, const std::string& name);

uint32_t emit(StepScope& s, machine::StepKind kind, int64_t number = 0, machine::Scalar scalar = machine::Scalar::None,
              uint8_t detail = 0);
void aim(StepScope& s, uint32_t step);  // a jump, a short circuit: to what comes next
void aim_branch(StepScope& s, uint32_t step, uint32_t target, uint32_t join);
uint32_t next(const StepScope& s);
void unsupported(StepScope& s, const std::string& what);

// steps_statements.cpp
void lower_statement(StepScope& s, const clang::Stmt* statement);

// steps_places.cpp
void place_of_expression(StepScope& s, const clang::Expr* e);  // pushes an address
void initialize(StepScope& s, const clang::Expr* init,
                clang::QualType type);  // address -> ; the object there gets its value

// steps_expressions.cpp
void value(StepScope& s, const clang::Expr* e);       // pushes a value; of a record: its address
void assign_top(StepScope& s, clang::QualType type);  // address, value -> value

}  // namespace ranklint::cpp
