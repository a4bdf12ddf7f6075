// The names and signatures of MPI (Message Passing Interface, versions 3.1 and 4.0), for reading code on a machine without
// it and alike on every machine. Handles are pointers to types of their own, and each predefined handle is the address of
// an object of its name, so that it is a constant and reads in the tree as the standard spells it.
#ifndef RANKLINT_STUB_MPI_H
#define RANKLINT_STUB_MPI_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MPI_VERSION 3
#define MPI_SUBVERSION 1

typedef long MPI_Aint;
typedef long long MPI_Offset;
typedef long long MPI_Count;
typedef int MPI_Fint;
typedef struct MPI_Status {
  int MPI_SOURCE, MPI_TAG, MPI_ERROR, count_lo, count_hi_and_cancelled;
} MPI_Status;
typedef struct MPI_F08_status MPI_F08_status;

typedef struct mpi_comm *MPI_Comm;
typedef struct mpi_group *MPI_Group;
typedef struct mpi_datatype *MPI_Datatype;
typedef struct mpi_op *MPI_Op;
typedef struct mpi_request *MPI_Request;
typedef struct mpi_win *MPI_Win;
typedef struct mpi_file *MPI_File;
typedef struct mpi_info *MPI_Info;
typedef struct mpi_errhandler *MPI_Errhandler;
typedef struct mpi_message *MPI_Message;
typedef struct mpi_session *MPI_Session;
struct mpi_comm { int handle; };
struct mpi_group { int handle; };
struct mpi_datatype { int handle; };
struct mpi_op { int handle; };
struct mpi_request { int handle; };
struct mpi_win { int handle; };
struct mpi_file { int handle; };
struct mpi_info { int handle; };
struct mpi_errhandler { int handle; };
struct mpi_message { int handle; };
struct mpi_session { int handle; };

extern struct mpi_comm MPI_COMM_WORLD;
#define MPI_COMM_WORLD (&MPI_COMM_WORLD)
extern struct mpi_comm MPI_COMM_SELF;
#define MPI_COMM_SELF (&MPI_COMM_SELF)
extern struct mpi_comm MPI_COMM_NULL;
#define MPI_COMM_NULL (&MPI_COMM_NULL)
extern struct mpi_group MPI_GROUP_NULL;
#define MPI_GROUP_NULL (&MPI_GROUP_NULL)
extern struct mpi_group MPI_GROUP_EMPTY;
#define MPI_GROUP_EMPTY (&MPI_GROUP_EMPTY)
extern struct mpi_request MPI_REQUEST_NULL;
#define MPI_REQUEST_NULL (&MPI_REQUEST_NULL)
extern struct mpi_win MPI_WIN_NULL;
#define MPI_WIN_NULL (&MPI_WIN_NULL)
extern struct mpi_file MPI_FILE_NULL;
#define MPI_FILE_NULL (&MPI_FILE_NULL)
extern struct mpi_info MPI_INFO_NULL;
#define MPI_INFO_NULL (&MPI_INFO_NULL)
extern struct mpi_info MPI_INFO_ENV;
#define MPI_INFO_ENV (&MPI_INFO_ENV)
extern struct mpi_errhandler MPI_ERRHANDLER_NULL;
#define MPI_ERRHANDLER_NULL (&MPI_ERRHANDLER_NULL)
extern struct mpi_errhandler MPI_ERRORS_ARE_FATAL;
#define MPI_ERRORS_ARE_FATAL (&MPI_ERRORS_ARE_FATAL)
extern struct mpi_errhandler MPI_ERRORS_RETURN;
#define MPI_ERRORS_RETURN (&MPI_ERRORS_RETURN)
extern struct mpi_errhandler MPI_ERRORS_ABORT;
#define MPI_ERRORS_ABORT (&MPI_ERRORS_ABORT)
extern struct mpi_message MPI_MESSAGE_NULL;
#define MPI_MESSAGE_NULL (&MPI_MESSAGE_NULL)
extern struct mpi_message MPI_MESSAGE_NO_PROC;
#define MPI_MESSAGE_NO_PROC (&MPI_MESSAGE_NO_PROC)
extern struct mpi_session MPI_SESSION_NULL;
#define MPI_SESSION_NULL (&MPI_SESSION_NULL)
extern struct mpi_op MPI_OP_NULL;
#define MPI_OP_NULL (&MPI_OP_NULL)
extern struct mpi_op MPI_MAX;
#define MPI_MAX (&MPI_MAX)
extern struct mpi_op MPI_MIN;
#define MPI_MIN (&MPI_MIN)
extern struct mpi_op MPI_SUM;
#define MPI_SUM (&MPI_SUM)
extern struct mpi_op MPI_PROD;
#define MPI_PROD (&MPI_PROD)
extern struct mpi_op MPI_LAND;
#define MPI_LAND (&MPI_LAND)
extern struct mpi_op MPI_BAND;
#define MPI_BAND (&MPI_BAND)
extern struct mpi_op MPI_LOR;
#define MPI_LOR (&MPI_LOR)
extern struct mpi_op MPI_BOR;
#define MPI_BOR (&MPI_BOR)
extern struct mpi_op MPI_LXOR;
#define MPI_LXOR (&MPI_LXOR)
extern struct mpi_op MPI_BXOR;
#define MPI_BXOR (&MPI_BXOR)
extern struct mpi_op MPI_MINLOC;
#define MPI_MINLOC (&MPI_MINLOC)
extern struct mpi_op MPI_MAXLOC;
#define MPI_MAXLOC (&MPI_MAXLOC)
extern struct mpi_op MPI_REPLACE;
#define MPI_REPLACE (&MPI_REPLACE)
extern struct mpi_op MPI_NO_OP;
#define MPI_NO_OP (&MPI_NO_OP)
extern struct mpi_datatype MPI_DATATYPE_NULL;
#define MPI_DATATYPE_NULL (&MPI_DATATYPE_NULL)
extern struct mpi_datatype MPI_CHAR;
#define MPI_CHAR (&MPI_CHAR)
extern struct mpi_datatype MPI_SIGNED_CHAR;
#define MPI_SIGNED_CHAR (&MPI_SIGNED_CHAR)
extern struct mpi_datatype MPI_UNSIGNED_CHAR;
#define MPI_UNSIGNED_CHAR (&MPI_UNSIGNED_CHAR)
extern struct mpi_datatype MPI_BYTE;
#define MPI_BYTE (&MPI_BYTE)
extern struct mpi_datatype MPI_WCHAR;
#define MPI_WCHAR (&MPI_WCHAR)
extern struct mpi_datatype MPI_SHORT;
#define MPI_SHORT (&MPI_SHORT)
extern struct mpi_datatype MPI_UNSIGNED_SHORT;
#define MPI_UNSIGNED_SHORT (&MPI_UNSIGNED_SHORT)
extern struct mpi_datatype MPI_INT;
#define MPI_INT (&MPI_INT)
extern struct mpi_datatype MPI_UNSIGNED;
#define MPI_UNSIGNED (&MPI_UNSIGNED)
extern struct mpi_datatype MPI_LONG;
#define MPI_LONG (&MPI_LONG)
extern struct mpi_datatype MPI_UNSIGNED_LONG;
#define MPI_UNSIGNED_LONG (&MPI_UNSIGNED_LONG)
extern struct mpi_datatype MPI_FLOAT;
#define MPI_FLOAT (&MPI_FLOAT)
extern struct mpi_datatype MPI_DOUBLE;
#define MPI_DOUBLE (&MPI_DOUBLE)
extern struct mpi_datatype MPI_LONG_DOUBLE;
#define MPI_LONG_DOUBLE (&MPI_LONG_DOUBLE)
extern struct mpi_datatype MPI_LONG_LONG_INT;
#define MPI_LONG_LONG_INT (&MPI_LONG_LONG_INT)
extern struct mpi_datatype MPI_LONG_LONG;
#define MPI_LONG_LONG (&MPI_LONG_LONG)
extern struct mpi_datatype MPI_UNSIGNED_LONG_LONG;
#define MPI_UNSIGNED_LONG_LONG (&MPI_UNSIGNED_LONG_LONG)
extern struct mpi_datatype MPI_INT8_T;
#define MPI_INT8_T (&MPI_INT8_T)
extern struct mpi_datatype MPI_INT16_T;
#define MPI_INT16_T (&MPI_INT16_T)
extern struct mpi_datatype MPI_INT32_T;
#define MPI_INT32_T (&MPI_INT32_T)
extern struct mpi_datatype MPI_INT64_T;
#define MPI_INT64_T (&MPI_INT64_T)
extern struct mpi_datatype MPI_UINT8_T;
#define MPI_UINT8_T (&MPI_UINT8_T)
extern struct mpi_datatype MPI_UINT16_T;
#define MPI_UINT16_T (&MPI_UINT16_T)
extern struct mpi_datatype MPI_UINT32_T;
#define MPI_UINT32_T (&MPI_UINT32_T)
extern struct mpi_datatype MPI_UINT64_T;
#define MPI_UINT64_T (&MPI_UINT64_T)
extern struct mpi_datatype MPI_C_BOOL;
#define MPI_C_BOOL (&MPI_C_BOOL)
extern struct mpi_datatype MPI_C_COMPLEX;
#define MPI_C_COMPLEX (&MPI_C_COMPLEX)
extern struct mpi_datatype MPI_C_FLOAT_COMPLEX;
#define MPI_C_FLOAT_COMPLEX (&MPI_C_FLOAT_COMPLEX)
extern struct mpi_datatype MPI_C_DOUBLE_COMPLEX;
#define MPI_C_DOUBLE_COMPLEX (&MPI_C_DOUBLE_COMPLEX)
extern struct mpi_datatype MPI_C_LONG_DOUBLE_COMPLEX;
#define MPI_C_LONG_DOUBLE_COMPLEX (&MPI_C_LONG_DOUBLE_COMPLEX)
extern struct mpi_datatype MPI_CXX_BOOL;
#define MPI_CXX_BOOL (&MPI_CXX_BOOL)
extern struct mpi_datatype MPI_CXX_FLOAT_COMPLEX;
#define MPI_CXX_FLOAT_COMPLEX (&MPI_CXX_FLOAT_COMPLEX)
extern struct mpi_datatype MPI_CXX_DOUBLE_COMPLEX;
#define MPI_CXX_DOUBLE_COMPLEX (&MPI_CXX_DOUBLE_COMPLEX)
extern struct mpi_datatype MPI_CXX_LONG_DOUBLE_COMPLEX;
#define MPI_CXX_LONG_DOUBLE_COMPLEX (&MPI_CXX_LONG_DOUBLE_COMPLEX)
extern struct mpi_datatype MPI_AINT;
#define MPI_AINT (&MPI_AINT)
extern struct mpi_datatype MPI_OFFSET;
#define MPI_OFFSET (&MPI_OFFSET)
extern struct mpi_datatype MPI_COUNT;
#define MPI_COUNT (&MPI_COUNT)
extern struct mpi_datatype MPI_PACKED;
#define MPI_PACKED (&MPI_PACKED)
extern struct mpi_datatype MPI_FLOAT_INT;
#define MPI_FLOAT_INT (&MPI_FLOAT_INT)
extern struct mpi_datatype MPI_DOUBLE_INT;
#define MPI_DOUBLE_INT (&MPI_DOUBLE_INT)
extern struct mpi_datatype MPI_LONG_INT;
#define MPI_LONG_INT (&MPI_LONG_INT)
extern struct mpi_datatype MPI_2INT;
#define MPI_2INT (&MPI_2INT)
extern struct mpi_datatype MPI_SHORT_INT;
#define MPI_SHORT_INT (&MPI_SHORT_INT)
extern struct mpi_datatype MPI_LONG_DOUBLE_INT;
#define MPI_LONG_DOUBLE_INT (&MPI_LONG_DOUBLE_INT)
extern struct mpi_datatype MPI_COMPLEX;
#define MPI_COMPLEX (&MPI_COMPLEX)
extern struct mpi_datatype MPI_DOUBLE_COMPLEX;
#define MPI_DOUBLE_COMPLEX (&MPI_DOUBLE_COMPLEX)
extern struct mpi_datatype MPI_LOGICAL;
#define MPI_LOGICAL (&MPI_LOGICAL)
extern struct mpi_datatype MPI_REAL;
#define MPI_REAL (&MPI_REAL)
extern struct mpi_datatype MPI_DOUBLE_PRECISION;
#define MPI_DOUBLE_PRECISION (&MPI_DOUBLE_PRECISION)
extern struct mpi_datatype MPI_INTEGER;
#define MPI_INTEGER (&MPI_INTEGER)
extern struct mpi_datatype MPI_2INTEGER;
#define MPI_2INTEGER (&MPI_2INTEGER)
extern struct mpi_datatype MPI_2REAL;
#define MPI_2REAL (&MPI_2REAL)
extern struct mpi_datatype MPI_2DOUBLE_PRECISION;
#define MPI_2DOUBLE_PRECISION (&MPI_2DOUBLE_PRECISION)
extern struct mpi_datatype MPI_CHARACTER;
#define MPI_CHARACTER (&MPI_CHARACTER)
extern struct mpi_datatype MPI_REAL4;
#define MPI_REAL4 (&MPI_REAL4)
extern struct mpi_datatype MPI_REAL8;
#define MPI_REAL8 (&MPI_REAL8)
extern struct mpi_datatype MPI_INTEGER1;
#define MPI_INTEGER1 (&MPI_INTEGER1)
extern struct mpi_datatype MPI_INTEGER2;
#define MPI_INTEGER2 (&MPI_INTEGER2)
extern struct mpi_datatype MPI_INTEGER4;
#define MPI_INTEGER4 (&MPI_INTEGER4)
extern struct mpi_datatype MPI_INTEGER8;
#define MPI_INTEGER8 (&MPI_INTEGER8)
extern struct mpi_datatype MPI_REAL2;
#define MPI_REAL2 (&MPI_REAL2)
extern struct mpi_datatype MPI_REAL16;
#define MPI_REAL16 (&MPI_REAL16)
extern struct mpi_datatype MPI_INTEGER16;
#define MPI_INTEGER16 (&MPI_INTEGER16)
extern struct mpi_datatype MPI_COMPLEX4;
#define MPI_COMPLEX4 (&MPI_COMPLEX4)
extern struct mpi_datatype MPI_COMPLEX8;
#define MPI_COMPLEX8 (&MPI_COMPLEX8)
extern struct mpi_datatype MPI_COMPLEX16;
#define MPI_COMPLEX16 (&MPI_COMPLEX16)
extern struct mpi_datatype MPI_COMPLEX32;
#define MPI_COMPLEX32 (&MPI_COMPLEX32)
extern struct mpi_datatype MPI_UB;
#define MPI_UB (&MPI_UB)
extern struct mpi_datatype MPI_LB;
#define MPI_LB (&MPI_LB)

