package dev.millrace.model.dl4j;

import dev.millrace.nd4j.FencedExecutioner;
import org.deeplearning4j.config.DL4JClassLoading;
import org.nd4j.linalg.api.ops.executioner.OpExecutioner.ExecutionerType;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.nativeblas.NativeOpsHolder;

/** Sets ND4J up: once in the JVM, and on each thread that trains. */
final class Nd4jRuntime {

  private static final String THREADS_VARIABLE = "OMP_NUM_THREADS";

  private static boolean started;

  private Nd4jRuntime() {}

  /**
   * Loads ND4J if that hasn't been done. It and DL4J keep the context class loader of the thread
   * that first uses them; given their own they don't hold on to a job's.
   */
  static synchronized void start() {
    if (started) {
      return;
    }
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(Nd4j.class.getClassLoader());
    try {
      Nd4j.create(1).close();
      DL4JClassLoading.setDl4jClassloaderFromClass(DL4JClassLoading.class);
      FencedExecutioner.install();
    } finally {
      thread.setContextClassLoader(before);
    }
    started = true;
  }

  /** Makes the calling thread ready to train a replica: chooses its device and OpenMP threads. */
  static void prepareThread(int replica) {
    start();
    boolean cuda = Nd4j.getExecutioner().type() == ExecutionerType.CUDA;
    int devices = Nd4j.getAffinityManager().getNumberOfDevices();
    if (cuda || devices > 1) {
      Nd4j.getAffinityManager().unsafeSetDevice(new DeviceAssignment(devices).deviceOf(replica));
    }
    if (!cuda && System.getenv(THREADS_VARIABLE) == null) {
      useOneThread();
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
