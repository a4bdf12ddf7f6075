#include "app/trace/pickle.h"

#include <bit>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "app/json/read_json.h"

namespace ranklint::app {

namespace {

using Json = nlohmann::json;

// A value as the machine has it. What holds others names them by their numbers, since a value that was kept in the memo
// may be filled afterwards, and may be in several places.
struct Value {
  enum class Kind { Plain, List, Dictionary };
  Kind kind = Kind::Plain;
  Json plain = nullptr;
  std::vector<uint32_t> items;  // List: the elements; Dictionary: key, value, key, value
};

class Machine {
 public:
  Machine(std::string_view bytes, const std::string& shown) : bytes_(bytes), shown_(shown) {}

  Result<Json> run() {
    while (!error_ && !done_) step();
    Json result;
    if (!error_) result = json_of(stack_.back(), 0);
    if (error_) return *error_;
    return result;
  }

 private:
  void fail(std::string message) {
    if (!error_)
      error_ = Error{.message = "at byte " + std::to_string(op_at_) + ": " + std::move(message), .path = shown_};
  }

  std::string_view take(uint64_t length) {
    if (length > bytes_.size() - at_) {
      fail("the pickle ends too early; the file is cut short");
      at_ = bytes_.size();
      return {};
    }
    const std::string_view taken = bytes_.substr(at_, length);
    at_ += length;
    return taken;
  }

  // Little endian, as all of pickle.
  uint64_t number(size_t size) {
    uint64_t value = 0;
    const std::string_view from = take(size);
    for (size_t i = 0; i < from.size(); ++i)
      value |= static_cast<uint64_t>(static_cast<unsigned char>(from[i])) << (8 * i);
    return value;
  }

  std::string_view line() {
    const size_t end = bytes_.find('\n', at_);
    if (end == std::string_view::npos) return take(bytes_.size());
    const std::string_view text = take(end - at_);
    take(1);
    return text;
  }

  void push(Value value) {
    if (values_.size() >= kMostPickledValues) return fail("the pickle holds too many values");
    stack_.push_back(static_cast<uint32_t>(values_.size()));
    values_.push_back(std::move(value));
  }
  void push(Json plain) { push(Value{.plain = std::move(plain), .items = {}}); }
  void push_list(std::vector<uint32_t> items = {}) {
    push(Value{.kind = Value::Kind::List, .items = std::move(items)});
  }
  void push_dictionary(std::vector<uint32_t> items = {}) {
    push(Value{.kind = Value::Kind::Dictionary, .items = std::move(items)});
  }

  // What was pushed after the last mark, and the mark away.
  size_t popped_mark() {
    if (marks_.empty() || marks_.back() > stack_.size()) {
      fail("the pickle is damaged: there is no mark");
      return stack_.size();
    }
    const size_t mark = marks_.back();
    marks_.pop_back();
    return mark;
  }

  bool needs(size_t count) {
    const size_t floor = marks_.empty() ? 0 : marks_.back();
    if (stack_.size() >= floor + count) return true;
    fail("the pickle is damaged: a value is missing");
    return false;
  }

  std::vector<uint32_t> popped(size_t from) {
    std::vector<uint32_t> items(stack_.begin() + static_cast<std::ptrdiff_t>(from), stack_.end());
    stack_.resize(from);
    return items;
  }

  void make_list(size_t from) { push_list(popped(from)); }

  void make_dictionary(size_t from) {
    if ((stack_.size() - from) % 2 != 0) return fail("the pickle is damaged: a key has no value");
    push_dictionary(popped(from));
  }

  // Adds what lies on the stack from there to what lies below it.
  void add_to(Value::Kind kind, size_t from) {
    if (error_) return;
    const bool is_dictionary = kind == Value::Kind::Dictionary;
    if (from == 0 || values_[stack_[from - 1]].kind != kind || (is_dictionary && (stack_.size() - from) % 2 != 0))
      return fail(std::string("the pickle is damaged: there is no ") + (is_dictionary ? "dictionary" : "list") +
                  " to add to");
    const std::vector<uint32_t> items = popped(from);
    std::vector<uint32_t>& target = values_[stack_.back()].items;
    target.insert(target.end(), items.begin(), items.end());
  }

  // Counts each value as often as it is met, and the bytes of its text; one that holds itself ends at the greatest
  // depth.
  Json json_of(uint32_t id, int depth) {
    const Value& value = values_[id];
    if (value.plain.is_string()) bytes_read_ += value.plain.get_ref<const std::string&>().size();
    if (depth > kDeepestJson) fail("the pickle is nested too deeply");
    if (++values_read_ > kMostPickledValues) fail("the pickle holds too many values");
    if (bytes_read_ / kMostRepeats > bytes_.size()) fail("the pickle repeats a text too often");
    if (error_) return nullptr;
    switch (value.kind) {
      case Value::Kind::Plain: return value.plain;
      case Value::Kind::List: {
        Json list = Json::array();
        for (const uint32_t item : value.items) list.push_back(json_of(item, depth + 1));
        return list;
      }
      case Value::Kind::Dictionary: {
        Json object = Json::object();
        for (size_t i = 0; i + 1 < value.items.size(); i += 2)
          object[name_of(json_of(value.items[i], depth + 1))] = json_of(value.items[i + 1], depth + 1);
        return object;
      }
    }
    return nullptr;
  }

  static std::string name_of(const Json& key) {
    return key.is_string() ? key.get<std::string>() : key.dump(-1, ' ', false, Json::error_handler_t::replace);
  }

