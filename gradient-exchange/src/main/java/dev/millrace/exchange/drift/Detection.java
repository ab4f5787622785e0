package dev.millrace.exchange.drift;

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

  /** Nothing is looked at. */
  public static final Detection NONE = new Detection(List.of(), Features.NONE, 0.0001, 0.01, 100);

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
    return ofErrors() || features != Features.NONE;
  }

  private boolean ofErrors() {
    return !detectors.isEmpty();
  }

  /** Returns what contributions have to tell of single examples. */
  public ExampleSignals told() {
    return new ExampleSignals(ofErrors(), ofSamples());
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
