for (int i = 0; i < size; i++) if (rank == i) MPI_Send(a, 4, MPI_INT, (i + 1) % size, i, MPI_COMM_WORLD); else if (rank == (i + 1) % size) MPI_Recv(b, 4, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &st);
MPI_Irecv(b, 8, MPI_INT, rank, 0, MPI_COMM_WORLD, &r); MPI_Send(a, 8, MPI_INT, rank, 0, MPI_COMM_WORLD); while (!a[1]) MPI_Test(&r, &a[1], &st);
