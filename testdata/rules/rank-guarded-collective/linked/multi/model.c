void step(int i);
void close_files(void);

void model(int steps) {
    for (int i = 0; i < steps; i++) step(i);
    close_files();
}
