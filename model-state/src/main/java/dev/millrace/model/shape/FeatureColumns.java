package dev.millrace.model.shape;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.millrace.model.Minibatch;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;

/**
 * Which features are made of named fields, and what is learned of them. An example's features are
 * complete but for this: numbers are as they came, NaN where one is missing, and are yet to be
 * standardized; what a word or an id decides is 0.
 *
 * @param description of the fields, as canonical JSON; empty where examples are arrays of numbers
 * @param numbers the features that are standardized, in ascending order, counted from the start of
 *     the example, or of each step of a sequence
 * @param words in the order of {@link Minibatch#words}
 * @param ids in the order of {@link Minibatch#ids}
 */
public record FeatureColumns(
    String description,
    List<IndexRange> numbers,
    List<WordColumn> words,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<IdColumn> ids)
    implements Serializable {

  /**
   * The columns of examples that are arrays of numbers: the job decides whether all or none is
   * standardized.
   */
  public static final FeatureColumns PLAIN =
      new FeatureColumns("", List.of(), List.of(), List.of());

  public FeatureColumns {
    Objects.requireNonNull(description, "description");
    numbers = List.copyOf(numbers);
    words = List.copyOf(words);
    ids = ids == null ? List.of() : List.copyOf(ids);
  }

  @JsonIgnore
  public boolean isPlain() {
    return description.isEmpty();
  }

  /** Whether a model can use both alike, see {@link KeptFields}. */
  @Override
  public boolean equals(Object other) {
    return other instanceof FeatureColumns columns
        && numbers.equals(columns.numbers)
        && words.equals(columns.words)
        && ids.equals(columns.ids)
        && KeptFields.difference(description, columns.description).isEmpty();
  }

  @Override
  public int hashCode() {
    return Objects.hash(numbers, words, ids);
  }
}
