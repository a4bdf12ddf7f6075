// Included before every C++ source: no sequence of template arguments is longer than a program means it to be.
//
// Where a header is missing, `std::make_index_sequence<arity - 4>` asks for 2^64 - 4 of them, and Clang makes them all.
#ifndef RANKLINT_STUB_BOUNDED_SEQUENCES_H
#define RANKLINT_STUB_BOUNDED_SEQUENCES_H

#if defined(__cplusplus) && __cplusplus >= 201103L && defined(__has_builtin)
#if __has_builtin(__make_integer_seq)
template <template <class Element, Element...> class Sequence, class Number, Number n>
using __ranklint_make_integer_seq = __make_integer_seq<Sequence, Number, (n <= 65536 ? n : 0)>;
#define __make_integer_seq __ranklint_make_integer_seq
#endif
#endif

#endif
