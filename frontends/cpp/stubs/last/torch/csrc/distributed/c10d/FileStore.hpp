#include <ranklint/c10d.h>
