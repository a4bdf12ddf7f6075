// Value numbers: whether two expressions hold the same, each at its place, whatever they are called there.
//
// Two expressions with the same number hold the same value within one round of the loops around them. Different numbers
// say nothing: each call's result gets a new one, and so does a value that depends on the way taken. A variable has the
// number of what was assigned to it (flow/value_versions.h): after `target = path`, `target` has the number of `path`,
// and after `path = other`, `path` has a different one. A call may change an attribute, an element or a global, and
// that is not seen.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "analyzer/flow/value_versions.h"
#include "analyzer/questions/code.h"
#include "analyzer/summary/query.h"

namespace ranklint {

using ValueNumber = Id<struct ValueNumberTag>;

// One numbering for all functions that are asked about.
class ValueNumbers {
 public:
  explicit ValueNumbers(const Query& in) : in_(in) {}

  // Of an expression that is evaluated at `at`.
  ValueNumber of(const FunctionCode& code, ir::ExprId e, ProgramPoint at);
  ValueNumber of_parameter(FunctionKey f, size_t parameter);
  // What a path begins with: `root` of `root + name`, `root / name`, f"{root}/{name}" and os.path.join(root, name).
  // Invalid: it is not known to be made of parts.
  ValueNumber beginning(ValueNumber path) const;

  // What a callee calls a value of its caller at a call: `given` has the numbers of the caller that it is handed, each
  // with its own. Invalid: it is not handed over.
  ValueNumber in_callee(const FunctionCode& caller, ProgramPoint call, ValueNumber n,
                        std::map<ValueNumber, ValueNumber> given);

 private:
  enum class Kind : uint8_t {
    Literal,    // of a, its text
    Parameter,  // number a of a function
    Around,     // the variable a of a function around the one that reads it
    Global,     // the name a of a module, as it is when the function begins
    Library,    // what a library calls a
    Variable,   // a version of the variable a of a function
    Attribute,  // of parts[0], called a; the other parts are its version, where the function assigns such
    Element,    // of parts[0] by parts[1]; likewise
    Made,       // of parts by an operator, a display, or a call that gives the same for the same
    Place,      // what nothing is known of: the expression a of a function at a place
  };
  struct Key {
    Kind kind = Kind::Place;
    ir::ExprKind expr = ir::ExprKind::Unknown;
    ir::Operator op = ir::Operator::None;
    uint32_t scope = 0;  // a function or a module
    uint32_t a = 0;
    std::vector<uint32_t> parts = {};
    friend auto operator<=>(const Key&, const Key&) = default;
  };

  ValueNumber number(Key key);
  ValueNumber numbered(const FunctionCode& code, ir::ExprId e, ProgramPoint at);
  ValueNumber at_place(const FunctionCode& code, ir::ExprId e, ProgramPoint at);
  ValueNumber made_of(const FunctionCode& code, const ir::Expr& e, ProgramPoint at);
  ValueNumber of_variable(const FunctionCode& code, ir::ExprId e, ProgramPoint at);
  ValueNumber of_assigned(const FunctionCode& code, Symbol name, ProgramPoint by);
  ValueNumber of_part(const FunctionCode& code, const ir::Instruction& assign, Symbol name, ProgramPoint at);
  ValueNumber of_free(const FunctionCode& code, ir::ExprId e);
  ValueNumber of_call(const FunctionCode& code, const ir::Instruction& call, ProgramPoint at);
  ValueNumber of_attribute(const FunctionCode& code, ValueNumber object, Symbol name, ProgramPoint at);
  ValueNumber of_element(const FunctionCode& code, ValueNumber object, ValueNumber index, ProgramPoint at);
  ValueVersion version(const FunctionCode& code, const Assignable& what, ProgramPoint at);
  ValueNumber number(Key key, const FunctionCode& code, const ValueVersion& version);

  // Into a function that knows some numbers by others, as far as they are known, which is added to.
  struct Handing {
    const FunctionCode& caller;
    ProgramPoint call;
    std::map<ValueNumber, ValueNumber> known;
  };
  ValueNumber handed(Handing& to, ValueNumber n);
  ValueNumber handed_made(Handing& to, const Key& key);

  const Query& in_;
  std::map<Key, ValueNumber> numbers_;
  IdVector<ValueNumber, Key> keys_;
  std::map<std::tuple<FunctionKey, ir::ExprId, ProgramPoint>, ValueNumber> known_;
  std::map<FunctionKey, ValueVersions> versions_;
  int assignments_ = 0;  // that are being followed, one from the other
};

}  // namespace ranklint
