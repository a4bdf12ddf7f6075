// The words for how sure something is: in models, rules, options and reports.
#pragma once

#include "analyzer/base/confidence.h"
#include "analyzer/base/word.h"

namespace ranklint {

inline constexpr std::array kConfidenceWords{
    Word<Confidence>{"possible", Confidence::Possible},
    Word<Confidence>{"likely", Confidence::Likely},
    Word<Confidence>{"high", Confidence::High},
    Word<Confidence>{"certain", Confidence::Certain},
};

}  // namespace ranklint
