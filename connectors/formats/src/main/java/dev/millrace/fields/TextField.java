package dev.millrace.fields;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.example.InvalidExampleException;
import java.util.ArrayList;
import java.util.List;

/**
 * A text as its n-grams of characters, hashed into buckets: how often each comes, over the root of
 * the sum of squares. A text shorter than that is one gram. All are 0 where the text is empty or
 * missing.
 *
 * @param ngrams characters, as Unicode's code points, of each gram
 */
public record TextField(FieldSource source, int ngrams, int buckets) implements FeatureField {

  @Override
  public List<String> names() {
    List<String> names = new ArrayList<>(buckets);
    for (int bucket = 0; bucket < buckets; bucket++) {
      names.add(source.name() + " #" + bucket);
    }
    return names;
  }

  @Override
  public int width() {
    return buckets;
  }

  @Override
  public FieldStep step() {
    return new Step(this);
  }

  @Override
  public void describe(FieldWriter into) {
    into.put("kind", "text");
    into.put("ngrams", ngrams);
    into.put("buckets", buckets);
  }

  private record Step(TextField field) implements FieldStep {

    @Override
    public void read(FieldValues values, int at, float[] features, int from)
        throws InvalidExampleException {
      if (values.kind(at) == FieldValues.Kind.MISSING) {
        return;
      }
      byte[] text = Value.text(values, at, field.source.name()).getBytes(UTF_8);
      count(text, features, from);
      double squares = 0;
      for (int i = 0; i < field.buckets; i++) {
        squares += (double) features[from + i] * features[from + i];
      }
      double length = Math.sqrt(squares);
      for (int i = 0; length > 0 && i < field.buckets; i++) {
        features[from + i] = (float) (features[from + i] / length);
      }
    }

    private void count(byte[] text, float[] features, int from) {
      if (text.length == 0) {
        return;
      }
      int end = 0;
      for (int i = 0; i < field.ngrams && end < text.length; i++) {
        end = next(text, end);
      }
      int start = 0;
      features[from + Hash.bucket(text, start, end, field.buckets)]++;
      while (end < text.length) {
        start = next(text, start);
        end = next(text, end);
        features[from + Hash.bucket(text, start, end, field.buckets)]++;
      }
    }

    /** Returns where the character after the one at a byte begins. */
    private static int next(byte[] text, int at) {
      int next = at + 1;
      while (next < text.length && (text[next] & 0xc0) == 0x80) {
        next++;
      }
      return next;
    }
  }
}
