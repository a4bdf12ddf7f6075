// What a witness rests on that a program hardly means: each of these is a reason to say less about it.
#pragma once

#include "analyzer/compare/frames.h"

namespace ranklint {

// Whether a function runs without gradients: `@torch.no_grad()`, `@torch.inference_mode()`. No model is trained there.
bool runs_without_gradients(const ProjectIndex& index, FunctionKey f);

// Whether a block or decorator takes the gradients off where a call stands: `with torch.no_grad():`.
bool runs_without_gradients(const ProjectIndex& index, const Summary& summary, SourceRange call);

// Whether one of the choices takes a model for being trained: `self.training` holds.
bool takes_for_training(const Query& query, const Choices& choices);

// Whether one of the choices takes something for a sharded model or tensor: `isinstance(model, FSDP)` holds.
bool takes_for_sharded(const Query& query, const Choices& choices);

}  // namespace ranklint
