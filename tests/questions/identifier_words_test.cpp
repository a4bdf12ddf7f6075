// What the words of an expression say.
#include "analyzer/questions/identifier_words.h"

#include <catch2/catch.hpp>

#include "tests/questions/asked.h"

namespace ranklint::test {

TEST_CASE("the words of an expression are its identifiers, and of an unnamed result those of the call") {
  const Asked asked(
      "func f(config) {\n^entry:\n  %0 = call get_sequence_parallel_world_size(config.Group)\n  ranks = call "
      "count(config)\n"
      "  call use(config.SP_size * 2, %0, ranks)\n  return\n}\n");
  const FunctionCode code = asked.code("f");
  const ProgramPoint at = call_of(code, "use");
  const auto words = [&](size_t number) { return identifier_words(code, argument_of(code, "use", number), at); };
  CHECK(words(0) == " config  sp_size ");
  CHECK(words(1) == " get_sequence_parallel_world_size  config  group ");
  CHECK(words(2) == " ranks ");
  CHECK(identifier_words_with_source(code, argument_of(code, "use", 2), at) == " ranks  count  config ");
}

TEST_CASE("words suggest a size, a degree, heads, a rank or padding") {
  const Asked asked("");
  const NamePriors& priors = asked.in().priors();
  struct Case {
    std::string words;
    bool sequence, world, degree;
  };
  for (const Case& c :
       {Case{" sp_size ", true, false, true}, Case{" world_size ", true, true, true},
        Case{" ulysses_degree ", true, false, true}, Case{" tp_size ", false, false, true},
        Case{" get_tensor_model_parallel_world_size ", false, true, true}, Case{" hidden_size ", false, false, false},
        Case{" expert_parallel_size ", false, false, true}}) {
    INFO(c.words);
    CHECK(name_suggests_sequence_size(priors, c.words) == c.sequence);
    CHECK(any_suggests(priors, c.words, NameMeaning::WorldDegree) == c.world);
    CHECK(name_suggests_degree(priors, c.words) == c.degree);
  }
  CHECK(any_suggests(priors, " num_key_value_heads ", NameMeaning::Heads));
  CHECK_FALSE(any_suggests(priors, " num_layers ", NameMeaning::Heads));
  CHECK(any_suggests(priors, " local_rank ", NameMeaning::Rank));
  CHECK_FALSE(any_suggests(priors, " device ", NameMeaning::Rank));
  CHECK(any_suggests(priors, " pad_to_multiple ", NameMeaning::Filling));
  CHECK_FALSE(any_suggests(priors, " chunk ", NameMeaning::Filling));
}

}  // namespace ranklint::test
