package dev.millrace.job.options;

import java.util.List;

/** Options that a job can't be started with; the message lists every problem on its own line. */
public final class InvalidOptionsException extends RuntimeException {

  private final transient List<String> problems;

  public InvalidOptionsException(List<String> problems) {
    super(
        problems.size() == 1
            ? problems.get(0)
            : "%s options are wrong:%n  %s"
                .formatted(problems.size(), String.join(System.lineSeparator() + "  ", problems)));
    this.problems = List.copyOf(problems);
  }

  public List<String> problems() {
    return problems;
  }
}
