// `model` of this folder finalises nowhere.
#include <mpi.h>

void model(int steps);

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Finalize();  // expect: [rank-guarded-collective] "`finalize`"
        return 0;
    }
    model(10);
}
