// What Debian 12's static libraries ask of glibc and glibc 2.28 does not have. It stands in the sysroot's libc, so a
// program gets only what it uses.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#pragma GCC visibility push(hidden)

// glibc 2.32. False is always right: libstdc++ then counts references with atomic operations.
char __libc_single_threaded = 0;

// glibc 2.36.
uint32_t arc4random(void) {
  uint32_t value = 0;
  while (getrandom(&value, sizeof value, 0) != sizeof value) {
  }
  return value;
}

// glibc 2.33. LLVM asks for the memory in use, which nobody reads here.
struct mallinfo2 mallinfo2(void) {
  struct mallinfo2 unknown;
  memset(&unknown, 0, sizeof unknown);
  return unknown;
}

// glibc 2.35. libgcc finds by it the unwind table of the object that an address lies in, and has no other way.
struct search {
  uintptr_t address;
  struct dl_find_object* found;
};

static int holds_address(struct dl_phdr_info* object, size_t size, void* argument) {
  (void)size;
  struct search* search = argument;
  uintptr_t table = 0, start = UINTPTR_MAX, end = 0;
  int holds = 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)* header = &object->dlpi_phdr[i];
    uintptr_t first = object->dlpi_addr + header->p_vaddr, last = first + header->p_memsz;
    if (header->p_type == PT_GNU_EH_FRAME) table = first;
    if (header->p_type != PT_LOAD) continue;
    if (first < start) start = first;
    if (last > end) end = last;
    if (search->address >= first && search->address < last) holds = 1;
  }
  if (!holds) return 0;
  memset(search->found, 0, sizeof *search->found);
  search->found->dlfo_map_start = (void*)start;
  search->found->dlfo_map_end = (void*)end;
  search->found->dlfo_eh_frame = (void*)table;
  return 1;
}

int _dl_find_object(void* address, struct dl_find_object* found) {
  struct search search = {(uintptr_t)address, found};
  return dl_iterate_phdr(holds_address, &search) && found->dlfo_eh_frame ? 0 : -1;
}

// glibc 2.30. A condition variable of libstdc++ waits on the real-time clock, so the time that is left is waited there.
// Should that clock be set meanwhile, the wait ends early or late, as it did in every program before glibc 2.30.
int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const struct timespec* until) {
  if (clock == CLOCK_REALTIME) return pthread_cond_timedwait(condition, mutex, until);
  struct timespec now, deadline;
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &deadline);
  long nanoseconds = deadline.tv_nsec + until->tv_nsec - now.tv_nsec;
  deadline.tv_sec += until->tv_sec - now.tv_sec;
  for (; nanoseconds < 0; nanoseconds += 1000000000) --deadline.tv_sec;
  for (; nanoseconds >= 1000000000; nanoseconds -= 1000000000) ++deadline.tv_sec;
  deadline.tv_nsec = nanoseconds;
  return pthread_cond_timedwait(condition, mutex, &deadline);
}
