package dev.millrace.model.torch;

import java.util.Arrays;
import java.util.List;

/** What libtorch means: its messages are pages of code and stack, with the cause at their end. */
final class TorchMessage {

  private static final String STACK = "Exception raised from";

  private TorchMessage() {}

  /** One line. */
  static String of(Throwable thrown) {
    String text = String.valueOf(thrown.getMessage());
    int stack = text.indexOf(STACK);
    List<String> lines =
        Arrays.stream((stack < 0 ? text : text.substring(0, stack)).split("\n"))
            .map(String::strip)
            .filter(line -> !line.isEmpty())
            .toList();
    if (lines.isEmpty()) {
      return thrown.getClass().getSimpleName();
    }
    boolean ofScript = lines.get(0).startsWith("The following operation failed");
    return ofScript ? lines.get(lines.size() - 1) : lines.get(0);
  }
}
