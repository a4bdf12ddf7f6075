// Expressions as trees over places and literals. What calls or writes was an element of the block before
// (elements.cpp) and is looked up in `done`.
#include "frontends/cpp/containers.h"
#include "frontends/cpp/lowering.h"
#include "frontends/cpp/names.h"

namespace ranklint::cpp {

namespace {

bool is_global(const clang::VarDecl& v) { return v.hasGlobalStorage(); }

std::string global_name(FunctionScope& s, const clang::VarDecl& v) {
  return v.isStaticLocal() ? s.qualified_name + "." + v.getNameAsString() : entity_name(v);
}

void declare(FunctionScope& s, CompactVector<Symbol>& list, const std::string& name) {
  const Symbol symbol = s.ir.symbol(name);
  if (std::find(list.begin(), list.end(), symbol) == list.end()) list.push_back(symbol);
}

ir::ExprId literal(FunctionScope& s, const clang::Expr* e) {
  if (const auto* i = llvm::dyn_cast<clang::IntegerLiteral>(e)) {
    llvm::SmallString<24> digits;
    i->getValue().toStringUnsigned(digits);
    return s.ir.integer_text(digits.str());
  }
  if (const auto* b = llvm::dyn_cast<clang::CXXBoolLiteralExpr>(e)) return s.ir.boolean(b->getValue());
  if (const auto* c = llvm::dyn_cast<clang::CharacterLiteral>(e)) return s.ir.integer(c->getValue());
  if (const auto* t = llvm::dyn_cast<clang::StringLiteral>(e))
    return s.ir.string(t->getCharByteWidth() == 1 ? t->getString() : llvm::StringRef("text"));
  if (const auto* f = llvm::dyn_cast<clang::FloatingLiteral>(e)) {
    llvm::SmallString<24> digits;
    f->getValue().toString(digits);
    return s.ir.floating(digits.str());
  }
  if (llvm::isa<clang::CXXNullPtrLiteralExpr, clang::GNUNullExpr>(e)) return s.ir.none();
  return {};
}

ir::ExprId reference(FunctionScope& s, const clang::ValueDecl& decl) {
  if (const auto* f = llvm::dyn_cast<clang::FunctionDecl>(&decl)) return s.ir.name(function_name(*f));
  if (const auto* e = llvm::dyn_cast<clang::EnumConstantDecl>(&decl)) return integer(s.ir, e->getInitVal());
  if (const auto* v = llvm::dyn_cast<clang::VarDecl>(&decl)) return variable(s, *v);
  if (const auto* b = llvm::dyn_cast<clang::BindingDecl>(&decl)) return s.ir.name(b->getNameAsString());
  return s.ir.name(entity_name(decl));
}

ir::ExprId member(FunctionScope& s, const clang::MemberExpr& e) {
  const clang::ValueDecl& decl = *e.getMemberDecl();
  if (const auto* v = llvm::dyn_cast<clang::VarDecl>(&decl)) return variable(s, *v);
  if (llvm::isa<clang::EnumConstantDecl>(decl)) return reference(s, decl);
  const ir::ExprId base = tree(s, e.getBase());
  const std::string name = decl.getNameAsString();
  return name.empty() ? base : s.ir.attribute(base, name);  // an anonymous union's member
}

ir::ExprId unary(FunctionScope& s, const clang::UnaryOperator& e) {
  const ir::ExprId operand = tree(s, e.getSubExpr());
  switch (e.getOpcode()) {
    case clang::UO_LNot: return s.ir.unary(ir::Operator::Not, operand);
    case clang::UO_Minus: return s.ir.unary(ir::Operator::Negate, operand);
    case clang::UO_Not: return s.ir.unary(ir::Operator::Invert, operand);
    default: return operand;  // &x and *p are x and p
  }
}

ir::ExprId binary(FunctionScope& s, const clang::BinaryOperator& e) {
  if (e.getOpcode() == clang::BO_Comma) return tree(s, e.getRHS());
  if (e.isAssignmentOp()) return tree(s, e.getLHS());
  const ir::ExprId left = tree(s, e.getLHS());
  const ir::ExprId right = tree(s, e.getRHS());
  if (e.getOpcode() == clang::BO_LAnd) return s.ir.sequence(ir::ExprKind::And, std::vector{left, right});
  if (e.getOpcode() == clang::BO_LOr) return s.ir.sequence(ir::ExprKind::Or, std::vector{left, right});
  const ir::Operator op = operator_of(e.getOpcode(), e.getType()->isIntegerType());
  return op == ir::Operator::None ? s.ir.unknown("operator") : s.ir.binary(op, left, right);
}

ir::ExprId list(FunctionScope& s, clang::ArrayRef<const clang::Expr*> parts) {
  constexpr size_t kLongestList = 256;
  std::vector<ir::ExprId> out;
  for (const clang::Expr* part : parts.take_front(kLongestList)) out.push_back(tree(s, part));
  return s.ir.sequence(ir::ExprKind::List, out);
}

std::vector<const clang::Expr*> parts_of(const clang::InitListExpr& e) { return {e.inits().begin(), e.inits().end()}; }

// Constants that only the compiler can tell: sizes, enumerators in arithmetic, constexpr variables.
ir::ExprId constant(FunctionScope& s, const clang::Expr* e) {
  clang::Expr::EvalResult result;
  if (e->isValueDependent() || !e->getType()->isIntegralOrEnumerationType() ||
      !e->EvaluateAsInt(result, s.unit.context))
    return {};
  return integer(s.ir, result.Val.getInt());
}

// What Clang could make nothing of, with what is written in it: a variable of unknown type, `work.wait` of one, or
// `unknown[work]`, which reads it.
ir::ExprId not_understood(FunctionScope& s, const clang::Expr& e) {
  const auto* member = llvm::dyn_cast<clang::CXXDependentScopeMemberExpr>(&e);
  if (member && !member->isImplicitAccess())
    return s.ir.attribute(tree(s, member->getBase()), member->getMember().getAsString());
  const auto* broken = llvm::dyn_cast<clang::RecoveryExpr>(&e);
  std::vector<const clang::Expr*> parts;
  if (broken) parts.assign(broken->subExpressions().begin(), broken->subExpressions().end());
  const bool is_variable =
      parts.size() == 1 && llvm::isa<clang::DeclRefExpr>(parts[0]) && parts[0]->getSourceRange() == e.getSourceRange();
  if (is_variable) return tree(s, parts[0]);
  ++s.file.module.unknown_count;
  const ir::ExprId unknown = s.ir.unknown(e.getStmtClassName());
  return parts.empty() ? unknown : s.ir.subscript(unknown, list(s, parts));
}

}  // namespace

ir::ExprId integer(ir::FunctionBuilder& ir, const llvm::APSInt& value) {
  if (const std::optional<int64_t> small = value.tryExtValue()) return ir.integer(*small);
  llvm::SmallString<40> digits;
  value.toString(digits);
  return ir.integer_text(digits.str());
}

ir::Operator operator_of(clang::BinaryOperatorKind kind, bool integers) {
  using ir::Operator;
  switch (kind) {
    case clang::BO_Add:
    case clang::BO_AddAssign: return Operator::Add;
    case clang::BO_Sub:
    case clang::BO_SubAssign: return Operator::Subtract;
    case clang::BO_Mul:
    case clang::BO_MulAssign: return Operator::Multiply;
    case clang::BO_Div:
    case clang::BO_DivAssign: return integers ? Operator::FloorDivide : Operator::Divide;
    case clang::BO_Rem:
    case clang::BO_RemAssign: return Operator::Modulo;
    case clang::BO_Shl:
    case clang::BO_ShlAssign: return Operator::ShiftLeft;
    case clang::BO_Shr:
    case clang::BO_ShrAssign: return Operator::ShiftRight;
    case clang::BO_And:
    case clang::BO_AndAssign: return Operator::BitAnd;
    case clang::BO_Or:
    case clang::BO_OrAssign: return Operator::BitOr;
    case clang::BO_Xor:
    case clang::BO_XorAssign: return Operator::BitXor;
    case clang::BO_LT: return Operator::Less;
    case clang::BO_GT: return Operator::Greater;
    case clang::BO_LE: return Operator::LessEqual;
    case clang::BO_GE: return Operator::GreaterEqual;
    case clang::BO_EQ: return Operator::Equal;
    case clang::BO_NE: return Operator::NotEqual;
    default: return Operator::None;
  }
}

std::string unused_name(FunctionScope& s, std::string name) {
  if (name.empty()) name = "_";
  std::string candidate = name;
  for (uint32_t n = 2; !s.taken.insert(candidate).second; ++n) candidate = name + "_" + std::to_string(n);
  return candidate;
}

ir::ExprId variable(FunctionScope& s, const clang::VarDecl& declared) {
  const clang::VarDecl& v = *declared.getCanonicalDecl();
  if (is_global(v)) {
    const std::string name = global_name(s, v);
    if (!is_external(v)) declare(s, s.ir.function().globals, name);
    return s.ir.name(name);
  }
  if (auto alias = s.aliases.find(&v); alias != s.aliases.end()) return tree(s, alias->second);
  auto found = s.names.find(&v);
  if (found == s.names.end()) found = s.names.emplace(&v, unused_name(s, v.getNameAsString())).first;
  return s.ir.name(found->second);
}

bool is_place(FunctionScope& s, ir::ExprId e) {
  const ir::ExprKind kind = s.ir.function().exprs[e].kind;
  return kind == ir::ExprKind::Name || kind == ir::ExprKind::Attribute || kind == ir::ExprKind::Subscript;
}

void assign(FunctionScope& s, ir::ExprId place, ir::ExprId value, SourceRange range) {
  if (!place.valid() || !value.valid() || !is_place(s, place)) return;
  if (s.outer)
    if (const ir::Expr& e = s.ir.function().exprs[place]; e.kind == ir::ExprKind::Name) {
      const std::string name(s.file.module.text(e.symbol));
      if (s.outer->taken.contains(name)) declare(s, s.ir.function().nonlocals, name);
    }
  s.ir.assign(place, value, range);
}

ir::ExprId lambda(FunctionScope& s, const clang::LambdaExpr& e) {
  forget_captured(s, e);
  const ir::FunctionId id = lower_function(s.unit, s.file, *e.getCallOperator(), &s);
  return id.valid() ? s.ir.function_ref(id) : s.ir.unknown("lambda");
}

// What an expression stands for that says nothing of its own; null: it says something.
static const clang::Expr* inner_of(const clang::Expr* e) {
  switch (e->getStmtClass()) {
    case clang::Stmt::CXXDefaultArgExprClass: return llvm::cast<clang::CXXDefaultArgExpr>(e)->getExpr();
    case clang::Stmt::CXXDefaultInitExprClass: return llvm::cast<clang::CXXDefaultInitExpr>(e)->getExpr();
    case clang::Stmt::SubstNonTypeTemplateParmExprClass:
      return llvm::cast<clang::SubstNonTypeTemplateParmExpr>(e)->getReplacement();
    case clang::Stmt::MaterializeTemporaryExprClass:
      return llvm::cast<clang::MaterializeTemporaryExpr>(e)->getSubExpr();
    case clang::Stmt::CXXBindTemporaryExprClass: return llvm::cast<clang::CXXBindTemporaryExpr>(e)->getSubExpr();
    case clang::Stmt::CXXStdInitializerListExprClass:
      return llvm::cast<clang::CXXStdInitializerListExpr>(e)->getSubExpr();
    case clang::Stmt::OpaqueValueExprClass: return llvm::cast<clang::OpaqueValueExpr>(e)->getSourceExpr();
    default: break;
  }
  if (const auto* p = llvm::dyn_cast<clang::ParenExpr>(e)) return p->getSubExpr();
  if (const auto* full = llvm::dyn_cast<clang::FullExpr>(e)) return full->getSubExpr();
  return nullptr;
}

ir::ExprId tree(FunctionScope& s, const clang::Expr* e) {
  if (!e) return s.ir.none();
  if (auto found = s.done.find(e); found != s.done.end()) return found->second;
  if (const ir::ExprId value = literal(s, e); value.valid()) return value;
  if (const clang::Expr* inner = inner_of(e)) return tree(s, inner);
  switch (e->getStmtClass()) {
    case clang::Stmt::DeclRefExprClass: return reference(s, *llvm::cast<clang::DeclRefExpr>(e)->getDecl());
    case clang::Stmt::MemberExprClass: return member(s, *llvm::cast<clang::MemberExpr>(e));
    case clang::Stmt::CXXThisExprClass: return s.ir.name("self");
    case clang::Stmt::UnaryOperatorClass: return unary(s, *llvm::cast<clang::UnaryOperator>(e));
    case clang::Stmt::BinaryOperatorClass:
    case clang::Stmt::CompoundAssignOperatorClass: return binary(s, *llvm::cast<clang::BinaryOperator>(e));
    case clang::Stmt::ConditionalOperatorClass: {
      const auto* c = llvm::cast<clang::ConditionalOperator>(e);
      const ir::ExprId condition = tree(s, c->getCond()), yes = tree(s, c->getTrueExpr());
      return s.ir.conditional(condition, yes, tree(s, c->getFalseExpr()));
    }
    case clang::Stmt::ArraySubscriptExprClass: {
      const auto* a = llvm::cast<clang::ArraySubscriptExpr>(e);
      const ir::ExprId base = tree(s, a->getBase());
      return s.ir.subscript(base, tree(s, a->getIdx()));
    }
    case clang::Stmt::InitListExprClass: return list(s, parts_of(*llvm::cast<clang::InitListExpr>(e)));
    case clang::Stmt::LambdaExprClass: return lambda(s, *llvm::cast<clang::LambdaExpr>(e));
    case clang::Stmt::CXXConstructExprClass:
    case clang::Stmt::CXXTemporaryObjectExprClass: {
      const auto* c = llvm::cast<clang::CXXConstructExpr>(e);
      if (const ir::ExprId made = container_made(s, *c); made.valid()) return made;
      std::vector<const clang::Expr*> arguments;
      for (const clang::Expr* argument : c->arguments())
        if (!llvm::isa<clang::CXXDefaultArgExpr>(argument)) arguments.push_back(argument);
      return arguments.size() == 1 ? tree(s, arguments[0]) : list(s, arguments);
    }
    case clang::Stmt::ImplicitValueInitExprClass:
    case clang::Stmt::CXXScalarValueInitExprClass: return e->getType()->isPointerType() ? s.ir.none() : s.ir.integer(0);
    case clang::Stmt::UnaryExprOrTypeTraitExprClass:
    case clang::Stmt::SizeOfPackExprClass:
    case clang::Stmt::TypeTraitExprClass:
    case clang::Stmt::CXXNoexceptExprClass:
    case clang::Stmt::RequiresExprClass:
    case clang::Stmt::ConceptSpecializationExprClass:
      if (const ir::ExprId value = constant(s, e); value.valid()) return value;
      break;
    case clang::Stmt::CXXRewrittenBinaryOperatorClass: {
      const auto parts = llvm::cast<clang::CXXRewrittenBinaryOperator>(e)->getDecomposedForm();
      const ir::ExprId left = tree(s, parts.LHS);
      return s.ir.binary(operator_of(parts.Opcode, false), left, tree(s, parts.RHS));
    }
    default: break;
  }
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(e)) {
    const clang::CastKind kind = cast->getCastKind();
    if (kind == clang::CK_NullToPointer || kind == clang::CK_NullToMemberPointer) return s.ir.none();
    return tree(s, cast->getSubExpr());
  }
  return not_understood(s, *e);
}

}  // namespace ranklint::cpp
