package dev.millrace.model.testing;

import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.ExampleStructure.Input;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.IdColumn;
import dev.millrace.model.shape.IdColumn.Pooling;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import dev.millrace.model.shape.WordColumn;
import java.util.List;
import java.util.stream.Stream;

/** Shapes of examples that have rows of embedding tables. */
public final class RowShapes {

  private RowShapes() {}

  /** Features of which some are rows; a field is called {@code id} and its first feature. */
  public static ExampleShape of(int features, int outputs, Target target, IndexRange... rows) {
    return of(features, outputs, target, List.of(), List.of(), rows);
  }

  /** Classification of a number, two rows of 3 values, a word one-hot, a number and two rows. */
  public static ExampleShape mixed(int outputs) {
    return of(
        20,
        outputs,
        Target.CLASSIFICATION,
        List.of(new IndexRange(0, 1), new IndexRange(12, 13)),
        List.of(new WordColumn("service", 3, 7, true)),
        new IndexRange(1, 4),
        new IndexRange(4, 7),
        new IndexRange(13, 17),
        new IndexRange(17, 20));
  }

  /** A number and a row of 3 values for the input {@code user}, two rows for {@code item}. */
  public static ExampleShape towers(int outputs, Target target) {
    IndexRange[] rows = {new IndexRange(1, 4), new IndexRange(4, 7), new IndexRange(7, 9)};
    return new ExampleShape(
        9,
        outputs,
        target,
        of(9, outputs, target, rows).columns(),
        new ExampleStructure(
            0,
            false,
            List.of(
                new Input("user", new IndexRange(0, 4)), new Input("item", new IndexRange(4, 9))),
            List.of()));
  }

  /** A row of so many values for the input {@code user}, and one for {@code item}. */
  public static ExampleShape twoRows(int dimension, int outputs, Target target) {
    IndexRange user = new IndexRange(0, dimension);
    IndexRange item = new IndexRange(dimension, 2 * dimension);
    return new ExampleShape(
        2 * dimension,
        outputs,
        target,
        of(2 * dimension, outputs, target, user, item).columns(),
        new ExampleStructure(
            0, false, List.of(new Input("user", user), new Input("item", item)), List.of()));
  }

  /** Two rows of 4 values for any set of labels. */
  public static ExampleShape rowsAlone(int outputs) {
    return of(8, outputs, Target.MULTI_LABEL, new IndexRange(0, 4), new IndexRange(4, 8));
  }

  private static ExampleShape of(
      int features,
      int outputs,
      Target target,
      List<IndexRange> numbers,
      List<WordColumn> words,
      IndexRange... rows) {
    List<IdColumn> ids =
        Stream.of(rows)
            .map(row -> new IdColumn("id" + row.from(), "table", row, Pooling.SUM))
            .toList();
    return new ExampleShape(
        features,
        outputs,
        target,
        new FeatureColumns("{\"fields\":[]}", numbers, words, ids),
        ExampleStructure.FLAT);
  }
}
