/* Every symbol taken from CUDA's libraries, one row each: X(need, name).
 *
 * REQUIRED: without it the library is of no use.  OPTIONAL: the pointer is NULL where the library
 * lacks it, and the code that wants it says what that costs.  Names are the exported ones (with
 * _v2), so that an old library is found out here and not in a crash.
 */
#pragma once

#define DRIVER_SYMBOLS(X)                                                                                              \
  X(REQUIRED, cuInit)                                                                                                  \
  X(REQUIRED, cuDriverGetVersion)                                                                                      \
  X(REQUIRED, cuGetErrorName)                                                                                          \
  X(REQUIRED, cuGetErrorString)                                                                                        \
  X(REQUIRED, cuDeviceGetCount)                                                                                        \
  X(REQUIRED, cuDeviceGet)                                                                                             \
  X(REQUIRED, cuDeviceGetName)                                                                                         \
  X(REQUIRED, cuDeviceGetUuid_v2)                                                                                      \
  X(REQUIRED, cuDeviceGetAttribute)                                                                                    \
  X(REQUIRED, cuDeviceTotalMem_v2)                                                                                     \
  X(REQUIRED, cuDevicePrimaryCtxRetain)                                                                                \
  X(REQUIRED, cuCtxSetCurrent)                                                                                         \
  X(REQUIRED, cuCtxSynchronize)                                                                                        \
  X(REQUIRED, cuStreamCreate)                                                                                          \
  X(REQUIRED, cuStreamSynchronize)                                                                                     \
  X(REQUIRED, cuMemAlloc_v2)                                                                                           \
  X(REQUIRED, cuMemFree_v2)                                                                                            \
  X(REQUIRED, cuMemGetInfo_v2)                                                                                         \
  X(REQUIRED, cuMemcpyHtoD_v2)                                                                                         \
  X(REQUIRED, cuMemcpyDtoH_v2)                                                                                         \
  X(REQUIRED, cuMemcpyDtoDAsync_v2)                                                                                    \
  X(REQUIRED, cuMemsetD8Async)                                                                                         \
  X(REQUIRED, cuMemsetD16Async)                                                                                        \
  X(REQUIRED, cuModuleLoadData)                                                                                        \
  X(REQUIRED, cuModuleUnload)                                                                                          \
  X(REQUIRED, cuModuleGetFunction)                                                                                     \
  X(REQUIRED, cuFuncGetAttribute)                                                                                      \
  X(REQUIRED, cuFuncSetAttribute)                                                                                      \
  X(REQUIRED, cuLaunchKernelEx)                                                                                        \
  X(REQUIRED, cuEventCreate)                                                                                           \
  X(REQUIRED, cuEventRecord)                                                                                           \
  X(REQUIRED, cuEventElapsedTime_v2)                                                                                   \
  X(OPTIONAL, cuOccupancyMaxActiveBlocksPerMultiprocessor)                                                             \
  X(OPTIONAL, cuTensorMapEncodeTiled)

