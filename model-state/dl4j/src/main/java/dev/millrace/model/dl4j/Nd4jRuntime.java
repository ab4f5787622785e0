package dev.millrace.model.dl4j;

import dev.millrace.model.device.DeviceLease;
import dev.millrace.model.device.DevicePool;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.device.DeviceRequest.Kind;
import dev.millrace.model.device.DeviceRequest.Use;
import dev.millrace.model.device.UnusableEngineException;
import dev.millrace.model.device.VisibleDevices;
import java.util.NavigableSet;
import org.nd4j.linalg.api.ops.executioner.OpExecutioner.ExecutionerType;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.nativeblas.NativeOpsHolder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sets ND4J up: once in the JVM, and on each thread that trains. */
final class Nd4jRuntime {

  private static final Logger LOG = LoggerFactory.getLogger(Nd4jRuntime.class);

  private static final String THREADS_VARIABLE = "OMP_NUM_THREADS";

  /**
   * The devices of the class loader that has this class, which is a job's: two jobs in one process
   * put their first replicas on the same device, exclusive or not.
   */
  private static final DevicePool POOL = new DevicePool();

  private static boolean started;
  private static String failure;

  private Nd4jRuntime() {}

  /**
   * Loads ND4J if that hasn't been done.
   *
   * @throws UnusableEngineException if it can't be loaded, or can't run here; then each time, for a
   *     second attempt of the JVM's would only say that a class couldn't be initialized
   */
  static synchronized void start() {
    if (started) {
      return;
    }
    if (failure != null) {
      throw new UnusableEngineException(failure);
    }
    try {
      Nd4jStart.run();
    } catch (UnusableEngineException e) {
      failure = e.getMessage();
      throw e;
    } catch (LinkageError | RuntimeException e) {
      UnusableEngineException explained = StartFailure.explain(e);
      failure = explained.getMessage();
      throw explained;
    }
    started = true;
  }

  /**
   * Makes the calling thread ready to compute a replica: chooses its device and OpenMP threads.
   *
   * @return to be closed with the replica
   */
  static DeviceLease prepareThread(DeviceRequest request) {
    start();
    if (Nd4j.getExecutioner().type() == ExecutionerType.CUDA) {
      requireDeviceAllowed(request);
      return chooseDevice(request);
    }
    requireNoDevice(request);
    if (System.getenv(THREADS_VARIABLE) == null) {
      useOneThread();
    }
    return DeviceLease.NONE;
  }

  private static DeviceLease chooseDevice(DeviceRequest request) {
    int count = Nd4j.getAffinityManager().getNumberOfDevices();
    NavigableSet<Integer> allowed = VisibleDevices.allowed(request, count);
    DevicePool.Share share = POOL.take(allowed, request.use());
    try {
      Nd4j.getAffinityManager().unsafeSetDevice(share.device());
    } catch (RuntimeException e) {
      share.close();
      throw e;
    }
    if (request.use() != Use.GUEST) {
      LOG.info("A replica trains on GPU {} of {}", share.device(), allowed);
    }
    return share;
  }

  /**
   * Checks a request on GPUs: ND4J has one backend in a process, so none of its replicas can be on
   * the CPU.
   */
  private static void requireDeviceAllowed(DeviceRequest request) {
    if (request.kind() == Kind.CPU) {
      throw new UnusableEngineException(
          "Replicas are to train on the CPU (device cpu), and ND4J computes on GPUs, since its CUDA"
              + " backend is on the class path. Take that jar off, or hide the GPUs from this process"
              + " (CUDA_VISIBLE_DEVICES empty), or let the engine choose (auto)");
    }
    if (request.deterministic()) {
      throw new UnusableEngineException(
          "Replicas are to compute the same bits each time (deterministic), which ND4J doesn't promise"
              + " on GPUs. Train on the CPU, or take the engine torch, or leave that out");
    }
  }

  /** Checks a request on the CPU. */
  private static void requireNoDevice(DeviceRequest request) {
    if (request.use() == Use.EXCLUSIVE || request.kind() == Kind.CUDA) {
      throw new UnusableEngineException(
          (request.use() == Use.EXCLUSIVE
                  ? "Each replica is to have a GPU alone (device exclusive)"
                  : "Replicas are to train on GPUs (device cuda)")
              + ", and ND4J computes on the CPU:"
              + " its CUDA backend (nd4j-cuda-11.6) isn't on the class path, or found no GPU"
              + " (see the log of this process). Put that right, or let the engine choose (auto)");
    }
    if (!request.names().isEmpty() && request.kind() != Kind.CPU) {
      LOG.warn(
          "Flink gives this process the GPUs {}, and ND4J computes on the CPU: its CUDA backend isn't"
              + " on the class path, or found no GPU",
          request.names());
    }
  }

  /**
   * Replicas are the parallelism, so each computes on its own thread alone. Two LeNet replicas on
   * two cores train 620 examples a second in this way, just as with OMP_NUM_THREADS=1, and 170 to
   * 410 with ND4J's defaults. The first setting holds for the calling thread, the second for the
   * JVM.
   */
  private static void useOneThread() {
    NativeOpsHolder.getInstance().getDeviceNativeOps().setOmpNumThreads(1);
    Nd4j.factory().blas().setMaxThreads(1);
  }
}
