package dev.millrace.model.torch;

import dev.millrace.model.device.DevicePool;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.device.DeviceRequest.Kind;
import dev.millrace.model.device.DeviceRequest.Use;
import dev.millrace.model.device.UnusableEngineException;
import dev.millrace.model.device.VisibleDevices;
import java.util.NavigableSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sets libtorch up: once in the JVM, and on each thread that computes. */
final class TorchRuntime {

  private static final Logger LOG = LoggerFactory.getLogger(TorchRuntime.class);

  /** The devices of the class loader that has this class, which is a job's. */
  private static final DevicePool POOL = new DevicePool();

  private static boolean started;
  private static String failure;

  private TorchRuntime() {}

  /**
   * Loads libtorch if that hasn't been done, and has the calling thread compute alone.
   *
   * @throws UnusableEngineException if it can't be loaded; then each time, for a second attempt of
   *     the JVM's would only say that a class couldn't be initialized
   */
  static synchronized void start() {
    if (failure != null) {
      throw new UnusableEngineException(failure);
    }
    try {
      if (!started) {
        Libtorch.load();
      }
      Libtorch.useOneThread();
    } catch (LinkageError | RuntimeException e) {
      UnusableEngineException explained = StartFailure.explain(e);
      failure = explained.getMessage();
      throw explained;
    }
    started = true;
  }

  /**
   * Chooses the device of a replica that the calling thread builds.
   *
   * @return to be closed with the replica
   * @throws UnusableEngineException if there is no such device
   */
  static TorchDevice device(DeviceRequest request) {
    start();
    int count = request.kind() == Kind.CPU ? 0 : Libtorch.devices();
    if (count > 0) {
      return cuda(request, count);
    }
    requireNoDevice(request);
    return new CpuDevice();
  }

  private static TorchDevice cuda(DeviceRequest request, int count) {
    NavigableSet<Integer> allowed = VisibleDevices.allowed(request, count);
    DevicePool.Share share = POOL.take(allowed, request.use());
    try {
      TorchDevice device = new CudaDevice(share.device(), request.deterministic(), share);
      if (request.use() != Use.GUEST) {
        LOG.info("A replica trains on GPU {} of {}", share.device(), allowed);
      }
      return device;
    } catch (RuntimeException | Error e) {
      share.close();
      throw e;
    }
  }

  /** Checks a request on the CPU. */
  private static void requireNoDevice(DeviceRequest request) {
    if (request.kind() == Kind.CPU) {
      return;
    }
    if (request.kind() == Kind.CUDA || request.use() == Use.EXCLUSIVE) {
      throw new UnusableEngineException(
          "The model is to be computed on a GPU (device %s), and libtorch finds none: it is its build"
                  .formatted(request.use() == Use.EXCLUSIVE ? "exclusive" : "cuda")
              + " for the CPU, or the driver, CUDA 13's libraries or CUDA_VISIBLE_DEVICES are in its"
              + " way. Take the jar of pytorch with -gpu at its end, check these, or let the device"
              + " be auto or cpu");
    }
    if (!request.names().isEmpty()) {
      LOG.warn(
          "Flink gives this process the GPUs {}, and libtorch computes on the CPU: it is its build for"
              + " the CPU, or found no GPU",
          request.names());
    }
  }
}
