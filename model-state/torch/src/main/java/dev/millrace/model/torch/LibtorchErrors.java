package dev.millrace.model.torch;

import dev.millrace.model.UnusableExamplesException;
import java.util.List;
import java.util.Locale;

/** What libtorch says of failures, without the part that only its own developers can use. */
final class LibtorchErrors {

  private static final String STACK = "\nException raised from";
  private static final String SCRIPT = "The following operation failed in the TorchScript";

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

  /** The cause in one line. A script's failure has it below the lines of the script. */
  static String cause(RuntimeException e) {
    String message = String.valueOf(e.getMessage());
    int stack = message.indexOf(STACK);
    String whole = (stack < 0 ? message : message.substring(0, stack)).strip();
    List<String> lines = whole.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    if (lines.isEmpty()) {
      return message;
    }
    return whole.startsWith(SCRIPT) ? lines.get(lines.size() - 1) : lines.get(0);
  }

  /** Of a step or a prediction that failed; what isn't libtorch's is returned as it is. */
  static RuntimeException ofExamples(RuntimeException e) {
    if (e.getClass() != RuntimeException.class) {
      return e;
    }
    String cause = cause(e);
    String lower = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    return OF_DEVICES.stream().anyMatch(lower::contains)
        ? new IllegalStateException("libtorch can't compute on this device: " + cause, e)
        : new UnusableExamplesException(cause, e);
  }
}
