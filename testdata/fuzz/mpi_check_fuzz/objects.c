MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &c); MPI_Allreduce(a, b, 16, MPI_INT, MPI_SUM, c); MPI_Comm_free(&c);
MPI_Type_vector(2, 3, 4, MPI_INT, &t); MPI_Type_commit(&t); MPI_Bcast(a, 1, t, 0, MPI_COMM_WORLD); MPI_Type_free(&t);
MPI_Win_create(a, 64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &w); MPI_Win_fence(0, w); MPI_Put(b, 1, MPI_INT, (rank + 1) % size, rank, 1, MPI_INT, w); MPI_Win_fence(0, w); MPI_Win_free(&w);