#define MPI_BOTTOM ((void *)0)
#define MPI_IN_PLACE ((void *)-1)
#define MPI_STATUS_IGNORE ((MPI_Status *)1)
#define MPI_STATUSES_IGNORE ((MPI_Status *)1)
#define MPI_ERRCODES_IGNORE ((int *)0)
#define MPI_ARGV_NULL ((char **)0)
#define MPI_ARGVS_NULL ((char ***)0)
#define MPI_UNWEIGHTED ((int *)0)
#define MPI_WEIGHTS_EMPTY ((int *)0)

enum {
  // No number that somebody writes by hand: -1 is then a wrong rank, whatever an implementation calls so.
  MPI_ANY_SOURCE = -32001, MPI_PROC_NULL = -32002, MPI_ROOT = -32003, MPI_ANY_TAG = -32004, MPI_UNDEFINED = -32766,
  MPI_SUCCESS = 0, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_TAG, MPI_ERR_COMM, MPI_ERR_RANK, MPI_ERR_ROOT,
  MPI_ERR_GROUP, MPI_ERR_OP, MPI_ERR_TOPOLOGY, MPI_ERR_DIMS, MPI_ERR_ARG, MPI_ERR_UNKNOWN, MPI_ERR_TRUNCATE,
  MPI_ERR_OTHER, MPI_ERR_INTERN, MPI_ERR_PENDING, MPI_ERR_IN_STATUS, MPI_ERR_REQUEST, MPI_ERR_ACCESS, MPI_ERR_AMODE,
  MPI_ERR_FILE, MPI_ERR_INFO, MPI_ERR_IO, MPI_ERR_KEYVAL, MPI_ERR_LOCKTYPE, MPI_ERR_NAME, MPI_ERR_NO_MEM,
  MPI_ERR_NO_SUCH_FILE, MPI_ERR_RMA_CONFLICT, MPI_ERR_RMA_SYNC, MPI_ERR_SIZE, MPI_ERR_SPAWN, MPI_ERR_WIN,
  MPI_ERR_ASSERT, MPI_ERR_BAD_FILE, MPI_ERR_BASE, MPI_ERR_CONVERSION, MPI_ERR_DISP, MPI_ERR_DUP_DATAREP, MPI_ERR_FILE_EXISTS,
  MPI_ERR_FILE_IN_USE, MPI_ERR_INFO_KEY, MPI_ERR_INFO_NOKEY, MPI_ERR_INFO_VALUE, MPI_ERR_NOT_SAME, MPI_ERR_NO_SPACE, MPI_ERR_PORT,
  MPI_ERR_PROC_ABORTED, MPI_ERR_QUOTA, MPI_ERR_READ_ONLY, MPI_ERR_RMA_ATTACH, MPI_ERR_RMA_FLAVOR, MPI_ERR_RMA_RANGE, MPI_ERR_RMA_SHARED,
  MPI_ERR_SERVICE, MPI_ERR_SESSION, MPI_ERR_UNSUPPORTED_DATAREP, MPI_ERR_UNSUPPORTED_OPERATION, MPI_ERR_VALUE_TOO_LARGE,
  MPI_ERR_LASTCODE = 0x3fffffff,
  MPI_IDENT = 0, MPI_CONGRUENT, MPI_SIMILAR, MPI_UNEQUAL,
  MPI_THREAD_SINGLE = 0, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE,
  MPI_COMM_TYPE_SHARED = 1, MPI_COMM_TYPE_HW_GUIDED, MPI_COMM_TYPE_HW_UNGUIDED, MPI_COMM_TYPE_RESOURCE_GUIDED,
  MPI_GRAPH = 1, MPI_CART, MPI_DIST_GRAPH,
  MPI_MAX_PROCESSOR_NAME = 256, MPI_MAX_ERROR_STRING = 512, MPI_MAX_OBJECT_NAME = 128, MPI_MAX_PORT_NAME = 256,
  MPI_MAX_INFO_KEY = 255, MPI_MAX_INFO_VAL = 1024, MPI_MAX_LIBRARY_VERSION_STRING = 8192, MPI_BSEND_OVERHEAD = 96,
  MPI_ORDER_C = 56, MPI_ORDER_FORTRAN, MPI_DISTRIBUTE_BLOCK = 121, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE,
  MPI_DISTRIBUTE_DFLT_DARG = -49767,
  MPI_KEYVAL_INVALID = 0x24000000, MPI_TAG_UB = 0x64400001, MPI_HOST, MPI_IO, MPI_WTIME_IS_GLOBAL, MPI_UNIVERSE_SIZE,
  MPI_APPNUM, MPI_WIN_BASE, MPI_WIN_SIZE, MPI_WIN_DISP_UNIT, MPI_WIN_CREATE_FLAVOR, MPI_WIN_MODEL, MPI_LASTUSEDCODE,
  MPI_LOCK_EXCLUSIVE = 234, MPI_LOCK_SHARED, MPI_MODE_NOCHECK = 1024, MPI_MODE_NOSTORE = 2048, MPI_MODE_NOPUT = 4096,
  MPI_MODE_NOPRECEDE = 8192, MPI_MODE_NOSUCCEED = 16384,
  MPI_MODE_RDONLY = 2, MPI_MODE_RDWR = 8, MPI_MODE_WRONLY = 4, MPI_MODE_CREATE = 1, MPI_MODE_EXCL = 64,
  MPI_MODE_DELETE_ON_CLOSE = 16, MPI_MODE_UNIQUE_OPEN = 32, MPI_MODE_APPEND = 128, MPI_MODE_SEQUENTIAL = 256,
  MPI_SEEK_SET = 600, MPI_SEEK_CUR = 602, MPI_SEEK_END = 604,
  MPI_COMBINER_NAMED = 1, MPI_COMBINER_DUP, MPI_COMBINER_CONTIGUOUS, MPI_COMBINER_VECTOR, MPI_COMBINER_STRUCT, MPI_COMBINER_HVECTOR,
  MPI_COMBINER_INDEXED, MPI_COMBINER_HINDEXED, MPI_COMBINER_INDEXED_BLOCK, MPI_COMBINER_HINDEXED_BLOCK, MPI_COMBINER_SUBARRAY,
  MPI_COMBINER_DARRAY, MPI_COMBINER_RESIZED, MPI_COMBINER_F90_REAL, MPI_COMBINER_F90_COMPLEX, MPI_COMBINER_F90_INTEGER,
  MPI_COMBINER_HVECTOR_INTEGER, MPI_COMBINER_HINDEXED_INTEGER, MPI_COMBINER_STRUCT_INTEGER,
  MPI_WIN_FLAVOR_CREATE = 1, MPI_WIN_FLAVOR_ALLOCATE, MPI_WIN_FLAVOR_DYNAMIC, MPI_WIN_FLAVOR_SHARED, MPI_WIN_SEPARATE = 1, MPI_WIN_UNIFIED,
  MPI_DISPLACEMENT_CURRENT = -54278278,
  MPI_TYPECLASS_REAL = 1, MPI_TYPECLASS_INTEGER, MPI_TYPECLASS_COMPLEX,
};

