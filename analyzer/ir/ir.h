// The intermediate representation: what every frontend produces and every later stage reads.
//
// It knows no source language. One Module per file; a module holds functions and classes; a function is a
// control-flow graph of basic blocks; a block holds instructions and ends in a terminator. Operands are
// expression trees over places and literals that contain no calls: every call, await and yield is an
// instruction of its own that names its result, so evaluation order is explicit. (Decorators, default
// values and annotations, which no block evaluates, may hold calls inside the tree.)
//
// Functions: function 0 is the module's own top-level code, named "<module>". A class body is a function
// named "<class NAME>", run where the class is defined. Nested functions, lambdas and comprehensions that
// need a scope are functions too; `parent` is the function whose locals they can see.
//
// Members have initialisers so that designated ones can leave any of them out.
//
// docs/ir.md describes the text form; ir::print and ir::parse are inverse to each other.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/compact_vector.h"
#include "analyzer/base/ids.h"
#include "analyzer/base/source_range.h"
#include "analyzer/base/symbols.h"

namespace ranklint::ir {

using ExprId = Id<struct ExprTag>;
using BlockId = Id<struct BlockTag>;
using FunctionId = Id<struct FunctionTag>;
using ClassId = Id<struct ClassTag>;

// No expression tree is deeper: what walks one may recurse. Builders make Unknown of what would be.
inline constexpr uint32_t kMaxExpressionDepth = 200;

enum class ExprKind : uint8_t {
  Name,       // symbol: a local, parameter, closure variable or global; temporaries are named %N
  Attribute,  // children[0] . symbol
  Subscript,  // children[0] [ children[1] ]
  Slice,      // lower : upper : step, absent parts are None literals
  Integer,    // symbol: the digits as a decimal number, or as written when it does not fit 64 bits
  Float,      // symbol: as written
  String,     // symbol: the unescaped content; bytes literals likewise
  True,
  False,
  None,
  Ellipsis,
  Unary,   // op; children[0]
  Binary,  // op; children[0], children[1]; comparisons too (a chain is lowered to And of pairs)
  And,     // two or more children; only where no operand calls, otherwise it is control flow
  Or,
  Conditional,  // children: condition, value if true, value if false; only without calls
  Tuple,
  List,
  Set,
  Dict,      // children: key, value, key, value, ...; a `**x` entry has an Unpack key
  Starred,   // *children[0] inside a display, a call or an assignment target
  Unpack,    // the key of a `**x` entry of a Dict; no children
  Function,  // reference to functions[index]: lambda, or the value of a definition; children: its decorators
             //   do not stand here (see Function::decorators)
  Class,     // reference to classes[index]
  Call,      // only in decorators, defaults and annotations: children[0] is called with children[1..]
  Keyword,   // symbol = children[0], as an argument of such a Call
  Format,    // an f-string; children: its operands; symbol: its text without them, "step_{:03d}.pt"; invalid: not known
  Unknown,   // a construct that the frontend could not lower; symbol says which
};

enum class Operator : uint8_t {
  None,
  Add,
  Subtract,
  Multiply,
  Divide,
  FloorDivide,
  Modulo,
  Power,
  MatrixMultiply,
  ShiftLeft,
  ShiftRight,
  BitAnd,
  BitOr,
  BitXor,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  In,
  NotIn,
  Is,
  IsNot,
  Not,
  Negate,
  Plus,
  Invert,
};

constexpr bool is_arithmetic(Operator op) { return op >= Operator::Add && op <= Operator::MatrixMultiply; }
constexpr bool is_membership(Operator op) { return op == Operator::In || op == Operator::NotIn; }
constexpr bool is_equality(Operator op) { return op == Operator::Equal || op == Operator::NotEqual; }
constexpr bool is_order(Operator op) {
  return op == Operator::Less || op == Operator::LessEqual || op == Operator::Greater || op == Operator::GreaterEqual;
}

// Whether an expression of the kind refers to a definition of the module.
constexpr bool refers_to_definition(ExprKind kind) { return kind == ExprKind::Function || kind == ExprKind::Class; }

struct Expr {
  ExprKind kind = ExprKind::Unknown;
  Operator op = Operator::None;
  Symbol symbol = {};
  uint32_t first_child = 0;  // into Function::children; of Function and Class, which have none: what they refer to
  uint32_t child_count = 0;

