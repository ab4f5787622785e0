package dev.millrace.exchange.replay;

import java.util.Locale;

/** Which examples stay where there is room for some only. */
public enum Keep {
  /** Each example that was ever learned with the same chance. Vitter, "Random Sampling", 1985. */
  RESERVOIR,

  /**
   * The buffer keeps as many examples of each class as can be. Chrysakis and Moens, "Online
   * Continual Learning from Imbalanced Data", 2020.
   */
  CLASS_BALANCED,

  /** The latest. */
  RECENT;

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  KeepRule rule(int classes) {
    return switch (this) {
      case RESERVOIR -> new Reservoir();
      case CLASS_BALANCED -> new ClassBalanced(classes);
      case RECENT -> new Recent();
    };
  }
}