  void tuple(size_t count) {
    if (needs(count)) make_list(stack_.size() - count);
  }

  void put(uint64_t index) {
    if (needs(1)) memo_.insert_or_assign(index, stack_.back());
  }

  void get(uint64_t index) {
    const auto found = memo_.find(index);
    if (found == memo_.end()) return fail("the pickle is damaged: value " + std::to_string(index) + " was never kept");
    stack_.push_back(found->second);
  }

  // A whole number of any length; one that does not fit in 64 bits is kept as a float.
  void long_number(uint64_t size) {
    const std::string_view digits = take(size);
    if (error_) return;
    const bool negative = !digits.empty() && (static_cast<unsigned char>(digits.back()) & 0x80U) != 0;
    if (digits.size() <= 8) {
      uint64_t value = negative ? ~uint64_t{0} : 0;
      for (size_t i = digits.size(); i-- > 0;) value = (value << 8) | static_cast<unsigned char>(digits[i]);
      return push(Json(static_cast<int64_t>(value)));
    }
    double value = 0;
    for (size_t i = digits.size(); i-- > 0;)
      value = value * 256 + static_cast<unsigned char>(negative ? ~digits[i] : digits[i]);
    push(Json(negative ? -value - 1 : value));
  }

  void float_number() {
    uint64_t bits = 0;
    for (const char byte : take(8)) bits = (bits << 8) | static_cast<unsigned char>(byte);
    push(Json(std::bit_cast<double>(bits)));
  }

  void text(uint64_t length) { push(Json(std::string(take(length)))); }

  void unknown(unsigned char op) {
    switch (op) {
      case 'c':
      case 'i':
      case 0x93:
        return fail("the pickle asks to import and run code" + named(op) +
                    ", which no dump of the flight recorder does; it was not run");
      case 'R':
      case 'b':
      case 'o':
      case 0x81:
      case 0x92:
      case 'P':
      case 'Q': return fail("the pickle asks to run code, which no dump of the flight recorder does; it was not run");
      default: return fail("this is no pickle of plain data (instruction " + std::to_string(op) + ")");
    }
  }

  std::string named(unsigned char op) {
    if (op == 0x93) return "";
    const std::string module(line());
    return " (`" + module + "." + std::string(line()) + "`)";
  }

  void step() {
    op_at_ = at_;
    const std::string_view code = take(1);
    if (error_) return;
    const auto op = static_cast<unsigned char>(code[0]);
    switch (op) {
      case 0x80: version(); break;  // PROTO
      case 0x95: take(8); break;    // FRAME
      case '.': stop(); break;
      case '(': marks_.push_back(stack_.size()); break;
      case '0':
        if (needs(1)) stack_.pop_back();
        break;                                        // POP
      case '1': stack_.resize(popped_mark()); break;  // POP_MARK
      case 'N': push(Json(nullptr)); break;
      case 0x88: push(Json(true)); break;
      case 0x89: push(Json(false)); break;
      case 'J': push(Json(static_cast<int32_t>(number(4)))); break;
      case 'K': push(Json(number(1))); break;
      case 'M': push(Json(number(2))); break;
      case 0x8a: long_number(number(1)); break;
      case 0x8b: long_number(number(4)); break;
      case 'G': float_number(); break;
      case 'X':
      case 'T':
      case 'B': text(number(4)); break;  // text, bytes
      case 0x8c:
      case 'U':
      case 'C': text(number(1)); break;
      case 0x8d:
      case 0x8e: text(number(8)); break;
      case ']':
      case ')':
      case 0x8f: push_list(); break;  // empty list, tuple, set
      case '}': push_dictionary(); break;
      case 'l':
      case 't':
      case 0x91: make_list(popped_mark()); break;
      case 0x85: tuple(1); break;
      case 0x86: tuple(2); break;
      case 0x87: tuple(3); break;
      case 'd': make_dictionary(popped_mark()); break;
      case 'a':
        if (needs(2)) add_to(Value::Kind::List, stack_.size() - 1);
        break;
      case 'e':
      case 0x90: add_to(Value::Kind::List, popped_mark()); break;
      case 's':
        if (needs(3)) add_to(Value::Kind::Dictionary, stack_.size() - 2);
        break;
      case 'u': add_to(Value::Kind::Dictionary, popped_mark()); break;
      case 'q': put(number(1)); break;
      case 'r': put(number(4)); break;
      case 0x94: put(memo_.size()); break;
      case 'h': get(number(1)); break;
      case 'j': get(number(4)); break;
      default: unknown(op);
    }
  }

  void version() {
    const uint64_t protocol = number(1);
    if (!error_ && protocol > 5)
      fail("the pickle is of protocol " + std::to_string(protocol) + "; 5 is the newest known");
  }

  void stop() {
    if (stack_.size() != 1 || !marks_.empty())
      return fail("the pickle is damaged: it ends with " + std::to_string(stack_.size()) + " values");
    done_ = true;
  }

  std::string_view bytes_;
  const std::string& shown_;
  size_t at_ = 0, op_at_ = 0;
  size_t values_read_ = 0, bytes_read_ = 0;
  bool done_ = false;
  std::vector<Value> values_;
  std::vector<uint32_t> stack_;
  std::vector<size_t> marks_;
  std::map<uint64_t, uint32_t> memo_;
  std::optional<Error> error_;
};

}  // namespace

Result<Json> read_pickle(std::string_view bytes, const std::string& shown) { return Machine(bytes, shown).run(); }

}  // namespace ranklint::app