typedef void MPI_User_function(void *, void *, int *, MPI_Datatype *);
typedef int MPI_Comm_copy_attr_function(MPI_Comm, int, void *, void *, void *, int *);
typedef int MPI_Comm_delete_attr_function(MPI_Comm, int, void *, void *);
typedef int MPI_Type_copy_attr_function(MPI_Datatype, int, void *, void *, void *, int *);
typedef int MPI_Type_delete_attr_function(MPI_Datatype, int, void *, void *);
typedef int MPI_Win_copy_attr_function(MPI_Win, int, void *, void *, void *, int *);
typedef int MPI_Win_delete_attr_function(MPI_Win, int, void *, void *);
typedef int MPI_Copy_function(MPI_Comm, int, void *, void *, void *, int *);
typedef int MPI_Delete_function(MPI_Comm, int, void *, void *);
typedef void MPI_Comm_errhandler_function(MPI_Comm *, int *, ...);
typedef void MPI_Win_errhandler_function(MPI_Win *, int *, ...);
typedef void MPI_File_errhandler_function(MPI_File *, int *, ...);
typedef void MPI_Session_errhandler_function(MPI_Session *, int *, ...);
typedef void MPI_Handler_function(MPI_Comm *, int *, ...);
typedef int MPI_Grequest_query_function(void *, MPI_Status *);
typedef int MPI_Grequest_free_function(void *);
typedef int MPI_Grequest_cancel_function(void *, int);
typedef int MPI_Datarep_conversion_function(void *, MPI_Datatype, int, void *, MPI_Offset, void *);
typedef int MPI_Datarep_extent_function(MPI_Datatype, MPI_Aint *, void *);
#define MPI_NULL_COPY_FN ((MPI_Copy_function *)0)
#define MPI_NULL_DELETE_FN ((MPI_Delete_function *)0)
#define MPI_COMM_NULL_COPY_FN ((MPI_Comm_copy_attr_function *)0)
#define MPI_COMM_NULL_DELETE_FN ((MPI_Comm_delete_attr_function *)0)
#define MPI_TYPE_NULL_COPY_FN ((MPI_Type_copy_attr_function *)0)
#define MPI_TYPE_NULL_DELETE_FN ((MPI_Type_delete_attr_function *)0)
#define MPI_WIN_NULL_COPY_FN ((MPI_Win_copy_attr_function *)0)
#define MPI_WIN_NULL_DELETE_FN ((MPI_Win_delete_attr_function *)0)
#define MPI_CONVERSION_FN_NULL ((MPI_Datarep_conversion_function *)0)
typedef MPI_Comm_errhandler_function MPI_Comm_errhandler_fn;
typedef MPI_Win_errhandler_function MPI_Win_errhandler_fn;
typedef MPI_File_errhandler_function MPI_File_errhandler_fn;

// Each function, and the same under the name that profilers leave it: `PMPI_Barrier`.
#define RANKLINT_FUNCTION(result, name, parameters) \
  result MPI_##name parameters;                     \
  result PMPI_##name parameters;
