package dev.millrace.model.torch;

import dev.millrace.model.UnusableExamplesException;
import java.util.List;
import java.util.Locale;

/** Whose fault a failure of libtorch's is. */
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

  private LibtorchErrors() {}

  /** Of a step or a prediction that failed; what isn't libtorch's is returned as it is. */
  static RuntimeException ofExamples(RuntimeException e) {
    if (e.getClass() != RuntimeException.class) {
      return e;
    }
    String cause = TorchMessage.of(e);
    String lower = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    return OF_DEVICES.stream().anyMatch(lower::contains)
        ? new IllegalStateException("libtorch can't compute on this device: " + cause, e)
        : new UnusableExamplesException(cause, e);
  }
}
