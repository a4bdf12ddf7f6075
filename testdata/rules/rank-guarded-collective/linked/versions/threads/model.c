void step(int i);
void finish(void);

void model(int steps) {
    for (int i = 0; i < steps; i++) step(i);
    finish();
}
