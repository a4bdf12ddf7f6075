// Texts of C: how long they are, whether they are equal, what is copied and printed into them. A text is known when all
// of its characters are, up to the zero; what is made of one that is not is not known either.
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <cstdlib>

#include "analyzer/machine/library.h"

namespace ranklint::machine {

namespace {

constexpr size_t kLongestText = 4096;
constexpr int64_t kWidestField = 512;

bool is_shared(const Value& v) { return v.kind == Value::Kind::Unknown && !v.varies; }

// The text and its zero.
void write_text(Machine& m, const Value& to, const std::string& text) {
  m.steps += text.size() / 4;
  for (size_t i = 0; i <= text.size(); ++i)
    store(m, moved_by(to, static_cast<int64_t>(i)), 1, integer(i < text.size() ? static_cast<int8_t>(text[i]) : 0));
}

// Writes an unknown value there.
void write_something(Machine& m, const Value& to) {
  if (!to.points()) return;
  touch(m, to, 1, true);
  Object& object = m.at(to.object);
  forget(object, to.number, object.size_known ? static_cast<int64_t>(object.size_bytes) - to.number : 64);
}

void write(Machine& m, const Value& to, const std::optional<std::string>& text) {
  if (text)
    write_text(m, to, *text);
  else
    write_something(m, to);
}

// ---- printing ---------------------------------------------------------------------------------------------------

// What a format makes of its arguments, one conversion after the other.
struct Printing {
  Machine& m;
  const std::string& format;
  Arguments arguments;
  size_t at = 0;    // in the format
  size_t next = 0;  // argument
  std::string text = {};

