package dev.millrace.fields;

import dev.millrace.model.shape.IdColumn;
import dev.millrace.model.shape.IndexRange;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A field whose value names rows of an embedding table. The example carries the ids; the field's
 * features stay 0 until they are completed with the rows.
 */
public sealed interface IdFeature extends FeatureField permits IdField, IdsField {

  /** The table that has the rows; fields may share it. */
  String table();

  /** Values of a row, and features of the field. */
  int dimension();

  /** Says how the rows of several ids become one. */
  IdColumn.Pooling pooling();

  /** Returns what makes the ids. */
  IdStep ids();

  /** Returns the ids as a network's input knows them. */
  default IdColumn column(int from) {
    return new IdColumn(
        source().name(), table(), new IndexRange(from, from + dimension()), pooling());
  }

  @Override
  default List<String> names() {
    return IntStream.range(0, dimension()).mapToObj(i -> source().name() + " #" + i).toList();
  }

  @Override
  default int width() {
    return dimension();
  }

  /** None of its own: the features are completed later. */
  @Override
  default FieldStep step() {
    return FieldStep.NONE;
  }
}
