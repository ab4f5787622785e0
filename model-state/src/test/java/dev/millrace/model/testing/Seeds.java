package dev.millrace.model.testing;

import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Gives random tests their seeds. A build takes the same ones each time: it fails because of a
 * change, and not by chance. The nightly tests look for what nobody has seen, and take new ones.
 */
public final class Seeds {

  private static final StackWalker STACK =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  private static final Map<Class<?>, Random> SEQUENCES = new ConcurrentHashMap<>();

  private Seeds() {}

  /**
   * Returns {@code -Dmillrace.seed=…}, if a failure is to be seen again. Otherwise returns the next
   * seed of the calling class, or with {@code -Dmillrace.seeds=new} one that was never used. Any
   * thread may call it.
   */
  public static long next() {
    Long given = Long.getLong("millrace.seed");
    if (given != null) {
      return given;
    }
    if ("new".equals(System.getProperty("millrace.seeds"))) {
      return new Random().nextLong();
    }
    return SEQUENCES
        .computeIfAbsent(STACK.getCallerClass(), test -> new Random(test.getName().hashCode()))
        .nextLong();
  }
}
