package dev.millrace.exchange.drift;

import java.io.Serializable;
import java.util.List;
import java.util.Locale;

/**
 * What is looked at for drifts.
 *
 * @param detectors of the prequential error; none for no detection by it
 * @param ofFeatures whether the mean of each feature is looked at, too
 * @param confidence how likely a look of ADWIN and KSWIN may find a drift that is none
 * @param tolerance of {@link PageHinkley}
 * @param threshold of {@link PageHinkley}
 */
public record Detection(
    List<Kind> detectors, boolean ofFeatures, double confidence, double tolerance, double threshold)
    implements Serializable {

  /** Nothing is looked at. */
  public static final Detection NONE = new Detection(List.of(), false, 0.0001, 0.01, 100);

  /** Detectors of the prequential error. */
  public enum Kind {
    ADWIN,
    DDM,
    EDDM,
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
    return ofErrors() || ofFeatures;
  }

  /** Whether contributions carry their examples' errors. */
  public boolean ofErrors() {
    return !detectors.isEmpty();
  }

  DriftDetector detector(Kind kind) {
    return switch (kind) {
      case ADWIN -> new Adwin(confidence);
      case DDM -> new Ddm();
      case EDDM -> new Eddm();
      case PAGE_HINKLEY -> new PageHinkley(tolerance, threshold);
      case KSWIN -> new Kswin(confidence);
    };
  }
}
