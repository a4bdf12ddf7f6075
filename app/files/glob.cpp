#include "app/files/glob.h"

#include <array>
#include <cctype>

namespace ranklint::app {

namespace {

struct NamedClass {
  std::string_view name;
  int (*holds)(int);
};

constexpr std::array<NamedClass, 12> kNamedClasses{{
    {"alnum", [](int c) { return std::isalnum(c); }},
    {"alpha", [](int c) { return std::isalpha(c); }},
    {"blank", [](int c) { return int{c == ' ' || c == '\t'}; }},
    {"cntrl", [](int c) { return std::iscntrl(c); }},
    {"digit", [](int c) { return std::isdigit(c); }},
    {"graph", [](int c) { return std::isgraph(c); }},
    {"lower", [](int c) { return std::islower(c); }},
    {"print", [](int c) { return std::isprint(c); }},
    {"punct", [](int c) { return std::ispunct(c); }},
    {"space", [](int c) { return std::isspace(c); }},
    {"upper", [](int c) { return std::isupper(c); }},
    {"xdigit", [](int c) { return std::isxdigit(c); }},
}};

// Adds the bytes of `[:name:]`; false when there is no such class.
bool add_named(std::string_view name, std::bitset<256>& set) {
  for (const NamedClass& named : kNamedClasses) {
    if (named.name != name) continue;
    for (int byte = 0; byte < 128; ++byte)
      if (named.holds(byte) != 0) set.set(static_cast<size_t>(byte));
    return true;
  }
  return false;
}

}  // namespace

size_t Glob::compile_class(std::string_view pattern, size_t at) {
  ByteSet set;
  bool negated = false;
  if (at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^')) {
    negated = true;
    ++at;
  }
  int previous = -1;  // the last single byte, which a `-` may extend to a range
  for (bool first = true;; first = false) {
    if (at >= pattern.size()) return std::string_view::npos;
    unsigned char byte = static_cast<unsigned char>(pattern[at]);
    if (byte == ']' && !first) break;
    const bool ranges = byte == '-' && previous >= 0 && at + 1 < pattern.size() && pattern[at + 1] != ']';
    if (ranges) {
      byte = static_cast<unsigned char>(pattern[++at]);
      if (byte == '\\' && ++at < pattern.size()) byte = static_cast<unsigned char>(pattern[at]);
      for (int b = previous; b <= byte; ++b) set.set(static_cast<size_t>(b));
      previous = -1;
      ++at;
      continue;
    }
    if (byte == '[' && at + 1 < pattern.size() && pattern[at + 1] == ':') {
      const size_t close = pattern.find(']', at + 2);
      if (close == std::string_view::npos) return close;
      if (close > at + 2 && pattern[close - 1] == ':') {
        if (!add_named(pattern.substr(at + 2, close - at - 3), set)) return std::string_view::npos;
        previous = -1;
        at = close + 1;
        continue;
      }
    }
    if (byte == '\\') {
      if (++at >= pattern.size()) return std::string_view::npos;
      byte = static_cast<unsigned char>(pattern[at]);
    }
    set.set(byte);
    previous = byte;
    ++at;
  }
  if (negated) set.flip();
  set.reset('/');
  tokens_.push_back({.kind = Kind::Class, .set = static_cast<uint32_t>(sets_.size())});
  sets_.push_back(set);
  return at + 1;
}

std::optional<Glob> Glob::compile(std::string_view pattern) {
  Glob glob;
  for (size_t at = 0; at < pattern.size();) {
    const char byte = pattern[at];
    if (byte == '*') {
      size_t past = at;
      while (past < pattern.size() && pattern[past] == '*') ++past;
      const bool starts = at == 0 || pattern[at - 1] == '/';
      const bool doubled = past - at >= 2;
      if (doubled && starts && past == pattern.size()) {
        glob.tokens_.push_back({.kind = Kind::Rest});
      } else if (doubled && starts && pattern[past] == '/') {
        glob.tokens_.push_back({.kind = Kind::Components});
        ++past;
      } else {
        glob.tokens_.push_back({.kind = Kind::Star});
      }
      at = past;
    } else if (byte == '?') {
      glob.tokens_.push_back({.kind = Kind::AnyByte});
      ++at;
    } else if (byte == '[') {
      at = glob.compile_class(pattern, at + 1);
      if (at == std::string_view::npos) return std::nullopt;
    } else {
      if (byte == '\\' && ++at == pattern.size()) return std::nullopt;
      glob.tokens_.push_back({.kind = Kind::Byte, .byte = static_cast<unsigned char>(pattern[at])});
      ++at;
    }
  }
  return glob;
}

bool Glob::takes(const Token& token, unsigned char byte) const {
  switch (token.kind) {
    case Kind::Byte: return byte == token.byte;
    case Kind::AnyByte:
    case Kind::Star: return byte != '/';
    case Kind::Class: return sets_[token.set].test(byte);
    case Kind::Components:
    case Kind::Rest: return true;
  }
  return false;
}

bool Glob::may_match(std::string_view path) const {
  // Over both in the same direction, up to the first token that is not a byte.
  const auto agree = [](auto token, auto end, auto byte, auto last) {
    for (; token != end && token->kind == Kind::Byte; ++token, ++byte)
      if (byte == last || static_cast<unsigned char>(*byte) != token->byte) return false;
    return true;
  };
  return agree(tokens_.begin(), tokens_.end(), path.begin(), path.end()) &&
         agree(tokens_.rbegin(), tokens_.rend(), path.rbegin(), path.rend());
}

bool Glob::matches(std::string_view path) const {
  if (!may_match(path)) return false;
  // State 2i: before token i. State 2i + 1: inside a component that token i, a Components, is taking.
  const size_t count = tokens_.size();
  std::vector<bool> now(2 * count + 2), next(2 * count + 2);
  const auto enter = [&](std::vector<bool>& states, size_t i) {
    for (; i < count; ++i) {
      states[2 * i] = true;
      const Kind kind = tokens_[i].kind;
      if (kind != Kind::Star && kind != Kind::Components && kind != Kind::Rest) return;
    }
    states[2 * count] = true;
  };
  enter(now, 0);
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    next.assign(next.size(), false);
    for (size_t i = 0; i < count; ++i) {
      const Token& token = tokens_[i];
      if (token.kind == Kind::Components) {
        if (!now[2 * i] && !now[2 * i + 1]) continue;
        if (byte == '/') {
          enter(next, i);
        } else {
          next[2 * i + 1] = true;
        }
      } else if (now[2 * i] && takes(token, byte)) {
        const bool stays = token.kind == Kind::Star || token.kind == Kind::Rest;
        enter(next, stays ? i : i + 1);
      }
    }
    now.swap(next);
  }
  return now[2 * count];
}

}  // namespace ranklint::app