  bool is_at(std::string_view any) const {
    return at < format.size() && any.find(format[at]) != std::string_view::npos;
  }
  Value take() { return argument(arguments, next++); }
};

// A width or a precision; nothing: it is not known, or too much.
std::optional<std::string> field_number(Printing& p) {
  std::string digits;
  if (p.is_at("*")) {
    ++p.at;
    const Value v = p.take();
    if (v.kind != Value::Kind::Int) return std::nullopt;
    digits = std::to_string(static_cast<int32_t>(v.number));
  }
  while (p.is_at("0123456789")) digits += p.format[p.at++];
  if (digits.size() > 4 || std::abs(std::atol(digits.c_str())) > kWidestField) return std::nullopt;
  return digits;
}

template <typename T>
std::string printed(const std::string& conversion, T value) {
  std::array<char, kLongestText> text;
  const int length = std::snprintf(text.data(), text.size(), conversion.c_str(), value);
  return {text.data(), std::clamp<size_t>(static_cast<size_t>(std::max(length, 0)), 0, text.size() - 1)};
}

// The number as the conversion reads it: as many bits as its length says, with a sign or without.
int64_t cut(int64_t number, std::string_view length, bool is_signed) {
  const bool is_wide = length.find_first_of("ljzt") != std::string_view::npos;
  const Scalar scalar = length == "hh"  ? (is_signed ? Scalar::I8 : Scalar::U8)
                        : length == "h" ? (is_signed ? Scalar::I16 : Scalar::U16)
                        : is_wide       ? Scalar::I64
                        : is_signed     ? Scalar::I32
                                        : Scalar::U32;
  return convert(integer(number), scalar).number;
}

std::optional<std::string> conversion_of(Printing& p) {
  std::string spec = "%";
  while (p.is_at("-+ #0")) spec += p.format[p.at++];
  const auto width = field_number(p);
  if (!width) return std::nullopt;
  spec += *width;
  if (p.is_at(".")) {
    ++p.at;
    const auto precision = field_number(p);
    if (!precision) return std::nullopt;
    if (!precision->starts_with('-')) spec += "." + *precision;  // a negative one is none
  }
  std::string length;
  while (p.is_at("hljztL")) length += p.format[p.at++];
  if (p.at == p.format.size()) return std::nullopt;
  const char kind = p.format[p.at++];
  if (kind == '%') return "%";
  const Value v = p.take();
  const bool is_signed = kind == 'd' || kind == 'i';
  if (is_signed || kind == 'u' || kind == 'x' || kind == 'X' || kind == 'o') {
    if (v.kind != Value::Kind::Int) return std::nullopt;
    return printed(spec + "ll" + kind, static_cast<long long>(cut(v.number, length, is_signed)));
  }
  if (kind == 'c' && length.empty())
    return v.kind == Value::Kind::Int ? std::optional(printed(spec + kind, static_cast<int>(v.number))) : std::nullopt;
  if (kind == 's' && length.empty()) {
    const auto text = text_at(p.m, v);
    return text ? std::optional(printed(spec + kind, text->c_str())) : std::nullopt;
  }
  if (std::string_view("fFeEgG").find(kind) != std::string_view::npos && length != "L")
    return v.kind == Value::Kind::Real ? std::optional(printed(spec + kind, v.real())) : std::nullopt;
  return std::nullopt;
}

std::optional<std::string> print(Machine& m, const Value& format, Arguments arguments) {
  const auto known = text_at(m, format);
  if (!known) return std::nullopt;
  Printing p{.m = m, .format = *known, .arguments = arguments};
  while (p.at < known->size()) {
    const char c = (*known)[p.at++];
    if (c != '%') {
      p.text += c;
      continue;
    }
    const auto part = conversion_of(p);
    if (!part || p.text.size() + part->size() > kLongestText) return std::nullopt;
    p.text += *part;
  }
  return p.text;
}

// What the arguments point to is read.
void touch_printed(Machine& m, Arguments arguments) {
  for (const Value& v : arguments)
    if (v.points()) touch(m, v, 1, false);
}

CallResult print_to(Machine& m, const std::string&, Arguments a) {
  if (a.size() < 2) return gives(unknown());
  touch_printed(m, a.subspan(1));
  const auto text = print(m, a[1], a.subspan(2));
  write(m, a[0], text);
  return gives(text ? integer(static_cast<int64_t>(text->size())) : unknown());
}

CallResult print_some_to(Machine& m, const std::string&, Arguments a) {
  if (a.size() < 3) return gives(unknown());
  touch_printed(m, a.subspan(2));
  const auto text = print(m, a[2], a.subspan(3));
  if (a[1] != integer(0)) {
    const bool fits = a[1].kind == Value::Kind::Int && a[1].number > 0;
    write(m, a[0], text && fits ? std::optional(text->substr(0, static_cast<size_t>(a[1].number) - 1)) : std::nullopt);
  }
  return gives(text ? integer(static_cast<int64_t>(text->size())) : unknown());
}

// From a list of arguments, which is not followed.
CallResult print_list_to(Machine& m, const std::string&, Arguments a) {
  write_something(m, argument(a, 0));
  return gives(unknown());
}

// ---- copies and questions ---------------------------------------------------------------------------------------

CallResult length(Machine& m, const std::string& name, Arguments a) {
  const Value v = argument(a, 0);
  if (is_shared(v)) return shared(m, name, a);
  touch(m, v, 1, false);
  const auto text = text_at(m, v);
  return gives(text ? integer(static_cast<int64_t>(text->size())) : unknown());
}

// How much of the texts the function looks at; nothing: that is not known.
std::optional<size_t> limit_of(const std::string& name, Arguments a) {
  if (name != "strncmp" && name != "strncasecmp") return kLongestText;
  const Value n = argument(a, 2);
  return n.kind == Value::Kind::Int && n.number >= 0 ? std::optional(static_cast<size_t>(n.number)) : std::nullopt;
}

CallResult compare(Machine& m, const std::string& name, Arguments a) {
  const Value x = argument(a, 0), y = argument(a, 1);
  if (is_shared(x) || is_shared(y)) return shared(m, name, a);
  touch_printed(m, a.first(std::min<size_t>(a.size(), 2)));
  auto one = text_at(m, x), other = text_at(m, y);
  const auto limit = limit_of(name, a);
  if (!one || !other || !limit) return gives(unknown());
  const bool ignores_case = name.find("case") != std::string::npos;
  for (std::string* text : {&*one, &*other}) {
    text->resize(std::min(text->size(), *limit));
    if (ignores_case)
      std::transform(text->begin(), text->end(), text->begin(),
                     [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  }
  const int order = one->compare(*other);
  return gives(integer(order < 0 ? -1 : order > 0));
}

CallResult copy_text(Machine& m, const std::string& name, Arguments a) {
  const Value to = argument(a, 0), from = argument(a, 1), most = argument(a, 2);
  touch(m, from, 1, false);
  auto text = text_at(m, from);
  if (name == "strncpy") {
    const bool is_given =
        most.kind == Value::Kind::Int && most.number >= 0 && static_cast<size_t>(most.number) <= kLongestText;
    if (!text || !is_given) {
      write_something(m, to);
      return gives(to);
    }
    // As many characters as the argument says, filled up with zeros, and no zero of their own.
    for (int64_t i = 0; i < most.number; ++i)
      store(m, moved_by(to, i), 1,
            integer(static_cast<size_t>(i) < text->size() ? static_cast<int8_t>((*text)[static_cast<size_t>(i)]) : 0));
    return gives(to);
  }
  write(m, to, text);
  return gives(to);
}

CallResult append_text(Machine& m, const std::string& name, Arguments a) {
  const Value to = argument(a, 0), most = argument(a, 2);
  touch(m, argument(a, 1), 1, false);
  const auto before = text_at(m, to);
  auto more = text_at(m, argument(a, 1));
  if (name == "strncat" && more) {
    if (most.kind != Value::Kind::Int || most.number < 0)
      more.reset();
    else
      more->resize(std::min(more->size(), static_cast<size_t>(most.number)));
  }
  write(m, to, before && more ? std::optional(*before + *more) : std::nullopt);
  return gives(to);
}

CallResult duplicate_text(Machine& m, const std::string&, Arguments a) {
  touch(m, argument(a, 0), 1, false);
  const auto text = text_at(m, argument(a, 0));
  const Value to = allocate(m, text ? integer(static_cast<int64_t>(text->size()) + 1) : unknown(), false);
  write(m, to, text);
  return gives(to);
}

// Where a character or a text stands in another; null: nowhere.
CallResult find_in_text(Machine& m, const std::string& name, Arguments a) {
  const Value in = argument(a, 0), what = argument(a, 1);
  touch(m, in, 1, false);
  const auto text = text_at(m, in);
  const auto wanted = name == "strstr"                ? text_at(m, what)
                      : what.kind == Value::Kind::Int ? std::optional(std::string(1, static_cast<char>(what.number)))
                                                      : std::nullopt;
  if (!text || !wanted) return gives(unknown());
  const std::string whole = name == "strstr" ? *text : *text + '\0';
  const size_t at = name == "strrchr" ? whole.rfind(*wanted) : whole.find(*wanted);
  return gives(at == std::string::npos ? pointer(0) : moved_by(in, static_cast<int64_t>(at)));
}

CallResult number_of_text(Machine& m, const std::string& name, Arguments a) {
  const Value text = argument(a, 0);
  if (text.kind != Value::Kind::Pointer)
    return gives(text.varies ? unknown() : unary(m, Arithmetic::Invert, Scalar::I32, text));
  const auto t = text_at(m, text);
  if (!t) return shared(m, name, a);
  return gives(name == "atof" || name == "strtod" ? real(std::strtod(t->c_str(), nullptr))
                                                  : integer(std::strtol(t->c_str(), nullptr, 10)));
}

constexpr std::array kTexts = {
    Entry{"strlen", length},          Entry{"strcmp", compare},          Entry{"strncmp", compare},
    Entry{"strcasecmp", compare},     Entry{"strncasecmp", compare},     Entry{"strcpy", copy_text},
    Entry{"strncpy", copy_text},      Entry{"strcat", append_text},      Entry{"strncat", append_text},
    Entry{"strdup", duplicate_text},  Entry{"strchr", find_in_text},     Entry{"strrchr", find_in_text},
    Entry{"strstr", find_in_text},    Entry{"sprintf", print_to},        Entry{"snprintf", print_some_to},
    Entry{"vsprintf", print_list_to}, Entry{"vsnprintf", print_list_to}, Entry{"gethostname", print_list_to},
    Entry{"atoi", number_of_text},    Entry{"atol", number_of_text},     Entry{"atoll", number_of_text},
    Entry{"atof", number_of_text},    Entry{"strtol", number_of_text},   Entry{"strtod", number_of_text},
    Entry{"strtoul", number_of_text},
};

}  // namespace

std::optional<std::string> text_at(Machine& m, const Value& at) {
  if (!at.points()) return std::nullopt;
  std::string text;
  for (size_t i = 0; i < kLongestText; ++i) {
    const Value c = load(m.at(at.object), at.number + static_cast<int64_t>(i), 1);
    if (c.kind != Value::Kind::Int) return std::nullopt;
    if (!c.number) return text;
    text.push_back(static_cast<char>(c.number));
  }
  return std::nullopt;
}

std::span<const Entry> text_functions() { return kTexts; }

}  // namespace ranklint::machine
