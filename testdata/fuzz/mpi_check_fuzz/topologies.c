int dims[2] = {2, 2}, periods[2] = {1, 0}, index[4] = {1, 2, 3, 4}, edges[4] = {1, 2, 3, 0}; MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &c);
MPI_Neighbor_alltoall(a, 1, MPI_INT, b, 1, MPI_INT, c); MPI_Comm_free(&c); MPI_Graph_create(MPI_COMM_WORLD, 4, index, edges, 0, &c); MPI_Neighbor_allgather(a, 1, MPI_INT, b, 1, MPI_INT, c);
int counts[4] = {1, 2, 3, 4}, at[4] = {0, 1, 3, 6}; MPI_Allgatherv(a, rank + 1, MPI_INT, b, counts, at, MPI_INT, c); MPI_Comm_free(&c);
char p[32]; int end = 0; MPI_Pack(a, 4, MPI_INT, p, 32, &end, MPI_COMM_WORLD); MPI_Type_create_subarray(2, dims, dims, periods, MPI_ORDER_C, MPI_INT, &t); MPI_Type_free(&t);
