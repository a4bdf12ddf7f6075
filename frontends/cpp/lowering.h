// Syntax tree -> IR: what the files of the lowering share.
//
// Blocks are those of clang::CFG, which knows every way that control takes through C++: short circuits, switch, goto,
// range-for, destructors at the ends of scopes. Its elements come in the order of evaluation; those that do something
// (assign, call, construct, destroy) become instructions, and all others are trees over places and literals, made
// where they are used.
//
// Pointers to scalars and handles are what they point to: `&x` is x, `*p` is p. So that a call can write through one,
// arguments are copied in and out: a function with such parameters returns a tuple of its result and their last
// values, and a call assigns those to the places it was given. `MPI_Comm_rank(comm, &rank)` is
//
//     %0 = call MPI_Comm_rank(comm, rank)
//     rank = %0[2]
//
// and a model says that the rank comes back at that place. Records and what points to them are objects with
// attributes, as in every other language.
//
//   functions.cpp   a function's blocks and their ends     calls.cpp        calls, constructors, destructors
//   elements.cpp    what a block does, one by one          unit.cpp         declarations, classes, files
//   expressions.cpp trees and places                       conditions.cpp   loops, switch, try
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Analysis/CFG.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "analyzer/ir/builder.h"
#include "frontends/cpp/frontend.h"

namespace ranklint::cpp {

// A file of the project that the unit reads, and its module.
struct FileModule {
  ir::Module module;
  std::unique_ptr<ir::FunctionBuilder> top;  // its `<module>` function
  std::map<std::string, ir::ClassId> classes = {};
  std::set<std::string> functions = {};  // lowered already, by qualified name
};

// The unit being lowered.
struct Unit {
  clang::ASTContext& context;
  const CompileCommand& command;
  std::vector<std::unique_ptr<FileModule>> files = {};  // the main file first
  std::map<clang::FileID, FileModule*> by_id = {};
  uint32_t depth = 0;  // of nested functions

  const clang::SourceManager& sources() const { return context.getSourceManager(); }
};

SourceRange range_of(const clang::SourceManager& sources, const clang::LangOptions& language, clang::SourceRange range);

// A loop that counts: `for (i = first; i < last; i += step)` or such a `while`, with an i that nothing else writes. It
// becomes an Iterate over a range, whose number of turns can be compared.
struct CountedLoop {
  const clang::VarDecl* variable = nullptr;
  const clang::Expr *first = nullptr, *last = nullptr, *step = nullptr;  // step null: 1
  bool inclusive = false, downwards = false;
};

// One function being lowered.
struct FunctionScope {
  Unit& unit;
  FileModule& file;
  ir::FunctionBuilder ir;
  const clang::FunctionDecl& decl;
  FunctionScope* outer = nullptr;  // around a lambda
  std::string qualified_name = {};
  bool returns_tuple = false;

  std::map<const clang::VarDecl*, std::string> names = {};  // locals and parameters
  std::set<std::string> taken = {};
  std::map<const clang::VarDecl*, const clang::Expr*> aliases = {};  // `int* p = &x;`
  std::unordered_map<const clang::Stmt*, ir::ExprId> done = {};      // what elements have computed
  std::unordered_map<const clang::Stmt*, CountedLoop> counted = {};
  std::unordered_map<const clang::Stmt*, const clang::ForStmt*> begins = {};  // the first statement of a counted loop
  std::unordered_map<const clang::Stmt*, ir::BlockId> heads = {};  // of counting `while` loops: where they turn
  std::unordered_map<const clang::Stmt*, ir::ExprId> ranges = {};  // of counted loops: evaluated where they begin
  std::unordered_map<const clang::Stmt*, const clang::CXXTryStmt*> tries = {};  // innermost around a statement
  std::unordered_set<const clang::Stmt*> loop_conditions = {};  // operators inside the condition of a loop
  std::unordered_set<const clang::Stmt*> loop_jumps = {};       // `continue`, and `break` that leaves a loop
  std::unordered_set<const clang::Stmt*> hidden = {};           // steps of a loop that the user did not write
  std::vector<ir::BlockId> blocks = {};                         // by number of the CFG's block
  uint32_t lambda_count = 0;

  SourceRange range(clang::SourceRange r) const { return range_of(unit.sources(), unit.context.getLangOpts(), r); }
};

// unit.cpp
// CppUnit::included.
std::vector<std::string> included_by(clang::ASTContext& context, const CompileCommand& command);
std::vector<ir::Module> lower_unit(clang::ASTContext& context, const std::string& path, const CompileCommand& command);
// A file's path as the project's files are shown.
std::string shown_path(const CompileCommand& command, llvm::StringRef name);
FileModule* file_of(Unit& unit, const clang::Decl& decl);  // null: not the project's
ir::ClassId class_of(Unit& unit, FileModule& file, const clang::CXXRecordDecl& record);

// functions.cpp
ir::FunctionId lower_function(Unit& unit, FileModule& file, const clang::FunctionDecl& decl, FunctionScope* outer);

// conditions.cpp
void find_loops(FunctionScope& s, const clang::Stmt* body);
void lower_end(FunctionScope& s, const clang::CFGBlock& block);

// elements.cpp
void lower_element(FunctionScope& s, const clang::CFGElement& element);
// The range of a loop that counts, evaluated here.
void begin_counted(FunctionScope& s, const clang::Stmt& loop, const clang::Expr& condition);

// expressions.cpp
ir::ExprId tree(FunctionScope& s, const clang::Expr* e);
ir::ExprId lambda(FunctionScope& s, const clang::LambdaExpr& e);
// The name, or the name followed by a number if another variable of the function has it.
std::string unused_name(FunctionScope& s, std::string name);
ir::ExprId variable(FunctionScope& s, const clang::VarDecl& declared);
bool is_place(FunctionScope& s, ir::ExprId e);
void assign(FunctionScope& s, ir::ExprId place, ir::ExprId value, SourceRange range);
// A constant of any width.
ir::ExprId integer(ir::FunctionBuilder& ir, const llvm::APSInt& value);
ir::Operator operator_of(clang::BinaryOperatorKind kind, bool integers);

// calls.cpp
void lower_call(FunctionScope& s, const clang::CallExpr& call);
void lower_construct(FunctionScope& s, const clang::CXXConstructExpr& e);
void lower_destroy(FunctionScope& s, const clang::CXXRecordDecl* record, ir::ExprId object, SourceRange range);

}  // namespace ranklint::cpp