RANKLINT_FUNCTION(__attribute__((noreturn)) int, Abort, (MPI_Comm, int))
RANKLINT_FUNCTION(int, Accumulate, (const void*, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Op, MPI_Win))
RANKLINT_FUNCTION(int, Add_error_class, (int*))
RANKLINT_FUNCTION(int, Add_error_code, (int, int*))
RANKLINT_FUNCTION(int, Add_error_string, (int, const char*))
RANKLINT_FUNCTION(MPI_Aint, Aint_add, (MPI_Aint, MPI_Aint))
RANKLINT_FUNCTION(MPI_Aint, Aint_diff, (MPI_Aint, MPI_Aint))
RANKLINT_FUNCTION(int, Allgather, (const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm))
RANKLINT_FUNCTION(int, Allgather_init, (const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Allgatherv, (const void*, int, MPI_Datatype, void*, const int*, const int*, MPI_Datatype, MPI_Comm))
RANKLINT_FUNCTION(int, Allgatherv_init, (const void*, int, MPI_Datatype, void*, const int*, const int*, MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Alloc_mem, (MPI_Aint, MPI_Info, void*))
RANKLINT_FUNCTION(int, Allreduce, (const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm))
RANKLINT_FUNCTION(int, Allreduce_init, (const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Alltoall, (const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm))
RANKLINT_FUNCTION(int, Alltoall_init, (const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Alltoallv, (const void*, const int*, const int*, MPI_Datatype, void*, const int*, const int*, MPI_Datatype, MPI_Comm))
RANKLINT_FUNCTION(int, Alltoallv_init, (const void*, const int*, const int*, MPI_Datatype, void*, const int*, const int*, MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Alltoallw, (const void*, const int*, const int*, const MPI_Datatype*, void*, const int*, const int*, const MPI_Datatype*, MPI_Comm))
RANKLINT_FUNCTION(int, Alltoallw_init, (const void*, const int*, const int*, const MPI_Datatype*, void*, const int*, const int*, const MPI_Datatype*, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Attr_delete, (MPI_Comm, int))
RANKLINT_FUNCTION(int, Attr_get, (MPI_Comm, int, void*, int*))
RANKLINT_FUNCTION(int, Attr_put, (MPI_Comm, int, void*))
RANKLINT_FUNCTION(int, Barrier, (MPI_Comm))
RANKLINT_FUNCTION(int, Barrier_init, (MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Bcast, (void*, int, MPI_Datatype, int, MPI_Comm))
RANKLINT_FUNCTION(int, Bcast_init, (void*, int, MPI_Datatype, int, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Bsend, (const void*, int, MPI_Datatype, int, int, MPI_Comm))
RANKLINT_FUNCTION(int, Bsend_init, (const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Buffer_attach, (void*, int))
RANKLINT_FUNCTION(int, Buffer_detach, (void*, int*))
RANKLINT_FUNCTION(int, Cancel, (MPI_Request*))
RANKLINT_FUNCTION(int, Cart_coords, (MPI_Comm, int, int, int*))
RANKLINT_FUNCTION(int, Cart_create, (MPI_Comm, int, const int*, const int*, int, MPI_Comm*))
RANKLINT_FUNCTION(int, Cart_get, (MPI_Comm, int, int*, int*, int*))
RANKLINT_FUNCTION(int, Cart_map, (MPI_Comm, int, const int*, const int*, int*))
RANKLINT_FUNCTION(int, Cart_rank, (MPI_Comm, const int*, int*))
RANKLINT_FUNCTION(int, Cart_shift, (MPI_Comm, int, int, int*, int*))
RANKLINT_FUNCTION(int, Cart_sub, (MPI_Comm, const int*, MPI_Comm*))
RANKLINT_FUNCTION(int, Cartdim_get, (MPI_Comm, int*))
RANKLINT_FUNCTION(int, Close_port, (const char*))
RANKLINT_FUNCTION(int, Comm_accept, (const char*, MPI_Info, int, MPI_Comm, MPI_Comm*))
RANKLINT_FUNCTION(int, Comm_call_errhandler, (MPI_Comm, int))
RANKLINT_FUNCTION(int, Comm_compare, (MPI_Comm, MPI_Comm, int*))
RANKLINT_FUNCTION(int, Comm_connect, (const char*, MPI_Info, int, MPI_Comm, MPI_Comm*))
RANKLINT_FUNCTION(int, Comm_create, (MPI_Comm, MPI_Group, MPI_Comm*))
RANKLINT_FUNCTION(int, Comm_create_errhandler, (MPI_Comm_errhandler_function*, MPI_Errhandler*))
RANKLINT_FUNCTION(int, Comm_create_from_group, (MPI_Group, const char*, MPI_Info, MPI_Errhandler, MPI_Comm*))
RANKLINT_FUNCTION(int, Comm_create_group, (MPI_Comm, MPI_Group, int, MPI_Comm*))
RANKLINT_FUNCTION(int, Comm_create_keyval, (MPI_Comm_copy_attr_function*, MPI_Comm_delete_attr_function*, int*, void*))
RANKLINT_FUNCTION(int, Comm_delete_attr, (MPI_Comm, int))
RANKLINT_FUNCTION(int, Comm_disconnect, (MPI_Comm*))
RANKLINT_FUNCTION(int, Comm_dup, (MPI_Comm, MPI_Comm*))
RANKLINT_FUNCTION(int, Comm_dup_with_info, (MPI_Comm, MPI_Info, MPI_Comm*))
RANKLINT_FUNCTION(int, Comm_free, (MPI_Comm*))
RANKLINT_FUNCTION(int, Comm_free_keyval, (int*))
RANKLINT_FUNCTION(int, Comm_get_attr, (MPI_Comm, int, void*, int*))
RANKLINT_FUNCTION(int, Comm_get_errhandler, (MPI_Comm, MPI_Errhandler*))
RANKLINT_FUNCTION(int, Comm_get_info, (MPI_Comm, MPI_Info*))
RANKLINT_FUNCTION(int, Comm_get_name, (MPI_Comm, char*, int*))
RANKLINT_FUNCTION(int, Comm_get_parent, (MPI_Comm*))
RANKLINT_FUNCTION(int, Comm_group, (MPI_Comm, MPI_Group*))
RANKLINT_FUNCTION(int, Comm_idup, (MPI_Comm, MPI_Comm*, MPI_Request*))
RANKLINT_FUNCTION(int, Comm_idup_with_info, (MPI_Comm, MPI_Info, MPI_Comm*, MPI_Request*))
RANKLINT_FUNCTION(int, Comm_join, (int, MPI_Comm*))
RANKLINT_FUNCTION(int, Comm_rank, (MPI_Comm, int*))
RANKLINT_FUNCTION(int, Comm_remote_group, (MPI_Comm, MPI_Group*))
RANKLINT_FUNCTION(int, Comm_remote_size, (MPI_Comm, int*))
RANKLINT_FUNCTION(int, Comm_set_attr, (MPI_Comm, int, void*))
RANKLINT_FUNCTION(int, Comm_set_errhandler, (MPI_Comm, MPI_Errhandler))
RANKLINT_FUNCTION(int, Comm_set_info, (MPI_Comm, MPI_Info))
RANKLINT_FUNCTION(int, Comm_set_name, (MPI_Comm, const char*))
RANKLINT_FUNCTION(int, Comm_size, (MPI_Comm, int*))
RANKLINT_FUNCTION(int, Comm_spawn, (const char*, char**, int, MPI_Info, int, MPI_Comm, MPI_Comm*, int*))
RANKLINT_FUNCTION(int, Comm_spawn_multiple, (int, char**, char***, const int*, const MPI_Info*, int, MPI_Comm, MPI_Comm*, int*))
RANKLINT_FUNCTION(int, Comm_split, (MPI_Comm, int, int, MPI_Comm*))
RANKLINT_FUNCTION(int, Comm_split_type, (MPI_Comm, int, int, MPI_Info, MPI_Comm*))
RANKLINT_FUNCTION(int, Comm_test_inter, (MPI_Comm, int*))
RANKLINT_FUNCTION(int, Compare_and_swap, (const void*, const void*, void*, MPI_Datatype, int, MPI_Aint, MPI_Win))
RANKLINT_FUNCTION(int, DUP_FN, (MPI_Comm, int, void*, void*, void*, int*))
RANKLINT_FUNCTION(int, COMM_DUP_FN, (MPI_Comm, int, void*, void*, void*, int*))
RANKLINT_FUNCTION(int, TYPE_DUP_FN, (MPI_Datatype, int, void*, void*, void*, int*))
RANKLINT_FUNCTION(int, WIN_DUP_FN, (MPI_Win, int, void*, void*, void*, int*))
RANKLINT_FUNCTION(int, Dims_create, (int, int, int*))
RANKLINT_FUNCTION(int, Dist_graph_create, (MPI_Comm, int, const int*, const int*, const int*, const int*, MPI_Info, int, MPI_Comm*))
RANKLINT_FUNCTION(int, Dist_graph_create_adjacent, (MPI_Comm, int, const int*, const int*, int, const int*, const int*, MPI_Info, int, MPI_Comm*))
RANKLINT_FUNCTION(int, Dist_graph_neighbors, (MPI_Comm, int, int*, int*, int, int*, int*))
RANKLINT_FUNCTION(int, Dist_graph_neighbors_count, (MPI_Comm, int*, int*, int*))
RANKLINT_FUNCTION(int, Errhandler_free, (MPI_Errhandler*))
RANKLINT_FUNCTION(int, Error_class, (int, int*))
RANKLINT_FUNCTION(int, Error_string, (int, char*, int*))
RANKLINT_FUNCTION(int, Exscan, (const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm))
RANKLINT_FUNCTION(int, Exscan_init, (const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Fetch_and_op, (const void*, void*, MPI_Datatype, int, MPI_Aint, MPI_Op, MPI_Win))
RANKLINT_FUNCTION(int, File_call_errhandler, (MPI_File, int))
RANKLINT_FUNCTION(int, File_close, (MPI_File*))
RANKLINT_FUNCTION(int, File_create_errhandler, (MPI_File_errhandler_function*, MPI_Errhandler*))
RANKLINT_FUNCTION(int, File_delete, (const char*, MPI_Info))
RANKLINT_FUNCTION(int, File_get_amode, (MPI_File, int*))
RANKLINT_FUNCTION(int, File_get_atomicity, (MPI_File, int*))
RANKLINT_FUNCTION(int, File_get_byte_offset, (MPI_File, MPI_Offset, MPI_Offset*))
RANKLINT_FUNCTION(int, File_get_errhandler, (MPI_File, MPI_Errhandler*))
RANKLINT_FUNCTION(int, File_get_group, (MPI_File, MPI_Group*))
RANKLINT_FUNCTION(int, File_get_info, (MPI_File, MPI_Info*))
RANKLINT_FUNCTION(int, File_get_position, (MPI_File, MPI_Offset*))
RANKLINT_FUNCTION(int, File_get_position_shared, (MPI_File, MPI_Offset*))
RANKLINT_FUNCTION(int, File_get_size, (MPI_File, MPI_Offset*))
RANKLINT_FUNCTION(int, File_get_type_extent, (MPI_File, MPI_Datatype, MPI_Aint*))
RANKLINT_FUNCTION(int, File_get_view, (MPI_File, MPI_Offset*, MPI_Datatype*, MPI_Datatype*, char*))
RANKLINT_FUNCTION(int, File_iread, (MPI_File, void*, int, MPI_Datatype, MPI_Request*))
RANKLINT_FUNCTION(int, File_iread_all, (MPI_File, void*, int, MPI_Datatype, MPI_Request*))
RANKLINT_FUNCTION(int, File_iread_at, (MPI_File, MPI_Offset, void*, int, MPI_Datatype, MPI_Request*))
RANKLINT_FUNCTION(int, File_iread_at_all, (MPI_File, MPI_Offset, void*, int, MPI_Datatype, MPI_Request*))
RANKLINT_FUNCTION(int, File_iread_shared, (MPI_File, void*, int, MPI_Datatype, MPI_Request*))
RANKLINT_FUNCTION(int, File_iwrite, (MPI_File, const void*, int, MPI_Datatype, MPI_Request*))
RANKLINT_FUNCTION(int, File_iwrite_all, (MPI_File, const void*, int, MPI_Datatype, MPI_Request*))
RANKLINT_FUNCTION(int, File_iwrite_at, (MPI_File, MPI_Offset, const void*, int, MPI_Datatype, MPI_Request*))
RANKLINT_FUNCTION(int, File_iwrite_at_all, (MPI_File, MPI_Offset, const void*, int, MPI_Datatype, MPI_Request*))
RANKLINT_FUNCTION(int, File_iwrite_shared, (MPI_File, const void*, int, MPI_Datatype, MPI_Request*))
RANKLINT_FUNCTION(int, File_open, (MPI_Comm, const char*, int, MPI_Info, MPI_File*))
RANKLINT_FUNCTION(int, File_preallocate, (MPI_File, MPI_Offset))
RANKLINT_FUNCTION(int, File_read, (MPI_File, void*, int, MPI_Datatype, MPI_Status*))
RANKLINT_FUNCTION(int, File_read_all, (MPI_File, void*, int, MPI_Datatype, MPI_Status*))
RANKLINT_FUNCTION(int, File_read_all_begin, (MPI_File, void*, int, MPI_Datatype))
RANKLINT_FUNCTION(int, File_read_all_end, (MPI_File, void*, MPI_Status*))
RANKLINT_FUNCTION(int, File_read_at, (MPI_File, MPI_Offset, void*, int, MPI_Datatype, MPI_Status*))
RANKLINT_FUNCTION(int, File_read_at_all, (MPI_File, MPI_Offset, void*, int, MPI_Datatype, MPI_Status*))
RANKLINT_FUNCTION(int, File_read_at_all_begin, (MPI_File, MPI_Offset, void*, int, MPI_Datatype))
RANKLINT_FUNCTION(int, File_read_at_all_end, (MPI_File, void*, MPI_Status*))
RANKLINT_FUNCTION(int, File_read_ordered, (MPI_File, void*, int, MPI_Datatype, MPI_Status*))
RANKLINT_FUNCTION(int, File_read_ordered_begin, (MPI_File, void*, int, MPI_Datatype))
RANKLINT_FUNCTION(int, File_read_ordered_end, (MPI_File, void*, MPI_Status*))
RANKLINT_FUNCTION(int, File_read_shared, (MPI_File, void*, int, MPI_Datatype, MPI_Status*))
RANKLINT_FUNCTION(int, File_seek, (MPI_File, MPI_Offset, int))
RANKLINT_FUNCTION(int, File_seek_shared, (MPI_File, MPI_Offset, int))
RANKLINT_FUNCTION(int, File_set_atomicity, (MPI_File, int))
RANKLINT_FUNCTION(int, File_set_errhandler, (MPI_File, MPI_Errhandler))
RANKLINT_FUNCTION(int, File_set_info, (MPI_File, MPI_Info))
RANKLINT_FUNCTION(int, File_set_size, (MPI_File, MPI_Offset))
RANKLINT_FUNCTION(int, File_set_view, (MPI_File, MPI_Offset, MPI_Datatype, MPI_Datatype, const char*, MPI_Info))
RANKLINT_FUNCTION(int, File_sync, (MPI_File))
RANKLINT_FUNCTION(int, File_write, (MPI_File, const void*, int, MPI_Datatype, MPI_Status*))
RANKLINT_FUNCTION(int, File_write_all, (MPI_File, const void*, int, MPI_Datatype, MPI_Status*))
RANKLINT_FUNCTION(int, File_write_all_begin, (MPI_File, const void*, int, MPI_Datatype))
RANKLINT_FUNCTION(int, File_write_all_end, (MPI_File, const void*, MPI_Status*))
RANKLINT_FUNCTION(int, File_write_at, (MPI_File, MPI_Offset, const void*, int, MPI_Datatype, MPI_Status*))
RANKLINT_FUNCTION(int, File_write_at_all, (MPI_File, MPI_Offset, const void*, int, MPI_Datatype, MPI_Status*))
RANKLINT_FUNCTION(int, File_write_at_all_begin, (MPI_File, MPI_Offset, const void*, int, MPI_Datatype))
RANKLINT_FUNCTION(int, File_write_at_all_end, (MPI_File, const void*, MPI_Status*))
RANKLINT_FUNCTION(int, File_write_ordered, (MPI_File, const void*, int, MPI_Datatype, MPI_Status*))
RANKLINT_FUNCTION(int, File_write_ordered_begin, (MPI_File, const void*, int, MPI_Datatype))
RANKLINT_FUNCTION(int, File_write_ordered_end, (MPI_File, const void*, MPI_Status*))
RANKLINT_FUNCTION(int, File_write_shared, (MPI_File, const void*, int, MPI_Datatype, MPI_Status*))
RANKLINT_FUNCTION(int, Finalize, (void))
RANKLINT_FUNCTION(int, Finalized, (int*))
RANKLINT_FUNCTION(int, Free_mem, (void*))
RANKLINT_FUNCTION(int, Gather, (const void*, int, MPI_Datatype, void*, int, MPI_Datatype, int, MPI_Comm))
RANKLINT_FUNCTION(int, Gather_init, (const void*, int, MPI_Datatype, void*, int, MPI_Datatype, int, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Gatherv, (const void*, int, MPI_Datatype, void*, const int*, const int*, MPI_Datatype, int, MPI_Comm))
RANKLINT_FUNCTION(int, Gatherv_init, (const void*, int, MPI_Datatype, void*, const int*, const int*, MPI_Datatype, int, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Get, (void*, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Win))
RANKLINT_FUNCTION(int, Get_accumulate, (const void*, int, MPI_Datatype, void*, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Op, MPI_Win))
RANKLINT_FUNCTION(int, Get_address, (const void*, MPI_Aint*))
RANKLINT_FUNCTION(int, Get_count, (const MPI_Status*, MPI_Datatype, int*))
RANKLINT_FUNCTION(int, Get_elements, (const MPI_Status*, MPI_Datatype, int*))
RANKLINT_FUNCTION(int, Get_elements_x, (const MPI_Status*, MPI_Datatype, MPI_Count*))
RANKLINT_FUNCTION(int, Get_library_version, (char*, int*))
RANKLINT_FUNCTION(int, Get_processor_name, (char*, int*))
RANKLINT_FUNCTION(int, Get_version, (int*, int*))
RANKLINT_FUNCTION(int, Graph_create, (MPI_Comm, int, const int*, const int*, int, MPI_Comm*))
RANKLINT_FUNCTION(int, Graph_get, (MPI_Comm, int, int, int*, int*))
RANKLINT_FUNCTION(int, Graph_map, (MPI_Comm, int, const int*, const int*, int*))
RANKLINT_FUNCTION(int, Graph_neighbors, (MPI_Comm, int, int, int*))
RANKLINT_FUNCTION(int, Graph_neighbors_count, (MPI_Comm, int, int*))
RANKLINT_FUNCTION(int, Graphdims_get, (MPI_Comm, int*, int*))
RANKLINT_FUNCTION(int, Grequest_complete, (MPI_Request))
RANKLINT_FUNCTION(int, Grequest_start, (MPI_Grequest_query_function*, MPI_Grequest_free_function*, MPI_Grequest_cancel_function*, void*, MPI_Request*))
RANKLINT_FUNCTION(int, Group_compare, (MPI_Group, MPI_Group, int*))
RANKLINT_FUNCTION(int, Group_difference, (MPI_Group, MPI_Group, MPI_Group*))
RANKLINT_FUNCTION(int, Group_excl, (MPI_Group, int, const int*, MPI_Group*))
RANKLINT_FUNCTION(int, Group_free, (MPI_Group*))
RANKLINT_FUNCTION(int, Group_from_session_pset, (MPI_Session, const char*, MPI_Group*))
RANKLINT_FUNCTION(int, Group_incl, (MPI_Group, int, const int*, MPI_Group*))
RANKLINT_FUNCTION(int, Group_intersection, (MPI_Group, MPI_Group, MPI_Group*))
RANKLINT_FUNCTION(int, Group_range_excl, (MPI_Group, int, int (*)[3], MPI_Group*))
RANKLINT_FUNCTION(int, Group_range_incl, (MPI_Group, int, int (*)[3], MPI_Group*))
RANKLINT_FUNCTION(int, Group_rank, (MPI_Group, int*))
RANKLINT_FUNCTION(int, Group_size, (MPI_Group, int*))
RANKLINT_FUNCTION(int, Group_translate_ranks, (MPI_Group, int, const int*, MPI_Group, int*))
RANKLINT_FUNCTION(int, Group_union, (MPI_Group, MPI_Group, MPI_Group*))
RANKLINT_FUNCTION(int, Iallgather, (const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Iallgatherv, (const void*, int, MPI_Datatype, void*, const int*, const int*, MPI_Datatype, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Iallreduce, (const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Ialltoall, (const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Ialltoallv, (const void*, const int*, const int*, MPI_Datatype, void*, const int*, const int*, MPI_Datatype, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Ialltoallw, (const void*, const int*, const int*, const MPI_Datatype*, void*, const int*, const int*, const MPI_Datatype*, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Ibarrier, (MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Ibcast, (void*, int, MPI_Datatype, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Ibsend, (const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Iexscan, (const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Igather, (const void*, int, MPI_Datatype, void*, int, MPI_Datatype, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Igatherv, (const void*, int, MPI_Datatype, void*, const int*, const int*, MPI_Datatype, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Improbe, (int, int, MPI_Comm, int*, MPI_Message*, MPI_Status*))
RANKLINT_FUNCTION(int, Imrecv, (void*, int, MPI_Datatype, MPI_Message*, MPI_Request*))
RANKLINT_FUNCTION(int, Ineighbor_allgather, (const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Ineighbor_allgatherv, (const void*, int, MPI_Datatype, void*, const int*, const int*, MPI_Datatype, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Ineighbor_alltoall, (const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Ineighbor_alltoallv, (const void*, const int*, const int*, MPI_Datatype, void*, const int*, const int*, MPI_Datatype, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Ineighbor_alltoallw, (const void*, const int*, const MPI_Aint*, const MPI_Datatype*, void*, const int*, const MPI_Aint*, const MPI_Datatype*, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Info_create, (MPI_Info*))
RANKLINT_FUNCTION(int, Info_create_env, (int, char**, MPI_Info*))
RANKLINT_FUNCTION(int, Info_delete, (MPI_Info, const char*))
RANKLINT_FUNCTION(int, Info_dup, (MPI_Info, MPI_Info*))
RANKLINT_FUNCTION(int, Info_free, (MPI_Info*))
RANKLINT_FUNCTION(int, Info_get, (MPI_Info, const char*, int, char*, int*))
RANKLINT_FUNCTION(int, Info_get_nkeys, (MPI_Info, int*))
RANKLINT_FUNCTION(int, Info_get_nthkey, (MPI_Info, int, char*))
RANKLINT_FUNCTION(int, Info_get_string, (MPI_Info, const char*, int*, char*, int*))
RANKLINT_FUNCTION(int, Info_get_valuelen, (MPI_Info, const char*, int*, int*))
RANKLINT_FUNCTION(int, Info_set, (MPI_Info, const char*, const char*))
RANKLINT_FUNCTION(int, Init, (int*, char***))
RANKLINT_FUNCTION(int, Init_thread, (int*, char***, int, int*))
RANKLINT_FUNCTION(int, Initialized, (int*))
RANKLINT_FUNCTION(int, Intercomm_create, (MPI_Comm, int, MPI_Comm, int, int, MPI_Comm*))
RANKLINT_FUNCTION(int, Intercomm_create_from_groups, (MPI_Group, int, MPI_Group, int, const char*, MPI_Info, MPI_Errhandler, MPI_Comm*))
RANKLINT_FUNCTION(int, Intercomm_merge, (MPI_Comm, int, MPI_Comm*))
RANKLINT_FUNCTION(int, Iprobe, (int, int, MPI_Comm, int*, MPI_Status*))
RANKLINT_FUNCTION(int, Irecv, (void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Ireduce, (const void*, void*, int, MPI_Datatype, MPI_Op, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Ireduce_scatter, (const void*, void*, const int*, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Ireduce_scatter_block, (const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Irsend, (const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Is_thread_main, (int*))
RANKLINT_FUNCTION(int, Iscan, (const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Iscatter, (const void*, int, MPI_Datatype, void*, int, MPI_Datatype, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Iscatterv, (const void*, const int*, const int*, MPI_Datatype, void*, int, MPI_Datatype, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Isend, (const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Isendrecv, (const void*, int, MPI_Datatype, int, int, void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Isendrecv_replace, (void*, int, MPI_Datatype, int, int, int, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Issend, (const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Keyval_create, (MPI_Copy_function*, MPI_Delete_function*, int*, void*))
RANKLINT_FUNCTION(int, Keyval_free, (int*))
RANKLINT_FUNCTION(int, Lookup_name, (const char*, MPI_Info, char*))
RANKLINT_FUNCTION(int, Mprobe, (int, int, MPI_Comm, MPI_Message*, MPI_Status*))
RANKLINT_FUNCTION(int, Mrecv, (void*, int, MPI_Datatype, MPI_Message*, MPI_Status*))
RANKLINT_FUNCTION(int, Neighbor_allgather, (const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm))
RANKLINT_FUNCTION(int, Neighbor_allgather_init, (const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Neighbor_allgatherv, (const void*, int, MPI_Datatype, void*, const int*, const int*, MPI_Datatype, MPI_Comm))
RANKLINT_FUNCTION(int, Neighbor_allgatherv_init, (const void*, int, MPI_Datatype, void*, const int*, const int*, MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Neighbor_alltoall, (const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm))
RANKLINT_FUNCTION(int, Neighbor_alltoall_init, (const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Neighbor_alltoallv, (const void*, const int*, const int*, MPI_Datatype, void*, const int*, const int*, MPI_Datatype, MPI_Comm))
RANKLINT_FUNCTION(int, Neighbor_alltoallv_init, (const void*, const int*, const int*, MPI_Datatype, void*, const int*, const int*, MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Neighbor_alltoallw, (const void*, const int*, const MPI_Aint*, const MPI_Datatype*, void*, const int*, const MPI_Aint*, const MPI_Datatype*, MPI_Comm))
RANKLINT_FUNCTION(int, Neighbor_alltoallw_init, (const void*, const int*, const MPI_Aint*, const MPI_Datatype*, void*, const int*, const MPI_Aint*, const MPI_Datatype*, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Op_commutative, (MPI_Op, int*))
RANKLINT_FUNCTION(int, Op_create, (MPI_User_function*, int, MPI_Op*))
RANKLINT_FUNCTION(int, Op_free, (MPI_Op*))
RANKLINT_FUNCTION(int, Open_port, (MPI_Info, char*))
RANKLINT_FUNCTION(int, Pack, (const void*, int, MPI_Datatype, void*, int, int*, MPI_Comm))
RANKLINT_FUNCTION(int, Pack_external, (const char*, const void*, int, MPI_Datatype, void*, MPI_Aint, MPI_Aint*))
RANKLINT_FUNCTION(int, Pack_external_size, (const char*, int, MPI_Datatype, MPI_Aint*))
RANKLINT_FUNCTION(int, Pack_size, (int, MPI_Datatype, MPI_Comm, int*))
RANKLINT_FUNCTION(int, Parrived, (MPI_Request, int, int*))
RANKLINT_FUNCTION(int, Pcontrol, (const int, ...))
RANKLINT_FUNCTION(int, Pready, (int, MPI_Request))
RANKLINT_FUNCTION(int, Pready_list, (int, int*, MPI_Request))
RANKLINT_FUNCTION(int, Pready_range, (int, int, MPI_Request))
RANKLINT_FUNCTION(int, Precv_init, (void*, int, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Probe, (int, int, MPI_Comm, MPI_Status*))
RANKLINT_FUNCTION(int, Psend_init, (const void*, int, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Publish_name, (const char*, MPI_Info, const char*))
RANKLINT_FUNCTION(int, Put, (const void*, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Win))
RANKLINT_FUNCTION(int, Query_thread, (int*))
RANKLINT_FUNCTION(int, Raccumulate, (const void*, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Op, MPI_Win, MPI_Request*))
RANKLINT_FUNCTION(int, Recv, (void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status*))
RANKLINT_FUNCTION(int, Recv_init, (void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Reduce, (const void*, void*, int, MPI_Datatype, MPI_Op, int, MPI_Comm))
RANKLINT_FUNCTION(int, Reduce_init, (const void*, void*, int, MPI_Datatype, MPI_Op, int, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Reduce_local, (const void*, void*, int, MPI_Datatype, MPI_Op))
RANKLINT_FUNCTION(int, Reduce_scatter, (const void*, void*, const int*, MPI_Datatype, MPI_Op, MPI_Comm))
RANKLINT_FUNCTION(int, Reduce_scatter_block, (const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm))
RANKLINT_FUNCTION(int, Reduce_scatter_block_init, (const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Reduce_scatter_init, (const void*, void*, const int*, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Request_free, (MPI_Request*))
RANKLINT_FUNCTION(int, Request_get_status, (MPI_Request, int*, MPI_Status*))
RANKLINT_FUNCTION(int, Rget, (void*, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Win, MPI_Request*))
RANKLINT_FUNCTION(int, Rget_accumulate, (const void*, int, MPI_Datatype, void*, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Op, MPI_Win, MPI_Request*))
RANKLINT_FUNCTION(int, Rput, (const void*, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Win, MPI_Request*))
RANKLINT_FUNCTION(int, Rsend, (const void*, int, MPI_Datatype, int, int, MPI_Comm))
RANKLINT_FUNCTION(int, Rsend_init, (const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Scan, (const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm))
RANKLINT_FUNCTION(int, Scan_init, (const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Scatter, (const void*, int, MPI_Datatype, void*, int, MPI_Datatype, int, MPI_Comm))
RANKLINT_FUNCTION(int, Scatter_init, (const void*, int, MPI_Datatype, void*, int, MPI_Datatype, int, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Scatterv, (const void*, const int*, const int*, MPI_Datatype, void*, int, MPI_Datatype, int, MPI_Comm))
RANKLINT_FUNCTION(int, Scatterv_init, (const void*, const int*, const int*, MPI_Datatype, void*, int, MPI_Datatype, int, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Send, (const void*, int, MPI_Datatype, int, int, MPI_Comm))
RANKLINT_FUNCTION(int, Send_init, (const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Sendrecv, (const void*, int, MPI_Datatype, int, int, void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status*))
RANKLINT_FUNCTION(int, Sendrecv_replace, (void*, int, MPI_Datatype, int, int, int, int, MPI_Comm, MPI_Status*))
RANKLINT_FUNCTION(int, Session_call_errhandler, (MPI_Session, int))
RANKLINT_FUNCTION(int, Session_create_errhandler, (MPI_Session_errhandler_function*, MPI_Errhandler*))
RANKLINT_FUNCTION(int, Session_finalize, (MPI_Session*))
RANKLINT_FUNCTION(int, Session_get_errhandler, (MPI_Session, MPI_Errhandler*))
RANKLINT_FUNCTION(int, Session_get_info, (MPI_Session, MPI_Info*))
RANKLINT_FUNCTION(int, Session_get_nth_pset, (MPI_Session, MPI_Info, int, int*, char*))
RANKLINT_FUNCTION(int, Session_get_num_psets, (MPI_Session, MPI_Info, int*))
RANKLINT_FUNCTION(int, Session_get_pset_info, (MPI_Session, const char*, MPI_Info*))
RANKLINT_FUNCTION(int, Session_init, (MPI_Info, MPI_Errhandler, MPI_Session*))
RANKLINT_FUNCTION(int, Session_set_errhandler, (MPI_Session, MPI_Errhandler))
RANKLINT_FUNCTION(int, Ssend, (const void*, int, MPI_Datatype, int, int, MPI_Comm))
RANKLINT_FUNCTION(int, Ssend_init, (const void*, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Start, (MPI_Request*))
RANKLINT_FUNCTION(int, Startall, (int, MPI_Request*))
RANKLINT_FUNCTION(int, Status_c2f, (const MPI_Status*, MPI_Fint*))
RANKLINT_FUNCTION(int, Status_f2c, (const MPI_Fint*, MPI_Status*))
RANKLINT_FUNCTION(int, Status_set_cancelled, (MPI_Status*, int))
RANKLINT_FUNCTION(int, Status_set_elements, (MPI_Status*, MPI_Datatype, int))
RANKLINT_FUNCTION(int, Status_set_elements_x, (MPI_Status*, MPI_Datatype, MPI_Count))
RANKLINT_FUNCTION(int, Test, (MPI_Request*, int*, MPI_Status*))
RANKLINT_FUNCTION(int, Test_cancelled, (const MPI_Status*, int*))
RANKLINT_FUNCTION(int, Testall, (int, MPI_Request*, int*, MPI_Status*))
RANKLINT_FUNCTION(int, Testany, (int, MPI_Request*, int*, int*, MPI_Status*))
RANKLINT_FUNCTION(int, Testsome, (int, MPI_Request*, int*, int*, MPI_Status*))
RANKLINT_FUNCTION(int, Topo_test, (MPI_Comm, int*))
RANKLINT_FUNCTION(int, Type_commit, (MPI_Datatype*))
RANKLINT_FUNCTION(int, Type_contiguous, (int, MPI_Datatype, MPI_Datatype*))
RANKLINT_FUNCTION(int, Type_create_darray, (int, int, int, const int*, const int*, const int*, const int*, int, MPI_Datatype, MPI_Datatype*))
RANKLINT_FUNCTION(int, Type_create_f90_complex, (int, int, MPI_Datatype*))
RANKLINT_FUNCTION(int, Type_create_f90_integer, (int, MPI_Datatype*))
RANKLINT_FUNCTION(int, Type_create_f90_real, (int, int, MPI_Datatype*))
RANKLINT_FUNCTION(int, Type_create_hindexed, (int, const int*, const MPI_Aint*, MPI_Datatype, MPI_Datatype*))
RANKLINT_FUNCTION(int, Type_create_hindexed_block, (int, int, const MPI_Aint*, MPI_Datatype, MPI_Datatype*))
RANKLINT_FUNCTION(int, Type_create_hvector, (int, int, MPI_Aint, MPI_Datatype, MPI_Datatype*))
RANKLINT_FUNCTION(int, Type_create_indexed_block, (int, int, const int*, MPI_Datatype, MPI_Datatype*))
RANKLINT_FUNCTION(int, Type_create_keyval, (MPI_Type_copy_attr_function*, MPI_Type_delete_attr_function*, int*, void*))
RANKLINT_FUNCTION(int, Type_create_resized, (MPI_Datatype, MPI_Aint, MPI_Aint, MPI_Datatype*))
RANKLINT_FUNCTION(int, Type_create_struct, (int, const int*, const MPI_Aint*, const MPI_Datatype*, MPI_Datatype*))
RANKLINT_FUNCTION(int, Type_create_subarray, (int, const int*, const int*, const int*, int, MPI_Datatype, MPI_Datatype*))
RANKLINT_FUNCTION(int, Type_delete_attr, (MPI_Datatype, int))
RANKLINT_FUNCTION(int, Type_dup, (MPI_Datatype, MPI_Datatype*))
RANKLINT_FUNCTION(int, Type_extent, (MPI_Datatype, MPI_Aint*))
RANKLINT_FUNCTION(int, Type_free, (MPI_Datatype*))
RANKLINT_FUNCTION(int, Type_free_keyval, (int*))
RANKLINT_FUNCTION(int, Type_get_attr, (MPI_Datatype, int, void*, int*))
RANKLINT_FUNCTION(int, Type_get_contents, (MPI_Datatype, int, int, int, int*, MPI_Aint*, MPI_Datatype*))
RANKLINT_FUNCTION(int, Type_get_envelope, (MPI_Datatype, int*, int*, int*, int*))
RANKLINT_FUNCTION(int, Type_get_extent, (MPI_Datatype, MPI_Aint*, MPI_Aint*))
RANKLINT_FUNCTION(int, Type_get_extent_x, (MPI_Datatype, MPI_Count*, MPI_Count*))
RANKLINT_FUNCTION(int, Type_get_name, (MPI_Datatype, char*, int*))
RANKLINT_FUNCTION(int, Type_get_true_extent, (MPI_Datatype, MPI_Aint*, MPI_Aint*))
RANKLINT_FUNCTION(int, Type_get_true_extent_x, (MPI_Datatype, MPI_Count*, MPI_Count*))
RANKLINT_FUNCTION(int, Type_indexed, (int, const int*, const int*, MPI_Datatype, MPI_Datatype*))
RANKLINT_FUNCTION(int, Type_lb, (MPI_Datatype, MPI_Aint*))
RANKLINT_FUNCTION(int, Type_match_size, (int, int, MPI_Datatype*))
RANKLINT_FUNCTION(int, Type_set_attr, (MPI_Datatype, int, void*))
RANKLINT_FUNCTION(int, Type_set_name, (MPI_Datatype, const char*))
RANKLINT_FUNCTION(int, Type_size, (MPI_Datatype, int*))
RANKLINT_FUNCTION(int, Type_size_x, (MPI_Datatype, MPI_Count*))
RANKLINT_FUNCTION(int, Type_ub, (MPI_Datatype, MPI_Aint*))
RANKLINT_FUNCTION(int, Type_vector, (int, int, int, MPI_Datatype, MPI_Datatype*))
RANKLINT_FUNCTION(int, Unpack, (const void*, int, int*, void*, int, MPI_Datatype, MPI_Comm))
RANKLINT_FUNCTION(int, Unpack_external, (const char*, const void*, MPI_Aint, MPI_Aint*, void*, int, MPI_Datatype))
RANKLINT_FUNCTION(int, Unpublish_name, (const char*, MPI_Info, const char*))
RANKLINT_FUNCTION(int, Wait, (MPI_Request*, MPI_Status*))
RANKLINT_FUNCTION(int, Waitall, (int, MPI_Request*, MPI_Status*))
RANKLINT_FUNCTION(int, Waitany, (int, MPI_Request*, int*, MPI_Status*))
RANKLINT_FUNCTION(int, Waitsome, (int, MPI_Request*, int*, int*, MPI_Status*))
RANKLINT_FUNCTION(int, Win_allocate, (MPI_Aint, int, MPI_Info, MPI_Comm, void*, MPI_Win*))
RANKLINT_FUNCTION(int, Win_allocate_shared, (MPI_Aint, int, MPI_Info, MPI_Comm, void*, MPI_Win*))
RANKLINT_FUNCTION(int, Win_attach, (MPI_Win, void*, MPI_Aint))
RANKLINT_FUNCTION(int, Win_call_errhandler, (MPI_Win, int))
RANKLINT_FUNCTION(int, Win_complete, (MPI_Win))
RANKLINT_FUNCTION(int, Win_create, (void*, MPI_Aint, int, MPI_Info, MPI_Comm, MPI_Win*))
RANKLINT_FUNCTION(int, Win_create_dynamic, (MPI_Info, MPI_Comm, MPI_Win*))
RANKLINT_FUNCTION(int, Win_create_errhandler, (MPI_Win_errhandler_function*, MPI_Errhandler*))
RANKLINT_FUNCTION(int, Win_create_keyval, (MPI_Win_copy_attr_function*, MPI_Win_delete_attr_function*, int*, void*))
RANKLINT_FUNCTION(int, Win_delete_attr, (MPI_Win, int))
RANKLINT_FUNCTION(int, Win_detach, (MPI_Win, const void*))
RANKLINT_FUNCTION(int, Win_fence, (int, MPI_Win))
RANKLINT_FUNCTION(int, Win_flush, (int, MPI_Win))
RANKLINT_FUNCTION(int, Win_flush_all, (MPI_Win))
RANKLINT_FUNCTION(int, Win_flush_local, (int, MPI_Win))
RANKLINT_FUNCTION(int, Win_flush_local_all, (MPI_Win))
RANKLINT_FUNCTION(int, Win_free, (MPI_Win*))
RANKLINT_FUNCTION(int, Win_free_keyval, (int*))
RANKLINT_FUNCTION(int, Win_get_attr, (MPI_Win, int, void*, int*))
RANKLINT_FUNCTION(int, Win_get_errhandler, (MPI_Win, MPI_Errhandler*))
RANKLINT_FUNCTION(int, Win_get_group, (MPI_Win, MPI_Group*))
RANKLINT_FUNCTION(int, Win_get_info, (MPI_Win, MPI_Info*))
RANKLINT_FUNCTION(int, Win_get_name, (MPI_Win, char*, int*))
RANKLINT_FUNCTION(int, Win_lock, (int, int, int, MPI_Win))
RANKLINT_FUNCTION(int, Win_lock_all, (int, MPI_Win))
RANKLINT_FUNCTION(int, Win_post, (MPI_Group, int, MPI_Win))
RANKLINT_FUNCTION(int, Win_set_attr, (MPI_Win, int, void*))
RANKLINT_FUNCTION(int, Win_set_errhandler, (MPI_Win, MPI_Errhandler))
RANKLINT_FUNCTION(int, Win_set_info, (MPI_Win, MPI_Info))
RANKLINT_FUNCTION(int, Win_set_name, (MPI_Win, const char*))
RANKLINT_FUNCTION(int, Win_shared_query, (MPI_Win, int, MPI_Aint*, int*, void*))
RANKLINT_FUNCTION(int, Win_start, (MPI_Group, int, MPI_Win))
RANKLINT_FUNCTION(int, Win_sync, (MPI_Win))
RANKLINT_FUNCTION(int, Win_test, (MPI_Win, int*))
RANKLINT_FUNCTION(int, Win_unlock, (int, MPI_Win))
RANKLINT_FUNCTION(int, Win_unlock_all, (MPI_Win))
RANKLINT_FUNCTION(int, Win_wait, (MPI_Win))
RANKLINT_FUNCTION(double, Wtick, (void))
RANKLINT_FUNCTION(double, Wtime, (void))

// Removed from the standard, and still written.
#define MPI_Errhandler_create MPI_Comm_create_errhandler
#define MPI_Errhandler_set MPI_Comm_set_errhandler
#define MPI_Errhandler_get MPI_Comm_get_errhandler
#define MPI_Address MPI_Get_address
#define MPI_Type_hindexed MPI_Type_create_hindexed
#define MPI_Type_hvector MPI_Type_create_hvector
#define MPI_Type_struct MPI_Type_create_struct

// The forms for large counts, of what is simulated.
RANKLINT_FUNCTION(int, Send_c, (const void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm))
RANKLINT_FUNCTION(int, Bsend_c, (const void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm))
RANKLINT_FUNCTION(int, Ssend_c, (const void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm))
RANKLINT_FUNCTION(int, Rsend_c, (const void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm))
RANKLINT_FUNCTION(int, Isend_c, (const void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Ibsend_c, (const void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Issend_c, (const void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Irsend_c, (const void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Send_init_c, (const void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Bsend_init_c, (const void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Ssend_init_c, (const void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Rsend_init_c, (const void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Recv_c, (void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Status*))
RANKLINT_FUNCTION(int, Irecv_c, (void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Recv_init_c, (void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Mrecv_c, (void*, MPI_Count, MPI_Datatype, MPI_Message*, MPI_Status*))
RANKLINT_FUNCTION(int, Imrecv_c, (void*, MPI_Count, MPI_Datatype, MPI_Message*, MPI_Request*))
RANKLINT_FUNCTION(int, Sendrecv_c, (const void*, MPI_Count, MPI_Datatype, int, int, void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Status*))
RANKLINT_FUNCTION(int, Sendrecv_replace_c, (void*, MPI_Count, MPI_Datatype, int, int, int, int, MPI_Comm, MPI_Status*))
RANKLINT_FUNCTION(int, Isendrecv_c, (const void*, MPI_Count, MPI_Datatype, int, int, void*, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Isendrecv_replace_c, (void*, MPI_Count, MPI_Datatype, int, int, int, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Buffer_attach_c, (void*, MPI_Count))
RANKLINT_FUNCTION(int, Buffer_detach_c, (void*, MPI_Count*))
RANKLINT_FUNCTION(int, Bcast_c, (void*, MPI_Count, MPI_Datatype, int, MPI_Comm))
RANKLINT_FUNCTION(int, Ibcast_c, (void*, MPI_Count, MPI_Datatype, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Bcast_init_c, (void*, MPI_Count, MPI_Datatype, int, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Gather_c, (const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Datatype, int, MPI_Comm))
RANKLINT_FUNCTION(int, Igather_c, (const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Datatype, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Gather_init_c, (const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Datatype, int, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Gatherv_c, (const void*, MPI_Count, MPI_Datatype, void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype, int, MPI_Comm))
RANKLINT_FUNCTION(int, Igatherv_c, (const void*, MPI_Count, MPI_Datatype, void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Gatherv_init_c, (const void*, MPI_Count, MPI_Datatype, void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype, int, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Scatter_c, (const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Datatype, int, MPI_Comm))
RANKLINT_FUNCTION(int, Iscatter_c, (const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Datatype, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Scatter_init_c, (const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Datatype, int, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Scatterv_c, (const void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype, void*, MPI_Count, MPI_Datatype, int, MPI_Comm))
RANKLINT_FUNCTION(int, Iscatterv_c, (const void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype, void*, MPI_Count, MPI_Datatype, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Scatterv_init_c, (const void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype, void*, MPI_Count, MPI_Datatype, int, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Allgather_c, (const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Datatype, MPI_Comm))
RANKLINT_FUNCTION(int, Iallgather_c, (const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Datatype, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Allgather_init_c, (const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Allgatherv_c, (const void*, MPI_Count, MPI_Datatype, void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype, MPI_Comm))
RANKLINT_FUNCTION(int, Iallgatherv_c, (const void*, MPI_Count, MPI_Datatype, void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Allgatherv_init_c, (const void*, MPI_Count, MPI_Datatype, void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Alltoall_c, (const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Datatype, MPI_Comm))
RANKLINT_FUNCTION(int, Ialltoall_c, (const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Datatype, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Alltoall_init_c, (const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Alltoallv_c, (const void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype, void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype, MPI_Comm))
RANKLINT_FUNCTION(int, Ialltoallv_c, (const void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype, void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Alltoallv_init_c, (const void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype, void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Alltoallw_c, (const void*, const MPI_Count*, const MPI_Aint*, const MPI_Datatype*, void*, const MPI_Count*, const MPI_Aint*, const MPI_Datatype*, MPI_Comm))
RANKLINT_FUNCTION(int, Ialltoallw_c, (const void*, const MPI_Count*, const MPI_Aint*, const MPI_Datatype*, void*, const MPI_Count*, const MPI_Aint*, const MPI_Datatype*, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Alltoallw_init_c, (const void*, const MPI_Count*, const MPI_Aint*, const MPI_Datatype*, void*, const MPI_Count*, const MPI_Aint*, const MPI_Datatype*, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Reduce_c, (const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, int, MPI_Comm))
RANKLINT_FUNCTION(int, Ireduce_c, (const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, int, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Reduce_init_c, (const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, int, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Allreduce_c, (const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, MPI_Comm))
RANKLINT_FUNCTION(int, Iallreduce_c, (const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Allreduce_init_c, (const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Reduce_scatter_c, (const void*, void*, const MPI_Count*, MPI_Datatype, MPI_Op, MPI_Comm))
RANKLINT_FUNCTION(int, Ireduce_scatter_c, (const void*, void*, const MPI_Count*, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Reduce_scatter_init_c, (const void*, void*, const MPI_Count*, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Reduce_scatter_block_c, (const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, MPI_Comm))
RANKLINT_FUNCTION(int, Ireduce_scatter_block_c, (const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Reduce_scatter_block_init_c, (const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Scan_c, (const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, MPI_Comm))
RANKLINT_FUNCTION(int, Iscan_c, (const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Scan_init_c, (const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Exscan_c, (const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, MPI_Comm))
RANKLINT_FUNCTION(int, Iexscan_c, (const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Exscan_init_c, (const void*, void*, MPI_Count, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Neighbor_allgather_c, (const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Datatype, MPI_Comm))
RANKLINT_FUNCTION(int, Ineighbor_allgather_c, (const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Datatype, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Neighbor_allgather_init_c, (const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Neighbor_allgatherv_c, (const void*, MPI_Count, MPI_Datatype, void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype, MPI_Comm))
RANKLINT_FUNCTION(int, Ineighbor_allgatherv_c, (const void*, MPI_Count, MPI_Datatype, void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Neighbor_allgatherv_init_c, (const void*, MPI_Count, MPI_Datatype, void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Neighbor_alltoall_c, (const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Datatype, MPI_Comm))
RANKLINT_FUNCTION(int, Ineighbor_alltoall_c, (const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Datatype, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Neighbor_alltoall_init_c, (const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Neighbor_alltoallv_c, (const void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype, void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype, MPI_Comm))
RANKLINT_FUNCTION(int, Ineighbor_alltoallv_c, (const void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype, void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Neighbor_alltoallv_init_c, (const void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype, void*, const MPI_Count*, const MPI_Aint*, MPI_Datatype, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Neighbor_alltoallw_c, (const void*, const MPI_Count*, const MPI_Aint*, const MPI_Datatype*, void*, const MPI_Count*, const MPI_Aint*, const MPI_Datatype*, MPI_Comm))
RANKLINT_FUNCTION(int, Ineighbor_alltoallw_c, (const void*, const MPI_Count*, const MPI_Aint*, const MPI_Datatype*, void*, const MPI_Count*, const MPI_Aint*, const MPI_Datatype*, MPI_Comm, MPI_Request*))
RANKLINT_FUNCTION(int, Neighbor_alltoallw_init_c, (const void*, const MPI_Count*, const MPI_Aint*, const MPI_Datatype*, void*, const MPI_Count*, const MPI_Aint*, const MPI_Datatype*, MPI_Comm, MPI_Info, MPI_Request*))
RANKLINT_FUNCTION(int, Put_c, (const void*, MPI_Count, MPI_Datatype, int, MPI_Aint, MPI_Count, MPI_Datatype, MPI_Win))
RANKLINT_FUNCTION(int, Get_c, (void*, MPI_Count, MPI_Datatype, int, MPI_Aint, MPI_Count, MPI_Datatype, MPI_Win))
RANKLINT_FUNCTION(int, Accumulate_c, (const void*, MPI_Count, MPI_Datatype, int, MPI_Aint, MPI_Count, MPI_Datatype, MPI_Op, MPI_Win))
RANKLINT_FUNCTION(int, Rput_c, (const void*, MPI_Count, MPI_Datatype, int, MPI_Aint, MPI_Count, MPI_Datatype, MPI_Win, MPI_Request*))
RANKLINT_FUNCTION(int, Rget_c, (void*, MPI_Count, MPI_Datatype, int, MPI_Aint, MPI_Count, MPI_Datatype, MPI_Win, MPI_Request*))
RANKLINT_FUNCTION(int, Raccumulate_c, (const void*, MPI_Count, MPI_Datatype, int, MPI_Aint, MPI_Count, MPI_Datatype, MPI_Op, MPI_Win, MPI_Request*))
RANKLINT_FUNCTION(int, Get_accumulate_c, (const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Datatype, int, MPI_Aint, MPI_Count, MPI_Datatype, MPI_Op, MPI_Win))
RANKLINT_FUNCTION(int, Rget_accumulate_c, (const void*, MPI_Count, MPI_Datatype, void*, MPI_Count, MPI_Datatype, int, MPI_Aint, MPI_Count, MPI_Datatype, MPI_Op, MPI_Win, MPI_Request*))
RANKLINT_FUNCTION(int, Type_contiguous_c, (MPI_Count, MPI_Datatype, MPI_Datatype*))
RANKLINT_FUNCTION(int, Type_vector_c, (MPI_Count, MPI_Count, MPI_Count, MPI_Datatype, MPI_Datatype*))
RANKLINT_FUNCTION(int, Type_indexed_c, (MPI_Count, const MPI_Count*, const MPI_Count*, MPI_Datatype, MPI_Datatype*))
RANKLINT_FUNCTION(int, Type_create_hvector_c, (MPI_Count, MPI_Count, MPI_Count, MPI_Datatype, MPI_Datatype*))
RANKLINT_FUNCTION(int, Type_create_hindexed_c, (MPI_Count, const MPI_Count*, const MPI_Count*, MPI_Datatype, MPI_Datatype*))
RANKLINT_FUNCTION(int, Type_create_indexed_block_c, (MPI_Count, MPI_Count, const MPI_Count*, MPI_Datatype, MPI_Datatype*))
RANKLINT_FUNCTION(int, Type_create_hindexed_block_c, (MPI_Count, MPI_Count, const MPI_Count*, MPI_Datatype, MPI_Datatype*))
RANKLINT_FUNCTION(int, Type_create_struct_c, (MPI_Count, const MPI_Count*, const MPI_Count*, const MPI_Datatype*, MPI_Datatype*))
RANKLINT_FUNCTION(int, Type_create_resized_c, (MPI_Datatype, MPI_Count, MPI_Count, MPI_Datatype*))
RANKLINT_FUNCTION(int, Type_create_subarray_c, (int, const MPI_Count*, const MPI_Count*, const MPI_Count*, int, MPI_Datatype, MPI_Datatype*))
RANKLINT_FUNCTION(int, Type_size_c, (MPI_Datatype, MPI_Count*))
RANKLINT_FUNCTION(int, Type_get_extent_c, (MPI_Datatype, MPI_Count*, MPI_Count*))
RANKLINT_FUNCTION(int, Type_get_true_extent_c, (MPI_Datatype, MPI_Count*, MPI_Count*))
RANKLINT_FUNCTION(int, Get_count_c, (const MPI_Status*, MPI_Datatype, MPI_Count*))
RANKLINT_FUNCTION(int, Get_elements_c, (const MPI_Status*, MPI_Datatype, MPI_Count*))

#undef RANKLINT_FUNCTION

#ifdef __cplusplus
}
#endif

#endif
