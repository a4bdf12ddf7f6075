int example(int kind) {
  int sum = 0;
  switch (kind) {
    case 0:
      sum = 1;
    case 1:
      sum += 2;
      break;
    default:
      return -1;
  }
  return sum;
}
