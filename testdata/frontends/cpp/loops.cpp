int example(int n) {
  int sum = 0;
  for (int i = 0; i < n && sum < 100; ++i) {
    if (i == 3) continue;
    sum += i;
  }
  while (true) {
    if (--n < 0) break;
  }
  do sum -= 1;
  while (sum > 0);
  return sum;
}
