package dev.millrace.job.options;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Options that a job can't be started with; the message lists every problem on its own line. A
 * problem that quotes a URL has no user and password in it.
 */
public final class InvalidOptionsException extends RuntimeException {

  /** A password may hold anything, so all from the scheme up to the last @ goes. */
  private static final Pattern LOGIN = Pattern.compile("(?<=://).+(?=@)", Pattern.DOTALL);

  private final transient List<String> problems;

  public InvalidOptionsException(List<String> problems) {
    super(message(problems.stream().map(InvalidOptionsException::withoutLogin).toList()));
    this.problems = problems.stream().map(InvalidOptionsException::withoutLogin).toList();
  }

  private static String message(List<String> problems) {
    return problems.size() == 1
        ? problems.get(0)
        : "%s options are wrong:%n  %s"
            .formatted(problems.size(), String.join(System.lineSeparator() + "  ", problems));
  }

  private static String withoutLogin(String problem) {
    return LOGIN.matcher(problem).replaceAll("…");
  }

  public List<String> problems() {
    return problems;
  }
}
