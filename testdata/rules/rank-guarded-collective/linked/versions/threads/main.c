// Each folder is a program of its own. `model` and `finish` of this one finalise on the other ranks; multi/model.c does not.
#include <mpi.h>

void model(int steps);
void receive(int rank);

int main(int argc, char** argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) receive(1);
    model(10);
}