  FunctionId function() const { return {first_child}; }  // of a Function
  ClassId class_() const { return {first_child}; }       // of a Class
  friend bool operator==(const Expr&, const Expr&) = default;
};
static_assert(sizeof(Expr) == 16);  // there is one for each name and number of a project

enum class ArgumentKind : uint8_t { Positional, Keyword, Star, DoubleStar };

struct Argument {
  ArgumentKind kind = ArgumentKind::Positional;
  Symbol keyword = {};
  ExprId value = {};
  friend bool operator==(const Argument&, const Argument&) = default;
};

enum class InstructionKind : uint8_t {
  Assign,     // target = value (target: Name, Attribute, Subscript, Tuple/List of targets, Starred)
  Call,       // target = value(arguments)
  Await,      // target = await value
  Yield,      // target = yield value
  YieldFrom,  // target = yield from value
  EnterWith,  // target = enter value; the context manager is value, target the `as` variable (or %N)
  ExitWith,   // leave the context manager value (the same expression as its EnterWith)
  Import,     // target = import module, name; see Import fields below
  Delete,     // del target
  Catch,      // target = the caught exception, if it is one of the types in value (None: any); first of a handler
  Assert,     // assert value
  Unknown,    // something that could not be lowered; symbol says what; value its operands, if any
};

struct Instruction {
  InstructionKind kind = InstructionKind::Unknown;
  bool is_async = false;    // async with
  bool binds_leaf = false;  // Import
  bool unwinds = false;     // ExitWith: on the way of an exception
  uint8_t level = 0;        // Import: number of leading dots
  ExprId target = {};       // invalid when there is none
  ExprId value = {};        // Call: the callee
  uint32_t first_argument = 0;
  uint32_t argument_count = 0;
  Symbol symbol = {};  // Import: the dotted module, without leading dots; Unknown: what it was
  Symbol name = {};    // Import: `name` of `from module import name`; invalid for `import module`; "*" for all
  SourceRange range = {};
  friend bool operator==(const Instruction&, const Instruction&) = default;
};
// `import a.b` binds the package `a` (target Name a, module a.b, name invalid, binds_leaf false);
// `import a.b as c` binds the leaf (target Name c, module a.b, name invalid, binds_leaf true).

enum class TerminatorKind : uint8_t {
  Jump,         // to successors[0]
  Branch,       // value ? successors[0] : successors[1]
  Iterate,      // for target in value: another element ? successors[0] (the body) : successors[1] (the end)
  Return,       // value (invalid: none)
  Raise,        // value (invalid: re-raise); leaves through the block's handler, else the function
  Except,       // dispatch of a handler: is the exception one of value ? successors[0] : successors[1]
  Unreachable,  // after a call that never returns
};

struct Terminator {
  TerminatorKind kind = TerminatorKind::Unreachable;
  bool is_loop = false;  // Branch and Iterate: decides whether a loop goes on
  ExprId value = {};
  ExprId target = {};  // Iterate
  std::array<BlockId, 2> successors = {};
  SourceRange range = {};  // Branch: of the condition; Iterate: of `target in value`
  friend bool operator==(const Terminator&, const Terminator&) = default;
};

struct Block {
  Symbol label = {};     // unique in its function: "entry", "then", "else", "join", "loop", "body", ...
  BlockId handler = {};  // where an exception raised in this block goes; invalid: out of the function
  CompactVector<Instruction> instructions = {};
  Terminator terminator;
  friend bool operator==(const Block&, const Block&) = default;
};

enum class ParameterKind : uint8_t { Positional, PositionalOnly, KeywordOnly, Star, DoubleStar };

struct Parameter {
  Symbol name = {};
  ParameterKind kind = ParameterKind::Positional;
  ExprId default_value = {};  // invalid: none
  ExprId annotation = {};     // invalid: none
  friend bool operator==(const Parameter&, const Parameter&) = default;
};

enum class FunctionKind : uint8_t { Module, ClassBody, Function, Lambda, Comprehension };

struct Function {
  Symbol name = {};            // "log_step"
  Symbol qualified_name = {};  // "Trainer.log_step", "outer.inner", "outer.<lambda>"; unique numbering not required
  FunctionKind kind = FunctionKind::Function;
  bool is_async = false;
  bool is_generator = false;
  FunctionId parent = {};  // the enclosing function whose locals are visible; invalid for module level
  ClassId owner = {};      // the class whose method this is; invalid for none
  ExprId return_annotation = {};
  // The expressions of the parameters, the return annotation and the decorators live in this function's own
  // pools; their names are looked up in the scope around the function.
  CompactVector<Parameter> parameters = {};
  CompactVector<ExprId> decorators = {};  // outermost first
  CompactVector<Symbol> globals = {};     // names declared global
  CompactVector<Symbol> nonlocals = {};
  CompactIdVector<BlockId, Block> blocks = {};  // blocks[0] is the entry
  SourceRange range = {};                       // of the whole definition
  SourceRange name_range = {};

