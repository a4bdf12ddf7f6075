def example(a, b):
    a = a + b - a * b @ a / b // a % b ** a << b >> a & b | a ^ b
    b = -a, +a, ~a, not a, a < b, a <= b, a > b, a >= b, a == b, a != b, a in b, a not in b, a is b, a is not b
    return a < b <= 3 != a
