// What the C library does to memory and values, as far as programs that communicate ask for it.
#include <algorithm>
#include <array>
#include <cmath>

#include "analyzer/machine/library.h"

namespace ranklint::machine {

Value allocate(Machine& m, Value size, bool zeroed) {
  const bool known = size.kind == Value::Kind::Int && size.number >= 0;
  const ObjectId id = make_object(m, Object::Life::Heap, known ? static_cast<uint64_t>(size.number) : 0, Scalar::None);
  m.objects[id].size_known = known;
  m.objects[id].zeroed = zeroed;
  m.objects[id].name = m.place();
  return pointer(id);
}

CallResult shared(Machine& m, const std::string& name, Arguments) {
  uint64_t key = 0;
  for (const char c : name) key = key * 131 + static_cast<unsigned char>(c);
  const uint32_t visit = m.visits[m.place()]++;
  return gives(m.host->symbol ? shared_unknown(m.host->symbol(2, key, static_cast<uint64_t>(m.place()) << 32 | visit))
                              : unknown());
}

namespace {

CallResult malloc_(Machine& m, const std::string&, Arguments a) { return gives(allocate(m, argument(a, 0), false)); }

CallResult calloc_(Machine& m, const std::string&, Arguments a) {
  return gives(allocate(m, binary(m, Arithmetic::Multiply, Scalar::U64, argument(a, 0), argument(a, 1)), true));
}

// The memory is gone, and operations that hold a part of it are notified.
void end_life(Machine& m, const Value& p) {
  if (!p.points()) return;
  const auto bytes = static_cast<int64_t>(m.at(p.object).size_bytes);
  touch(m, p, bytes, true);
  if (!m.shadows.empty()) return;
  if (m.objects[p.object].watches && m.host->accessed)
    m.host->accessed(m, {.object = p.object, .offset = 0, .size_bytes = bytes, .is_write = true, .is_freed = true});
  m.at(p.object).freed = true;
}

CallResult realloc_(Machine& m, const std::string&, Arguments a) {
  const Value from = argument(a, 0), to = allocate(m, argument(a, 1), false);
  if (from.points()) {
    const Object& old = m.at(from.object);
    set_element(m.at(to.object), old.element);
    copy(m.at(to.object), 0, old, 0, static_cast<int64_t>(std::min(old.size_bytes, m.at(to.object).size_bytes)));
    end_life(m, from);
  }
  return gives(to);
}

CallResult posix_memalign_(Machine& m, const std::string&, Arguments a) {
  store(m, argument(a, 0), 8, allocate(m, argument(a, 2), false));
  return gives(integer(0));
}

CallResult free_(Machine& m, const std::string&, Arguments a) {
  end_life(m, argument(a, 0));
  return gives({});
}

int64_t size_of(const Machine& m, Value size, Value at) {
  if (size.kind == Value::Kind::Int) return size.number;
  return at.object ? static_cast<int64_t>(m.objects[at.object].size_bytes) - at.number : 0;
}

// What a step of its own would be for every few cells.
void spend(Machine& m, int64_t bytes) { m.steps += static_cast<uint64_t>(std::clamp<int64_t>(bytes, 0, 1 << 24)) / 32; }

CallResult memset_(Machine& m, const std::string&, Arguments a) {
  const Value to = argument(a, 0), byte = argument(a, 1);
  if (!to.points()) return gives(to);
  const int64_t bytes = size_of(m, argument(a, 2), to);
  touch(m, to, bytes, true);
  spend(m, bytes);
  if (byte == integer(0) && m.shadows.empty())
    zero(m.at(to.object), to.number, bytes);
  else
    forget(m.at(to.object), to.number, bytes);
  return gives(to);
}

CallResult memcpy_(Machine& m, const std::string&, Arguments a) {
  const Value to = argument(a, 0), from = argument(a, 1);
  if (!to.points()) return gives(to);
  const int64_t bytes = size_of(m, argument(a, 2), to);
  touch(m, from, bytes, false);
  touch(m, to, bytes, true);
  spend(m, bytes);
  if (from.points() && m.shadows.empty()) {
    const Object& source = m.at(from.object);
    set_element(m.at(to.object), source.element);
    copy(m.at(to.object), to.number, source, from.number, bytes);
  } else {
    forget(m.at(to.object), to.number, bytes);
  }
  return gives(to);
}

// Its arguments were evaluated; its result is not used.
CallResult nothing(Machine& m, const std::string&, Arguments a) {
  for (const Value& v : a)
    if (v.points()) touch(m, v, 1, false);
  return gives(integer(0));
}

CallResult varies(Machine&, const std::string&, Arguments) { return gives(unknown()); }

CallResult ends(Machine& m, const std::string& name, Arguments) {
  if (m.asserts_hold && m.shadows.empty() && name == "__assert_fail") return gives({});
  if (m.shadows.empty()) {
    m.exited = true;
    m.aborted = name != "exit" && name != "_exit";
  }
  return {.kind = CallResult::Kind::Ended};
}

CallResult exits(Machine& m, const std::string& name, Arguments a) {
  const CallResult result = ends(m, name, a);
  if (m.shadows.empty() && argument(a, 0) != integer(0)) m.aborted = true;
  return result;
}

CallResult absolute(Machine& m, const std::string&, Arguments a) {
  const Value v = argument(a, 0);
  return gives(v.kind == Value::Kind::Int ? integer(std::abs(v.number))
               : v.known()                ? unknown()
                                          : unary(m, Arithmetic::Invert, Scalar::I64, v));
}

using Math = double (*)(double);
using Math2 = double (*)(double, double);

template <Math F>
CallResult math(Machine& m, const std::string&, Arguments a) {
  const Value v = argument(a, 0);
  if (!v.known()) return gives(unary(m, Arithmetic::Invert, Scalar::F64, v));
  if (v.kind == Value::Kind::Real) return gives(real(F(v.real())));
  return gives(v.kind == Value::Kind::Int ? real(F(static_cast<double>(v.number))) : unknown());
}

template <Math2 F>
CallResult math2(Machine& m, const std::string&, Arguments a) {
  const Value x = convert(argument(a, 0), Scalar::F64), y = convert(argument(a, 1), Scalar::F64);
  if (x.kind == Value::Kind::Real && y.kind == Value::Kind::Real) return gives(real(F(x.real(), y.real())));
  return gives(binary(m, Arithmetic::Xor, Scalar::F64, x, y));
}

CallResult seeds(Machine& m, const std::string&, Arguments a) {
  const Value seed = argument(a, 0);
  m.random = {.is_known = seed.kind == Value::Kind::Int && m.shadows.empty(),
              .seed = static_cast<uint64_t>(seed.number)};
  return gives(integer(0));
}

// The next random number; nothing: it may be any.
std::optional<uint64_t> draw(Machine& m) {
  m.random.is_known = m.random.is_known && m.shadows.empty();
  if (!m.random.is_known) return std::nullopt;
  uint64_t z = m.random.seed * 0xd1342543de82ef95 + ++m.random.drawn * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

CallResult random_number(Machine& m, const std::string&, Arguments) {
  const auto bits = draw(m);
  return gives(bits ? integer(static_cast<int64_t>(*bits >> 33)) : unknown());
}

CallResult random_fraction(Machine& m, const std::string&, Arguments) {
  const auto bits = draw(m);
  return gives(bits ? real(std::ldexp(static_cast<double>(*bits >> 11), -53)) : unknown());
}

// Which thread this is: of a block that several do, any.
CallResult thread_number(Machine& m, const std::string&, Arguments) {
  const bool is_any = std::find(m.regions.begin(), m.regions.end(), Region::Parallel) != m.regions.end() &&
                      m.regions.back() != Region::Master;
  return gives(is_any ? unknown() : integer(0));
}

constexpr std::array kLibrary = {
    Entry{"malloc", malloc_},
    Entry{"calloc", calloc_},
    Entry{"realloc", realloc_},
    Entry{"free", free_},
    Entry{"alloca", malloc_},
    Entry{"__builtin_alloca", malloc_},
    Entry{"posix_memalign", posix_memalign_},
    Entry{"memset", memset_},
    Entry{"memcpy", memcpy_},
    Entry{"memmove", memcpy_},
    Entry{"__builtin_memset", memset_},
    Entry{"__builtin_memcpy", memcpy_},
    Entry{"printf", nothing},
    Entry{"fprintf", nothing},
    Entry{"puts", nothing},
    Entry{"putchar", nothing},
    Entry{"fputs", nothing},
    Entry{"fflush", nothing},
    Entry{"perror", nothing},
    Entry{"vprintf", nothing},
    Entry{"vfprintf", nothing},
    Entry{"setbuf", nothing},
    Entry{"setvbuf", nothing},
    Entry{"sleep", nothing},
    Entry{"usleep", nothing},
    Entry{"nanosleep", nothing},
    Entry{"sched_yield", nothing},
    Entry{"srand", seeds},
    Entry{"srandom", seeds},
    Entry{"srand48", seeds},
    Entry{"fclose", nothing},
    Entry{"assert", nothing},
    Entry{"signal", nothing},
    Entry{"atexit", nothing},
    Entry{"rand", random_number},
    Entry{"random", random_number},
    Entry{"lrand48", random_number},
    Entry{"drand48", random_fraction},
    Entry{"time", varies},
    Entry{"clock", varies},
    Entry{"getpid", varies},
    Entry{"getppid", varies},
    Entry{"gettimeofday", varies},
    Entry{"clock_gettime", varies},
    Entry{"getenv", shared},
    Entry{"fopen", varies},
    Entry{"exit", exits},
    Entry{"_exit", exits},
    Entry{"abort", ends},
    Entry{"__assert_fail", ends},
    Entry{"__builtin_trap", ends},
    Entry{"__builtin_unreachable", ends},
    Entry{"abs", absolute},
    Entry{"labs", absolute},
    Entry{"llabs", absolute},
    Entry{"omp_get_thread_num", thread_number},
    Entry{"omp_get_num_threads", shared},
    Entry{"omp_get_max_threads", shared},
    Entry{"omp_get_num_procs", shared},
    Entry{"omp_set_num_threads", nothing},
    Entry{"omp_get_wtime", varies},
    Entry{"sqrt", math<std::sqrt>},
    Entry{"fabs", math<std::fabs>},
    Entry{"sin", math<std::sin>},
    Entry{"cos", math<std::cos>},
    Entry{"tan", math<std::tan>},
    Entry{"exp", math<std::exp>},
    Entry{"log", math<std::log>},
    Entry{"log2", math<std::log2>},
    Entry{"log10", math<std::log10>},
    Entry{"floor", math<std::floor>},
    Entry{"ceil", math<std::ceil>},
    Entry{"atan", math<std::atan>},
    Entry{"round", math<std::round>},
    Entry{"pow", math2<std::pow>},
    Entry{"fmod", math2<std::fmod>},
    Entry{"fmax", math2<std::fmax>},
    Entry{"fmin", math2<std::fmin>},
    Entry{"atan2", math2<std::atan2>},
};

}  // namespace

std::optional<CallResult> call_library(Machine& m, const std::string& name, Arguments arguments) {
  for (const std::span<const Entry> table : {std::span<const Entry>(kLibrary), text_functions()})
    for (const Entry& entry : table)
      if (name == entry.name) return entry.handler(m, name, arguments);
  return std::nullopt;
}

}  // namespace ranklint::machine
