package dev.millrace.model.dl4j;

import dev.millrace.model.device.UnusableEngineException;
import java.util.List;

/**
 * Explains why ND4J can't be loaded and what to do. It refers to no class of ND4J's, so that it can
 * be loaded then.
 */
final class StartFailure {

  private StartFailure() {}

  /** Explains whatever was thrown while ND4J's classes or natives were being loaded. */
  static UnusableEngineException explain(Throwable thrown) {
    Throwable root = rootOf(thrown);
    String message;
    if (root instanceof UnsatisfiedLinkError) {
      message =
          ("ND4J's native code can't be loaded: %s. On the class path must be the jars of"
                  + " nd4j-native, openblas and javacpp for this platform (such as"
                  + " nd4j-native-…-linux-x86_64.jar); for GPUs those of nd4j-cuda-11.6, cuda and"
                  + " javacpp, and CUDA 11's libcudart, libcublas and libcusolver where"
                  + " LD_LIBRARY_PATH says")
              .formatted(messageOf(root));
    } else if (root instanceof NoClassDefFoundError || root instanceof ClassNotFoundException) {
      message =
          ("DL4J isn't on the class path, or not all of it: there is no class %s. Copy DL4J, ND4J"
                  + " and what they depend on (the distribution's engines/dl4j/*.jar) into Flink's lib/ on each"
                  + " machine and at the client, and restart the cluster")
              .formatted(messageOf(root).replace('/', '.'));
    } else {
      message =
          "ND4J can't be started: %s: %s. The log of this process has the whole story"
              .formatted(root.getClass().getName(), messageOf(root));
    }
    return new UnusableEngineException(message, thrown);
  }

  /**
   * @param reasons for each backend on the class path, why it isn't available
   */
  static String noBackend(List<String> reasons) {
    return reasons.isEmpty()
        ? "There is no ND4J backend on the class path. Add nd4j-native for the CPU, or"
            + " nd4j-cuda-11.6 for GPUs, each with its jar for this platform, to Flink's lib/"
        : ("No ND4J backend on the class path can run here (%s). For GPUs check the driver,"
                + " CUDA 11's libraries and CUDA_VISIBLE_DEVICES; for the CPU add nd4j-native,"
                + " openblas and javacpp with their jars for this platform to Flink's lib/")
            .formatted(String.join("; ", reasons));
  }

  static Throwable rootOf(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    return root;
  }

  /** The first line. */
  static String messageOf(Throwable thrown) {
    return thrown.getMessage() == null ? "" : thrown.getMessage().lines().findFirst().orElse("");
  }
}
