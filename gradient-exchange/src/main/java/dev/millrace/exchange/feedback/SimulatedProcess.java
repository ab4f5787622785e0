package dev.millrace.exchange.feedback;

/**
 * One of several processes that a simulation has in a real one, see {@link ReplicaLinks#simulate}.
 * Homes in it are numbered, so that a run that is repeated has the same.
 *
 * <p>Not thread-safe.
 */
public final class SimulatedProcess {

  private final String name;
  private int homes;

  /**
   * @param name that no other simulated process has; without a slash
   */
  public SimulatedProcess(String name) {
    if (name.indexOf('/') >= 0) {
      throw new IllegalArgumentException("%s has a slash".formatted(name));
    }
    this.name = name;
  }

  String name() {
    return name;
  }

  int next() {
    return homes++;
  }
}
