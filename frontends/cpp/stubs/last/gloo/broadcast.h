#include <ranklint/gloo.h>
