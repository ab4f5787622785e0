package dev.millrace.fields;

import dev.millrace.example.InvalidExampleException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Parts of a time in UTC, each as sine and cosine of its share of the cycle, so that midnight is
 * beside 23:00. All are 0 where the time is missing.
 *
 * @param parts at least one
 * @param unit of times that are numbers
 * @param indicator whether a last feature is 1 where the time is missing
 */
public record TimeField(FieldSource source, List<Part> parts, TimeUnit unit, boolean indicator)
    implements FeatureField {

  /** A part of a time, counted from 0. */
  public enum Part {
    MINUTE_OF_HOUR(60),
    HOUR_OF_DAY(24),
    /** Monday is 0. */
    DAY_OF_WEEK(7),
    DAY_OF_MONTH(31),
    MONTH_OF_YEAR(12);

    private final int cycle;

    // Tables that nobody changes: no sine is computed for a record.
    @SuppressWarnings("ImmutableEnumChecker")
    private final float[] sines;

    @SuppressWarnings("ImmutableEnumChecker")
    private final float[] cosines;

    Part(int cycle) {
      this.cycle = cycle;
      this.sines = new float[cycle];
      this.cosines = new float[cycle];
      for (int i = 0; i < cycle; i++) {
        sines[i] = (float) StrictMath.sin(2 * Math.PI * i / cycle);
        cosines[i] = (float) StrictMath.cos(2 * Math.PI * i / cycle);
      }
    }

    int of(ZonedDateTime time) {
      return switch (this) {
        case MINUTE_OF_HOUR -> time.getMinute();
        case HOUR_OF_DAY -> time.getHour();
        case DAY_OF_WEEK -> time.getDayOfWeek().getValue() - 1;
        case DAY_OF_MONTH -> time.getDayOfMonth() - 1;
        case MONTH_OF_YEAR -> time.getMonthValue() - 1;
      };
    }

    /** Returns how many values it has. */
    public int cycle() {
      return cycle;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  public TimeField {
    parts = List.copyOf(parts);
  }

  @Override
  public List<String> names() {
    List<String> names = new ArrayList<>(width());
    for (Part part : parts) {
      names.add("%s %s sine".formatted(source.name(), part));
      names.add("%s %s cosine".formatted(source.name(), part));
    }
    if (indicator) {
      names.add(source.name() + " (missing)");
    }
    return names;
  }

  @Override
  public int width() {
    return 2 * parts.size() + (indicator ? 1 : 0);
  }

  @Override
  public FieldStep step() {
    return new Step(this);
  }

  @Override
  public void describe(FieldWriter into) {
    into.put("kind", "time");
    into.put("parts", parts.stream().map(Part::toString).toList());
    into.put("unit", unit.toString());
    into.put("indicator", indicator);
  }

  private record Step(TimeField field) implements FieldStep {

    @Override
    public void read(FieldValues values, int at, float[] features, int from)
        throws InvalidExampleException {
      int next = from;
      if (values.kind(at) != FieldValues.Kind.MISSING) {
        long millis = TimeValue.millis(values, at, field.unit, field.source.name());
        ZonedDateTime time = Instant.ofEpochMilli(millis).atZone(ZoneOffset.UTC);
        for (Part part : field.parts) {
          features[next++] = part.sines[part.of(time)];
          features[next++] = part.cosines[part.of(time)];
        }
      } else if (field.indicator) {
        features[from + field.width() - 1] = 1;
      }
    }
  }
}
