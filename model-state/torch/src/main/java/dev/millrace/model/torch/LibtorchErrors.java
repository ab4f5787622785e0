package dev.millrace.model.torch;

import dev.millrace.model.UnusableExamplesException;
import dev.millrace.model.device.UnusableEngineException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Tells whose fault a failure of libtorch's is. */
final class LibtorchErrors {

  /** The process or its device is at fault, never the examples. */
  private static final List<String> OF_DEVICES =
      List.of(
          "out of memory",
          "can't allocate memory",
          "not enough memory",
          "cuda error",
          "cudnn error",
          "cudnn_status",
          "cublas",
          "cufft",
          "nccl",
          "deterministic");

  private static final String NO_CODE = "no kernel image";

  /**
   * A part of the message about an index that isn't there. CUDA gives the process no result from
   * then on.
   */
  private static final String ENDED = "device-side assert";

  private LibtorchErrors() {}

  /**
   * Explains the failure of a replica that couldn't be made; what isn't the device's is returned as
   * it is.
   */
  static RuntimeException ofStart(RuntimeException e) {
    return lost(e).<RuntimeException>map(lost -> lost).orElse(e);
  }

  /**
   * Explains a failure after which this process can't use its device at all; empty for any other.
   */
  private static Optional<UnusableEngineException> lost(RuntimeException e) {
    String message = String.valueOf(e.getMessage());
    if (message.contains(NO_CODE)) {
      return Optional.of(
          new UnusableEngineException(
              "libtorch has no code for this GPU: it has some for compute capability 7.5 to 12.1."
                  + " Hide the GPU (CUDA_VISIBLE_DEVICES), or train on the CPU",
              e));
    }
    if (message.contains(ENDED)) {
      return Optional.of(
          new UnusableEngineException(
              "This process can't use its GPU any more, after an index that isn't there: restart"
                  + " the process, and have features hold what the network's layers take",
              e));
    }
    return Optional.empty();
  }

  /** Explains the failure of a step or a prediction; what isn't libtorch's is returned as it is. */
  static RuntimeException ofExamples(RuntimeException e) {
    if (e.getClass() != RuntimeException.class) {
      return e;
    }
    String cause = TorchMessage.of(e);
    String lower = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    Optional<UnusableEngineException> lost = lost(e);
    if (lost.isPresent()) {
      return lost.get();
    }
    return OF_DEVICES.stream().anyMatch(lower::contains)
        ? new IllegalStateException("libtorch can't compute on this device: " + cause, e)
        : new UnusableExamplesException(cause, e);
  }
}
