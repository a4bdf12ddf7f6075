// Models that a library has wrapped for distributed training.
#pragma once

#include "analyzer/summary/query.h"

namespace ranklint {

// Whether calling the value runs the forward pass of a wrapped model.
inline bool is_wrapped_model(const Query& in, ValueId called) {
  const Model* model = in.model_of_calling(called);
  return model && model->about == ModelAbout::Forward;
}

}  // namespace ranklint
