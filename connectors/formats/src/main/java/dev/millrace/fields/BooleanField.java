package dev.millrace.fields;

import dev.millrace.example.InvalidExampleException;
import java.util.List;

/**
 * True or false, 1 or 0; a missing value is 0.
 *
 * @param indicator whether a second feature is 1 where the value is missing
 */
public record BooleanField(FieldSource source, boolean indicator) implements FeatureField {

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
    return new Step(source.name(), indicator);
  }

  @Override
  public void describe(FieldWriter into) {
    into.put("kind", "boolean");
    into.put("indicator", indicator);
  }

  private record Step(String name, boolean indicator) implements FieldStep {

    @Override
    public void read(FieldValues values, int field, float[] features, int from)
        throws InvalidExampleException {
      if (values.kind(field) != FieldValues.Kind.MISSING) {
        features[from] = Value.truth(values, field, name) ? 1 : 0;
      } else if (indicator) {
        features[from + 1] = 1;
      }
    }
  }
}
