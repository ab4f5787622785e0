package dev.millrace.fields;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.example.InvalidExampleException;
import java.util.ArrayList;
import java.util.List;

/**
 * A word that is hashed into a bucket: murmur3 of its UTF-8. Its number is 0 where it is missing,
 * else 1 and more.
 *
 * @param oneHot whether each number has a feature of its own; otherwise the number is the feature
 */
public record HashedCategory(FieldSource source, int buckets, boolean oneHot)
    implements FeatureField {

  private static final int MISSING = 0;
  private static final int FIRST = 1;

  @Override
  public List<String> names() {
    if (!oneHot) {
      return List.of(source.name());
    }
    List<String> names = new ArrayList<>(width());
    names.add(source.name() + " (missing)");
    for (int bucket = 0; bucket < buckets; bucket++) {
      names.add(source.name() + " #" + bucket);
    }
    return names;
  }

  @Override
  public int width() {
    return oneHot ? FIRST + buckets : 1;
  }

  @Override
  public FieldStep step() {
    return new Step(this);
  }

  @Override
  public void describe(FieldWriter into) {
    into.put("kind", "category");
    into.put("buckets", buckets);
    into.put("encode", oneHot ? "one-hot" : "id");
  }

  private record Step(HashedCategory field) implements FieldStep {

    @Override
    public void read(FieldValues values, int at, float[] features, int from)
        throws InvalidExampleException {
      int number = MISSING;
      if (values.kind(at) != FieldValues.Kind.MISSING) {
        byte[] word = Value.category(values, at, field.source.name()).getBytes(UTF_8);
        number = FIRST + Hash.bucket(word, 0, word.length, field.buckets);
      }
      if (field.oneHot) {
        features[from + number] = 1;
      } else {
        features[from] = number;
      }
    }
  }
}
