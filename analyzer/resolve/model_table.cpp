#include "analyzer/resolve/model_table.h"

#include <tuple>
#include <type_traits>

#include "analyzer/base/check.h"

namespace ranklint {
namespace {

// Every field, in the order of the table.
template <typename SomeModel>
auto fields_of(SomeModel& m) {
  return std::tie(m.name, m.kind, m.op, m.group, m.axes, m.root, m.root_is_group_rank, m.reduce_op, m.async, m.handle,
                  m.ranks, m.color, m.same_members, m.tensor, m.input, m.result, m.result_uniform, m.fills_tensor,
                  m.same_shape, m.sizes, m.conditional, m.if_sharded, m.needs, m.several_collectives, m.implicit,
                  m.gives_nothing, m.matched_by_name, m.about, m.when, m.predicate, m.direction, m.shape, m.instance,
                  m.receivers, m.mention, m.confidence, m.note, m.library);
}

class Writer {
 public:
  void write(uint64_t number) {
    for (; number >= 0x80; number >>= 7) bytes_ += static_cast<char>(0x80 | (number & 0x7f));
    bytes_ += static_cast<char>(number);
  }
  void write(const std::string& text) {
    write(text.size());
    bytes_ += text;
  }
  template <typename Enum>
    requires std::is_enum_v<Enum>
  void write(Enum word) {
    write(static_cast<uint64_t>(word));
  }
  void write(bool) {}  // it is there: it is the other one
  void write(const ArgumentSpec& a) {
    write(static_cast<uint64_t>(a.position) + 1);
    write(a.keyword);
  }
  void write(const GroupSpec& g) {
    write(g.argument);
    write(g.or_argument);
    write(g.otherwise);
    write(g.axes);
  }
  void write(const ArgumentCondition::Keyword& k) {
    write(k.name);
    write(k.default_value);
  }
  void write(const ArgumentCondition& c) {
    write(c.argument);
    write(c.made_with);
    for (const std::string* text : {&c.maker, &c.equals, &c.not_equals, &c.default_value}) write(*text);
  }
  template <typename T>
  void write(const std::vector<T>& list) {
    write(list.size());
    for (const T& item : list) write(item);
  }

  void write(const RoleEntry& entry) {
    write(entry.role);
    write(entry.name);
    write(entry.argument);
    write(entry.note);
  }
  void write(const NamePrior& prior) {
    write(prior.meaning);
    write(prior.pattern);
    write(prior.axes);
  }
  void write(const NamedModel& named) {
    static const Model kDefault;
    std::apply(
        [&](const auto&... field) {
          std::apply(
              [&](const auto&... usual) {
                uint64_t set = 0, bit = 1;
                ((set |= same(field, usual) ? 0 : bit, bit <<= 1), ...);
                write(set);
                ((same(field, usual) ? void() : write(field)), ...);
              },
              fields_of(kDefault));
        },
        fields_of(named.model));
    write(named.aliases);
  }

  std::string take() { return std::move(bytes_); }

 private:
  template <typename T>
  static bool same(const T& a, const T& b) {
    return a == b;
  }
  static bool same(const ArgumentSpec& a, const ArgumentSpec& b) {
    return a.position == b.position && a.keyword == b.keyword;
  }
  static bool same(const GroupSpec& a, const GroupSpec& b) {
    return same(a.argument, b.argument) && same(a.or_argument, b.or_argument) && a.otherwise == b.otherwise &&
           a.axes == b.axes;
  }
  static bool same(const std::vector<ArgumentCondition>& a, const std::vector<ArgumentCondition>& b) {
    return a.empty() && b.empty();
  }

  std::string bytes_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  bool at_end() const { return at_ == bytes_.size(); }

  uint64_t number() {
    uint64_t n = 0;
    for (unsigned shift = 0;; shift += 7) {
      RANKLINT_CHECK(at_ < bytes_.size() && shift < 64, "a table of models that ends too early");
      const auto byte = static_cast<unsigned char>(bytes_[at_++]);
      n |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return n;
    }
  }
  void read(std::string& text) {
    const uint64_t length = number();
    RANKLINT_CHECK(length <= bytes_.size() - at_, "a table of models that ends too early");
    text.assign(bytes_, at_, length);
    at_ += length;
  }
  template <typename Enum>
    requires std::is_enum_v<Enum>
  void read(Enum& word) {
    word = static_cast<Enum>(number());
  }
  void read(bool& flag) { flag = !flag; }
  void read(ArgumentSpec& a) {
    a.position = static_cast<int>(number()) - 1;
    read(a.keyword);
  }
  void read(GroupSpec& g) {
    read(g.argument);
    read(g.or_argument);
    read(g.otherwise);
    read(g.axes);
  }
  void read(ArgumentCondition::Keyword& k) {
    read(k.name);
    read(k.default_value);
  }
  void read(ArgumentCondition& c) {
    read(c.argument);
    read(c.made_with);
    for (std::string* text : {&c.maker, &c.equals, &c.not_equals, &c.default_value}) read(*text);
  }
  template <typename T>
  void read(std::vector<T>& list) {
    list.resize(number());
    for (T& item : list) read(item);
  }
  void read(RoleEntry& entry) {
    read(entry.role);
    read(entry.name);
    read(entry.argument);
    read(entry.note);
  }
  void read(NamePrior& prior) {
    read(prior.meaning);
    read(prior.pattern);
    read(prior.axes);
  }
  void read(NamedModel& named) {
    const uint64_t set = number();
    std::apply(
        [&](auto&... field) {
          uint64_t bit = 1;
          (((set & bit ? read(field) : void()), bit <<= 1), ...);
        },
        fields_of(named.model));
    read(named.aliases);
  }

 private:
  std::string_view bytes_;
  size_t at_ = 0;
};

// One by one.
template <typename T>
void read_list(Reader& reader, const std::function<void(T)>& take) {
  for (uint64_t left = reader.number(); left > 0; --left) {
    T item;
    reader.read(item);
    take(std::move(item));
  }
}

}  // namespace

std::string model_table(const ModelFile& models) {
  Writer writer;
  writer.write(models.models);
  writer.write(models.roles);
  writer.write(models.names);
  return writer.take();
}

void read_model_table(std::string_view table, const std::function<void(NamedModel)>& take_model,
                      const std::function<void(RoleEntry)>& take_role,
                      const std::function<void(NamePrior)>& take_name) {
  Reader reader(table);
  read_list(reader, take_model);
  read_list(reader, take_role);
  read_list(reader, take_name);
  RANKLINT_CHECK(reader.at_end(), "a table of models with something behind its end");
}

}  // namespace ranklint
