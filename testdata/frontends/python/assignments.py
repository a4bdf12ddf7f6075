def example(self, pair):
    a = b = make()
    (x, [y, *z]), self.w = pair
    table[key()] = value()
    table[key()] += 1
    self.total @= pair
    first = second = pair
