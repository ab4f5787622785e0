package dev.millrace.fields;

import dev.millrace.example.InvalidExampleException;
import dev.millrace.model.shape.WordColumn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A word of a given vocabulary. Its number is 0 for any other word, 1 for a missing one, and counts
 * from 2 in the order of the vocabulary.
 *
 * @param values the vocabulary, at least one word, each once
 * @param oneHot whether each number has a feature of its own; otherwise the number is the feature
 */
public record GivenCategory(FieldSource source, List<String> values, boolean oneHot)
    implements FeatureField {

  public GivenCategory {
    values = List.copyOf(values);
  }

  @Override
  public List<String> names() {
    if (!oneHot) {
      return List.of(source.name());
    }
    List<String> names = new ArrayList<>(width());
    names.add(source.name() + " (other)");
    names.add(source.name() + " (missing)");
    values.forEach(value -> names.add(source.name() + "=" + value));
    return names;
  }

  @Override
  public int width() {
    return oneHot ? WordColumn.FIRST + values.size() : 1;
  }

  @Override
  public FieldStep step() {
    Map<String, Integer> numbers = new HashMap<>();
    values.forEach(value -> numbers.put(value, WordColumn.FIRST + numbers.size()));
    // 5.0 and True in the vocabulary mean the number and the truth value, too.
    for (String value : values) {
      numbers.putIfAbsent(CellWord.of(value), numbers.get(value));
    }
    return new Step(source.name(), new HashMap<>(numbers), oneHot);
  }

  @Override
  public void describe(FieldWriter into) {
    into.put("kind", "category");
    into.put("values", values);
    into.put("encode", oneHot ? "one-hot" : "id");
  }

  private record Step(String name, HashMap<String, Integer> numbers, boolean oneHot)
      implements FieldStep {

    @Override
    public void read(FieldValues values, int field, float[] features, int from)
        throws InvalidExampleException {
      int number = WordColumn.MISSING;
      if (values.kind(field) != FieldValues.Kind.MISSING) {
        number = numbers.getOrDefault(Value.category(values, field, name), WordColumn.OTHER);
      }
      if (oneHot) {
        features[from + number] = 1;
      } else {
        features[from] = number;
      }
    }
  }
}
