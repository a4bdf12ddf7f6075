// OpenMP's functions, where no compiler's header is found.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

typedef int omp_lock_t, omp_nest_lock_t, omp_sched_t, omp_proc_bind_t;

int omp_get_thread_num(void);
int omp_get_num_threads(void);
int omp_get_max_threads(void);
int omp_get_num_procs(void);
int omp_get_thread_limit(void);
int omp_get_level(void);
int omp_get_num_devices(void);
int omp_in_parallel(void);
int omp_get_dynamic(void);
int omp_get_nested(void);
void omp_set_num_threads(int);
void omp_set_dynamic(int);
void omp_set_nested(int);
void omp_set_schedule(omp_sched_t, int);
double omp_get_wtime(void);
double omp_get_wtick(void);
void omp_init_lock(omp_lock_t*);
void omp_destroy_lock(omp_lock_t*);
void omp_set_lock(omp_lock_t*);
void omp_unset_lock(omp_lock_t*);
int omp_test_lock(omp_lock_t*);

#ifdef __cplusplus
}
#endif
