// A pointer that is set once is another name of what it points to; one that is set again is a variable of its own.
int first, second;

int once(void) {
  int* p = &first;
  *p = 3;
  return *p;
}

int again(bool other) {
  int* p = &first;
  if (other) p = &second;
  return *p;
}

void choose(int** where) { *where = &second; }

int by_others(void) {
  int* p = &first;
  choose(&p);
  return *p;
}