  CompactIdVector<ExprId, Expr> exprs = {};
  CompactVector<ExprId> children = {};
  CompactVector<Argument> arguments = {};
  friend bool operator==(const Function&, const Function&) = default;
};

struct Class {
  Symbol name = {};
  Symbol qualified_name = {};
  FunctionId body = {};                  // its "<class NAME>" function; class attributes are assigned there
  FunctionId scope = {};                 // the function in which it is defined; expressions below live in its pools
  std::vector<ExprId> bases = {};        // in the pools of `scope`
  std::vector<Argument> keywords = {};   // metaclass=..., in the pools of `scope`
  std::vector<ExprId> decorators = {};   // in the pools of `scope`
  std::vector<FunctionId> methods = {};  // functions defined directly in the body, in order (redefinitions included)
  SourceRange range = {};
  friend bool operator==(const Class&, const Class&) = default;
};

// An annotated name without or with a value: `x: T`, `self.group: ProcessGroup = ...`.
struct Annotation {
  FunctionId function = {};  // in whose pools both expressions live
  ExprId target = {};        // Name or Attribute
  ExprId annotation = {};
  friend bool operator==(const Annotation&, const Annotation&) = default;
};

// A comment that addresses ranklint ("# ranklint: ..."), kept for suppressions.
struct Pragma {
  SourceRange range = {};
  std::string text = {};  // after the colon, trimmed
  bool own_line = false;  // nothing but white space stands before it on its line
  friend bool operator==(const Pragma&, const Pragma&) = default;
};

// A command that starts a script, in a launch script or as a README or a comment shows it.
struct Start {
  SourceRange range = {};
  std::string script = {};              // "tools/train.py"; empty: which one is not known
  std::vector<std::string> words = {};  // the launcher and what is chosen for it; none: the script is one process
  friend bool operator==(const Start&, const Start&) = default;
};

// The condition of a branch or the head of a loop as the source writes it, on one line.
struct Quote {
  SourceRange range = {};
  std::string text = {};
  bool is_relation = false;  // a comparison, or made of conditions: it reads as a clause by itself
};

// What could not be read, with its place. Never an error of the run.
struct Diagnostic {
  SourceRange range = {};
  std::string message = {};
  friend bool operator==(const Diagnostic&, const Diagnostic&) = default;
};

// A function whose body a bug of ours kept from being lowered: it does nothing.
struct BrokenBody {
  FunctionId function = {};
  std::string what = {};  // which invariant or exception
  friend bool operator==(const BrokenBody&, const BrokenBody&) = default;
};

// How programs in the module's language work where languages differ, as its frontend states it. The analysis asks these
// and never which language it is.
enum class Convention : uint8_t {
  NotImported,       // no file imports it by its path
  OneNamespace,      // what it names has one name in the whole program, whichever file defines it
  SharesObjects,     // an object is passed by reference: all holders see a change
  NumbersAreValues,  // a callee cannot change a number that it is passed
  DeclaresNoTypes,   // what a parameter holds is known by what it is given
  FillsArguments,    // what a call writes through its arguments comes back as parts of its result
  RaisesInCallees,   // a function that is called for its result may raise where no handler is in sight
  ReturnsErrors,     // a function refuses its arguments by what it returns
  ExitEndsJob,       // a process that exits takes the other ranks with it
  RunsInWorlds,      // its programs are run rank by rank as well, messages included
};

class Conventions {
 public:
  constexpr Conventions() = default;
  constexpr Conventions(std::initializer_list<Convention> all) {
    for (const Convention convention : all) add(convention);
  }
  constexpr void add(Convention convention) { bits_ |= bit(convention); }
  constexpr bool has(Convention convention) const { return bits_ & bit(convention); }
  friend bool operator==(const Conventions&, const Conventions&) = default;

 private:
  static constexpr uint16_t bit(Convention convention) {
    return static_cast<uint16_t>(1U << static_cast<unsigned>(convention));
  }
  uint16_t bits_ = 0;
};

struct Module {
  std::string path = {};      // as given, '/'-separated
  std::string name = {};      // dotted module name, set by the project ("" until then)
  std::string language = {};  // "python", "cpp": for people
  Conventions conventions = {};
  SymbolTable symbols;
  IdVector<FunctionId, Function> functions = {};
  IdVector<ClassId, Class> classes = {};
  std::vector<Annotation> annotations = {};
  std::vector<Pragma> pragmas = {};
  std::vector<Start> starts = {};
  std::vector<Diagnostic> diagnostics = {};
  std::vector<Quote> quotes = {};  // sorted by range; for messages alone, and no part of the text form
  uint32_t unknown_count = 0;      // constructs lowered to Unknown
  std::vector<BrokenBody> broken = {};
  bool incomplete = false;      // declarations that it builds on were not found: what follows from it is likely at best
  bool met_time_limit = false;  // while it was read: another time it may be another module

  std::string_view text(Symbol s) const { return symbols.text(s); }
  bool has(Convention convention) const { return conventions.has(convention); }
};

inline std::span<const ExprId> children(const Function& f, const Expr& e) {
  if (e.child_count == 0) return {};
  return {f.children.data() + e.first_child, e.child_count};
}
inline std::span<const ExprId> children(const Function& f, ExprId e) { return children(f, f.exprs[e]); }

// Whether it is a name or an attribute: `x`, `x.y`.
inline bool is_dotted(const Function& f, ExprId e) {
  return e.valid() && (f.exprs[e].kind == ExprKind::Name || f.exprs[e].kind == ExprKind::Attribute);
}

// Whether the expression, or one in it, is such.
template <typename IsSuch>
bool any_part(const Function& f, ExprId e, const IsSuch& is_such) {
  if (!e.valid()) return false;
  if (is_such(e)) return true;
  for (ExprId part : children(f, e))
    if (any_part(f, part, is_such)) return true;
  return false;
}

inline std::span<const Argument> arguments(const Function& f, const Instruction& i) {
  return {f.arguments.data() + i.first_argument, i.argument_count};
}

}  // namespace ranklint::ir
