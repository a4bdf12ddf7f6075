// Pointers to scalars are what they point to: a call hands them in and gets them back.
void fill(int* count, int add) { *count = *count + add; }

int example(void) {
  int count = 1;
  fill(&count, 2);
  return count;
}
