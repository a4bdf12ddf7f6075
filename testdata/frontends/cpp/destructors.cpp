// Objects end where their scope does, on every way out of it.
void enter();
void leave();

struct Scope {
  Scope() { enter(); }
  ~Scope() { leave(); }
};

int example(bool early) {
  Scope scope;
  if (early) return 1;
  return 2;
}
