#include "frontends/cpp/statements.h"

#include <clang/AST/RecursiveASTVisitor.h>

namespace ranklint::cpp {

namespace {

class Walker : public clang::RecursiveASTVisitor<Walker> {
 public:
  explicit Walker(llvm::function_ref<Walk(clang::Stmt&)> visit) : visit_(visit) {}

  bool TraverseStmt(clang::Stmt* statement) {
    if (!statement) return true;
    switch (visit_(*statement)) {
      case Walk::Into: return RecursiveASTVisitor::TraverseStmt(statement);
      case Walk::Over: return true;
      case Walk::Stop: return false;
    }
    return true;
  }

 private:
  llvm::function_ref<Walk(clang::Stmt&)> visit_;
};

}  // namespace

bool walk_statements(const clang::Stmt* statement, llvm::function_ref<Walk(clang::Stmt&)> visit) {
  return Walker(visit).TraverseStmt(const_cast<clang::Stmt*>(statement));
}

}  // namespace ranklint::cpp