#define CUPTI_SYMBOLS(X)                                                                                               \
  X(REQUIRED, cuptiGetVersion)                                                                                         \
  X(REQUIRED, cuptiGetResultString)                                                                                    \
  X(OPTIONAL, cuptiGetErrorMessage)                                                                                    \
  X(REQUIRED, cuptiActivityRegisterCallbacks)                                                                          \
  X(REQUIRED, cuptiActivityEnable)                                                                                     \
  X(REQUIRED, cuptiActivityDisable)                                                                                    \
  X(REQUIRED, cuptiActivityFlushAll)                                                                                   \
  X(REQUIRED, cuptiActivityGetNextRecord)                                                                              \
  X(OPTIONAL, cuptiActivityGetNumDroppedRecords)                                                                       \
  X(OPTIONAL, cuptiDeviceGetChipName)                                                                                  \
  X(OPTIONAL, cuptiProfilerInitialize)                                                                                 \
  X(OPTIONAL, cuptiProfilerGetCounterAvailability)                                                                     \
  X(OPTIONAL, cuptiProfilerHostInitialize)                                                                             \
  X(OPTIONAL, cuptiProfilerHostDeinitialize)                                                                           \
  X(OPTIONAL, cuptiProfilerHostConfigAddMetrics)                                                                       \
  X(OPTIONAL, cuptiProfilerHostGetConfigImageSize)                                                                     \
  X(OPTIONAL, cuptiProfilerHostGetConfigImage)                                                                         \
  X(OPTIONAL, cuptiProfilerHostGetNumOfPasses)                                                                         \
  X(OPTIONAL, cuptiProfilerHostEvaluateToGpuValues)                                                                    \
  X(OPTIONAL, cuptiRangeProfilerEnable)                                                                                \
  X(OPTIONAL, cuptiRangeProfilerDisable)                                                                               \
  X(OPTIONAL, cuptiRangeProfilerSetConfig)                                                                             \
  X(OPTIONAL, cuptiRangeProfilerStart)                                                                                 \
  X(OPTIONAL, cuptiRangeProfilerStop)                                                                                  \
  X(OPTIONAL, cuptiRangeProfilerPushRange)                                                                             \
  X(OPTIONAL, cuptiRangeProfilerPopRange)                                                                              \
  X(OPTIONAL, cuptiRangeProfilerDecodeData)                                                                            \
  X(OPTIONAL, cuptiRangeProfilerGetCounterDataSize)                                                                    \
  X(OPTIONAL, cuptiRangeProfilerCounterDataImageInitialize)                                                            \
  X(OPTIONAL, cuptiRangeProfilerGetCounterDataInfo)                                                                    \
  X(OPTIONAL, cuptiRangeProfilerCounterDataGetRangeInfo)                                                               \
  X(OPTIONAL, cuptiGetCubinCrc)                                                                                        \
  X(OPTIONAL, cuptiPCSamplingEnable)                                                                                   \
  X(OPTIONAL, cuptiPCSamplingDisable)                                                                                  \
  X(OPTIONAL, cuptiPCSamplingStart)                                                                                    \
  X(OPTIONAL, cuptiPCSamplingStop)                                                                                     \
  X(OPTIONAL, cuptiPCSamplingGetData)                                                                                  \
  X(OPTIONAL, cuptiPCSamplingGetNumStallReasons)                                                                       \
  X(OPTIONAL, cuptiPCSamplingGetStallReasons)                                                                          \
  X(OPTIONAL, cuptiPCSamplingSetConfigurationAttribute)                                                                \
  X(OPTIONAL, cuptiSassMetricsGetProperties)                                                                           \
  X(OPTIONAL, cuptiSassMetricsSetConfig)                                                                               \
  X(OPTIONAL, cuptiSassMetricsUnsetConfig)                                                                             \
  X(OPTIONAL, cuptiSassMetricsEnable)                                                                                  \
  X(OPTIONAL, cuptiSassMetricsDisable)                                                                                 \
  X(OPTIONAL, cuptiSassMetricsGetDataProperties)                                                                       \
  X(OPTIONAL, cuptiSassMetricsFlushData)

#define NVRTC_SYMBOLS(X)                                                                                               \
  X(REQUIRED, nvrtcVersion)                                                                                            \
  X(REQUIRED, nvrtcGetErrorString)                                                                                     \
  X(REQUIRED, nvrtcCreateProgram)                                                                                      \
  X(REQUIRED, nvrtcCompileProgram)                                                                                     \
  X(REQUIRED, nvrtcGetProgramLogSize)                                                                                  \
  X(REQUIRED, nvrtcGetProgramLog)                                                                                      \
  X(REQUIRED, nvrtcGetCUBINSize)                                                                                       \
  X(REQUIRED, nvrtcGetCUBIN)                                                                                           \
  X(REQUIRED, nvrtcDestroyProgram)

#define NVML_SYMBOLS(X)                                                                                                \
  X(REQUIRED, nvmlInit_v2)                                                                                             \
  X(REQUIRED, nvmlShutdown)                                                                                            \
  X(REQUIRED, nvmlSystemGetDriverVersion)                                                                              \
  X(OPTIONAL, nvmlDeviceGetHandleByUUID)                                                                               \
  X(OPTIONAL, nvmlDeviceGetCurrentClocksThrottleReasons)

#define CUBLAS_SYMBOLS(X)                                                                                              \
  X(REQUIRED, cublasCreate_v2)                                                                                         \
  X(REQUIRED, cublasSetStream_v2)                                                                                      \
  X(REQUIRED, cublasGetVersion_v2)                                                                                     \
  X(REQUIRED, cublasGetStatusString)                                                                                   \
  X(REQUIRED, cublasGemmEx)                                                                                            \
  X(REQUIRED, cublasGemmStridedBatchedEx)                                                                              \
  X(OPTIONAL, cublasHSHgemvBatched)                                                                                    \
  X(OPTIONAL, cublasHSHgemvStridedBatched)

#define CUBLASLT_SYMBOLS(X)                                                                                            \
  X(REQUIRED, cublasLtCreate)                                                                                          \
  X(REQUIRED, cublasLtGetVersion)                                                                                      \
  X(REQUIRED, cublasLtGetStatusString)                                                                                 \
  X(REQUIRED, cublasLtMatmul)                                                                                          \
  X(REQUIRED, cublasLtMatmulDescCreate)                                                                                \
  X(REQUIRED, cublasLtMatmulDescSetAttribute)                                                                          \
  X(REQUIRED, cublasLtMatrixLayoutCreate)                                                                              \
  X(REQUIRED, cublasLtMatmulPreferenceCreate)                                                                          \
  X(REQUIRED, cublasLtMatmulPreferenceSetAttribute)                                                                    \
  X(REQUIRED, cublasLtMatmulAlgoGetHeuristic)
