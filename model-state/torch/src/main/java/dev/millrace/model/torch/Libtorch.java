package dev.millrace.model.torch;

import dev.millrace.model.device.NativeStart;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.openblas.global.openblas_nolapack;
import org.bytedeco.pytorch.global.torch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The first use of libtorch. Apart from {@link TorchRuntime}, so that the JVM looks for JavaCPP's
 * classes only when somebody is there who can say what it means that there are none.
 */
final class Libtorch {

  private static final Logger LOG = LoggerFactory.getLogger(Libtorch.class);

  private Libtorch() {}

  /**
   * Loads libtorch, once in a process and where nobody can interrupt it. The calling thread has its
   * settings yet to get ({@link #useOneThread}).
   */
  static void load() {
    try {
      NativeStart.run("libtorch", Loader.getCacheDir().toPath(), Libtorch::loadHere);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void loadHere() {
    // Threads of JavaCPP's keep the context class loader of the thread that first uses it.
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(torch.class.getClassLoader());
    try {
      Loader.load(torch.class);
      useOneThread();
      useOnednnWhereItIsRight();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Switches oneDNN off for the process where it computes wrong values. */
  private static void useOnednnWhereItIsRight() {
    if (torch.globalContext().userEnabledMkldnn() && !OnednnCheck.isSound()) {
      torch.globalContext().setUserEnabledMkldnn(false);
      LOG.warn(
          "oneDNN, which libtorch has for convolutions, computes wrong values on this processor; it is"
              + " switched off, and convolutions take longer");
    }
  }

  /**
   * Replicas are the parallelism, so each computes on its own thread alone: with OpenBLAS's own
   * threads two replicas on two cores are slower than one. libtorch's setting holds for the calling
   * thread, OpenBLAS's for the process.
   */
  static void useOneThread() {
    torch.set_num_threads(1);
    openblas_nolapack.blas_set_num_threads(1);
  }

  /**
   * Has the calling thread compute each operation of a script as it is written. What libtorch makes
   * of a script after its first runs is faster by nothing here, and would let results depend on how
   * many runs a process has behind it.
   */
  static void runScriptsAsTheyAre() {
    torch.setGraphExecutorOptimize(false);
  }

  static int devices() {
    return torch.cuda_is_available() ? torch.cuda_device_count() : 0;
  }
}
