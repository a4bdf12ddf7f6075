#include "runtime/base/tensor.h"

int main() { return ranklint::runtime::Tensor::full({2, 2}, 3).item(3) == 3 ? 0 : 1; }
