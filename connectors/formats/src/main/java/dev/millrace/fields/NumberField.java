package dev.millrace.fields;

import dev.millrace.example.InvalidExampleException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/**
 * A number that becomes a feature, and maybe a second one that is 1 where the number is missing.
 *
 * @param low smaller values count as this; negative infinity for no bound
 * @param high larger values count as this
 * @param missing stands in for a missing value; NaN for the mean, which the model learns
 * @param indicator whether there is the second feature
 */
public record NumberField(
    FieldSource source, Scale scale, double low, double high, double missing, boolean indicator)
    implements FeatureField {

  /** How a value becomes a feature. */
  public enum Scale {
    /**
     * The value becomes one with the mean 0 and the deviation 1, by the mean and the deviation that
     * the model has learned.
     */
    STANDARDIZE,
    /** Its logarithm, log1p of the magnitude with the sign, with mean and deviation of that. */
    LOGARITHM,
    /** The value stays as it is. */
    NONE;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public NumberField {
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(scale, "scale");
  }

  /** Whether mean and deviation are learned. */
  public boolean isLearned() {
    return scale != Scale.NONE;
  }

  @Override
  public List<String> names() {
    return indicator
        ? List.of(source.name(), source.name() + " (missing)")
        : List.of(source.name());
  }

  @Override
  public int width() {
    return indicator ? 2 : 1;
  }

  @Override
  public FieldStep step() {
    return new Step(this);
  }

  @Override
  public void describe(FieldWriter into) {
    into.put("kind", "number");
    into.put("scale", scale.toString());
    if (Double.isFinite(low) || Double.isFinite(high)) {
      into.putBounds("clip", low, high);
    }
    if (!source.required()) {
      into.putNumberOr("missing", missing, "mean");
    }
    into.put("indicator", indicator);
  }

  /** Whether it takes any double without leaving floats. */
  private boolean isBounded() {
    return scale == Scale.LOGARITHM || (low >= -Float.MAX_VALUE && high <= Float.MAX_VALUE);
  }

  private record Step(NumberField field) implements FieldStep {

    @Override
    public void read(FieldValues values, int at, float[] features, int from)
        throws InvalidExampleException {
      double number = field.missing;
      if (values.kind(at) != FieldValues.Kind.MISSING) {
        number = Value.number(values, at, field.source.name());
      } else if (field.indicator) {
        features[from + 1] = 1;
      }
      number = Math.max(field.low, Math.min(field.high, number));
      if (field.scale == Scale.LOGARITHM) {
        number = Math.copySign(StrictMath.log1p(Math.abs(number)), number);
      }
      features[from] =
          field.isBounded() ? (float) number : Value.toFloat(number, field.source.name());
    }
  }
}
