// The names that the source language gives and the analysis has a meaning for: functions, types and special methods.
// What a library gives is data (rules/models/); what the language gives stands here, once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace ranklint {

enum class Builtin : uint8_t {
  // Functions and types.
  Abs,
  All,
  Any,
  Bool,
  Callable,
  Dict,
  Enumerate,
  Float,
  Getattr,
  Hasattr,
  Int,
  Isinstance,
  Issubclass,
  Len,
  List,
  Max,
  Next,
  Range,
  Reversed,
  Set,
  Setattr,
  Slice,
  Str,
  Sum,
  Super,
  Tuple,
  Type,
  Vars,
  Zip,
  // Methods that the language calls, and the object that they are called on.
  AsyncEnter,
  AsyncExit,
  ClassGetitem,
  Del,
  Enter,
  Exit,
  Init,
  InitSubclass,
  ObjectDict,
  OwnClass,
  Self,
  SetItem,
  // Of annotations.
  Optional,
  Union,
};

constexpr std::string_view name_of(Builtin builtin) {
  switch (builtin) {
    case Builtin::Abs: return "abs";
    case Builtin::All: return "all";
    case Builtin::Any: return "any";
    case Builtin::Bool: return "bool";
    case Builtin::Callable: return "callable";
    case Builtin::Dict: return "dict";
    case Builtin::Enumerate: return "enumerate";
    case Builtin::Float: return "float";
    case Builtin::Getattr: return "getattr";
    case Builtin::Hasattr: return "hasattr";
    case Builtin::Int: return "int";
    case Builtin::Isinstance: return "isinstance";
    case Builtin::Issubclass: return "issubclass";
    case Builtin::Len: return "len";
    case Builtin::List: return "list";
    case Builtin::Max: return "max";
    case Builtin::Next: return "next";
    case Builtin::Range: return "range";
    case Builtin::Reversed: return "reversed";
    case Builtin::Set: return "set";
    case Builtin::Setattr: return "setattr";
    case Builtin::Slice: return "slice";
    case Builtin::Str: return "str";
    case Builtin::Sum: return "sum";
    case Builtin::Super: return "super";
    case Builtin::Tuple: return "tuple";
    case Builtin::Type: return "type";
    case Builtin::Vars: return "vars";
    case Builtin::Zip: return "zip";
    case Builtin::AsyncEnter: return "__aenter__";
    case Builtin::AsyncExit: return "__aexit__";
    case Builtin::ClassGetitem: return "__class_getitem__";
    case Builtin::Del: return "__del__";
    case Builtin::Enter: return "__enter__";
    case Builtin::Exit: return "__exit__";
    case Builtin::Init: return "__init__";
    case Builtin::InitSubclass: return "__init_subclass__";
    case Builtin::ObjectDict: return "__dict__";
    case Builtin::OwnClass: return "cls";
    case Builtin::Self: return "self";
    case Builtin::SetItem: return "__setitem__";
    case Builtin::Optional: return "Optional";
    case Builtin::Union: return "Union";
  }
  return {};
}
constexpr bool is_builtin(std::string_view name, Builtin builtin) { return name == name_of(builtin); }
constexpr bool is_builtin(std::string_view name, std::initializer_list<Builtin> any_of) {
  return std::ranges::any_of(any_of, [&](Builtin builtin) { return is_builtin(name, builtin); });
}

}  // namespace ranklint
