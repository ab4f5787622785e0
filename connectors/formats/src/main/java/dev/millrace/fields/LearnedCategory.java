package dev.millrace.fields;

import dev.millrace.model.shape.WordColumn;
import java.util.ArrayList;
import java.util.List;

/**
 * A word whose vocabulary the model learns. The example carries the word; its features stay 0 until
 * they are completed with what the model has learned.
 *
 * @param words how many the vocabulary may hold
 * @param oneHot whether each number has a feature of its own; otherwise the number is the feature
 */
public record LearnedCategory(FieldSource source, int words, boolean oneHot)
    implements FeatureField {

  /** The word as the model knows it. */
  WordColumn column(int from) {
    return new WordColumn(source.name(), words, from, oneHot);
  }

  @Override
  public List<String> names() {
    if (!oneHot) {
      return List.of(source.name());
    }
    List<String> names = new ArrayList<>(width());
    names.add(source.name() + " (other)");
    names.add(source.name() + " (missing)");
    for (int word = 0; word < words; word++) {
      names.add(source.name() + " #" + word);
    }
    return names;
  }

  @Override
  public int width() {
    return column(0).width();
  }

  /** None of its own: the features are completed later. */
  @Override
  public FieldStep step() {
    return FieldStep.NONE;
  }

  @Override
  public void describe(FieldWriter into) {
    into.put("kind", "category");
    into.put("words", words);
    into.put("encode", oneHot ? "one-hot" : "id");
  }
}
