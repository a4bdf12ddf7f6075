// Constants of every width: what does not fit 64 bits is kept as its digits.
enum Wide : unsigned long long { kAllBits = 0xffffffffffffffffULL };

unsigned long long largest = 18446744073709551615ULL;
unsigned __int128 beyond = ~static_cast<unsigned __int128>(0);
long long smallest = -9223372036854775807LL - 1;

bool example(unsigned long long n) { return n == kAllBits || n == 18446744073709551615ULL || n + sizeof(n) == ~0ULL; }
