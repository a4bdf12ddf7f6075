#include <ranklint/torch.h>
