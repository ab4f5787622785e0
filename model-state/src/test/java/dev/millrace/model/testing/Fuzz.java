package dev.millrace.model.testing;

import java.io.EOFException;

/** Runs readers on inputs that are wrong, and knows which failures are refusals. */
public final class Fuzz {

  /** Reads one input that is made of the mutations. */
  @FunctionalInterface
  public interface Reading {

    void read(Mutations mutations) throws Exception;
  }

  private final Class<?>[] refusals;

  /**
   * @param refusals exceptions that refuse an input; each has a message, unless the input ends
   *     early
   */
  public Fuzz(Class<?>... refusals) {
    this.refusals = refusals.clone();
  }

  /** How many inputs a nightly run makes of each kind: {@code -Dmillrace.fuzz=…}. */
  public static int nightly() {
    return Integer.getInteger("millrace.fuzz", 1_000_000);
  }

  /**
   * Reads so many inputs, from one of {@link Seeds} on.
   *
   * @return how many were refused
   * @throws AssertionError if one failed in any other way, naming its seed
   */
  public int run(int count, Reading reading) {
    long first = Seeds.next();
    // An input that ends the process leaves nothing but this.
    System.out.printf("%d inputs from the seed %d%n", count, first);
    int refused = 0;
    for (int i = 0; i < count; i++) {
      long seed = first + i;
      try {
        reading.read(new Mutations(seed));
      } catch (Exception | Error e) {
        requireRefusal(e, seed);
        refused++;
      }
    }
    return refused;
  }

  private void requireRefusal(Throwable thrown, long seed) {
    for (Class<?> refusal : refusals) {
      boolean told = thrown.getMessage() != null || thrown instanceof EOFException;
      if (refusal.isInstance(thrown) && told) {
        return;
      }
    }
    throw new AssertionError(
        "Not a refusal with a reason; run it again with -Dmillrace.seed=" + seed, thrown);
  }
}
