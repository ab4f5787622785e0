package dev.millrace.exchange.drift;

import dev.millrace.exchange.steering.ExampleSignals;
import java.io.Serializable;
import java.util.List;
import java.util.Locale;

/**
 * What is looked at for drifts.
 *
 * @param detectors of the prequential error; none for no detection by it
 * @param features how each feature is looked at, too
 * @param confidence how likely a look of ADWIN, KSWIN or at all features may find a drift that is
 *     none
 * @param tolerance of {@link PageHinkley}
 * @param threshold of {@link PageHinkley}
 */
public record Detection(
    List<Kind> detectors, Features features, double confidence, double tolerance, double threshold)
    implements Serializable {

  /** What is looked at of each feature. */
  public enum Features {
    /** Nothing. */
    NONE,
    /** The means of standardized features, round by round, by ADWIN. */
    ADWIN,
    /** The distributions of samples, by the test of Kolmogorov and Smirnov. */
    KOLMOGOROV_SMIRNOV;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** Detectors of the prequential error. */
  public enum Kind {
    ADWIN,
    PAGE_HINKLEY,
    KSWIN;

    @Override
    public String toString() {
      return this == PAGE_HINKLEY ? "page-hinkley" : name().toLowerCase(Locale.ROOT);
    }
  }

  public Detection {
    detectors = List.copyOf(detectors);
  }

  /** Whether anything is looked at. */
  public boolean isOn() {
    return !detectors.isEmpty() || features != Features.NONE;
  }

  /** Returns what contributions have to tell of single examples. */
  public ExampleSignals told() {
    return new ExampleSignals(!detectors.isEmpty(), ofSamples());
  }

  boolean ofSamples() {
    return features == Features.KOLMOGOROV_SMIRNOV;
  }

  DriftDetector detector(Kind kind) {
    return switch (kind) {
      case ADWIN -> new Adwin(confidence);
      case PAGE_HINKLEY -> new PageHinkley(tolerance, threshold);
      case KSWIN -> new Kswin(confidence);
    };
  }
}
