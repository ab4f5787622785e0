package dev.millrace.model.torch;

import dev.millrace.model.device.UnusableEngineException;

/**
 * Explains why libtorch can't be loaded and what to do. It refers to no class of JavaCPP's, so that
 * it can be loaded then.
 */
final class StartFailure {

  private StartFailure() {}

  /** Explains whatever was thrown while libtorch was being loaded. */
  static UnusableEngineException explain(Throwable thrown) {
    Throwable root = thrown;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    String said = root.getMessage() == null ? "" : root.getMessage().lines().findFirst().orElse("");
    String message;
    if (root instanceof UnsatisfiedLinkError) {
      message =
          ("libtorch can't be loaded: %s. On the class path must be the jars of pytorch, openblas"
                  + " and javacpp for this platform (such as pytorch-…-linux-x86_64.jar); for GPUs"
                  + " the one of pytorch with -gpu at its end, and the libraries of CUDA 13 and"
                  + " cuDNN 9 where LD_LIBRARY_PATH says")
              .formatted(said);
    } else if (root instanceof NoClassDefFoundError || root instanceof ClassNotFoundException) {
      message =
          ("PyTorch isn't on the class path, or not all of it: there is no class %s. Copy the jars"
                  + " of pytorch, openblas and javacpp (the distribution's engines/torch/*.jar) into"
                  + " Flink's lib/ on each machine and at the client, and restart the cluster. In"
                  + " a checkout deploy/bin/engine torch gets them for its own commands")
              .formatted(said.replace('/', '.'));
    } else {
      message =
          "libtorch can't be started: %s: %s. The log of this process has the whole story"
              .formatted(root.getClass().getName(), said);
    }
    return new UnusableEngineException(message, thrown);
  }
}
