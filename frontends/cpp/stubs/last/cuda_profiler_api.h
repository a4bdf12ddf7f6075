#pragma once
#ifdef __cplusplus
extern "C" {
#endif
int cudaProfilerStart(void);
int cudaProfilerStop(void);
int nvtxRangePushA(const char *name);
int nvtxRangePop(void);
#define nvtxRangePush nvtxRangePushA
#ifdef __cplusplus
}
#endif
