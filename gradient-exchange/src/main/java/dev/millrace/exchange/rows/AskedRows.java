package dev.millrace.exchange.rows;

import dev.millrace.model.IdLists;
import dev.millrace.model.Minibatch;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IdColumn;
import java.util.Arrays;
import java.util.List;

/** The rows of one minibatch's ids, from the pull to the push. Used again; not thread-safe. */
final class AskedRows {

  private final RowRouter router;
  private final TableIds ids;
  private final int[] tableOf;
  private final float[][] rows;
  private final float[][] gradients;

  /** The fields whose ids tell how often the second side of a row was used. */
  private final int[] fieldsOfSecond;

  private final int[][] usesOrNull;
  private Minibatch minibatch;
  private int size;
  private long number;
  private RoutedIds routed;

  /**
   * @param tableOf the number of each field's table
   * @param fieldsOfSecond those of the second side; none where nobody wants to know its uses
   */
  AskedRows(RowRouter router, int[] tableOf, int[] fieldsOfSecond) {
    this.router = router;
    this.tableOf = tableOf;
    this.ids = new TableIds(router.tables().size(), tableOf);
    this.rows = new float[router.tables().size()][0];
    this.gradients = new float[router.tables().size()][0];
    this.fieldsOfSecond = fieldsOfSecond;
    this.usesOrNull = fieldsOfSecond.length == 0 ? null : new int[router.tables().size()][0];
  }

  /**
   * Begins with a minibatch.
   *
   * @param newNumber for its pulls
   * @return what is to be pulled
   */
  RoutedIds begin(Minibatch newMinibatch, long newNumber) {
    minibatch = newMinibatch;
    size = minibatch.size();
    number = newNumber;
    route();
    for (int table = 0; table < rows.length; table++) {
      rows[table] = room(rows[table], table);
      if (usesOrNull != null) {
        usesOrNull[table] = roomFor(usesOrNull[table], ids.unique(table).size());
      }
    }
    return routed;
  }

  private void route() {
    ids.take(minibatch.ids(), minibatch.fresh());
    routed = router.route(ids);
  }

  private float[] room(float[] before, int table) {
    int needed =
        Math.multiplyExact(ids.unique(table).size(), router.tables().get(table).dimension());
    return before.length < needed ? new float[needed + needed / 2] : before;
  }

  private static int[] roomFor(int[] before, int needed) {
    return before.length < needed ? new int[needed + needed / 2] : before;
  }

  Minibatch minibatch() {
    return minibatch;
  }

  long number() {
    return number;
  }

  boolean isComplete() {
    return routed.complete();
  }

  void place(RowAnswer answer) {
    routed.place(answer, rows, usesOrNull);
  }

  /** Makes features of the rows. */
  void pool(ExampleShape shape) {
    List<IdColumn> columns = shape.columns().ids();
    for (int field = 0; field < columns.size(); field++) {
      IdColumn column = columns.get(field);
      Pooling.pool(
          column.pooling(),
          minibatch.ids(),
          field,
          ids.numbers(),
          rows[tableOf[field]],
          column.features().length(),
          minibatch.features(),
          shape.features(),
          column.features().from());
    }
    if (usesOrNull != null) {
      tellUses(columns.size());
    }
  }

  /**
   * Tells the minibatch of each row how often its second side was used: no more often than the
   * rarest of its ids.
   */
  private void tellUses(int fields) {
    IdLists lists = minibatch.ids();
    for (int row = 0; row < minibatch.size(); row++) {
      int least = Integer.MAX_VALUE;
      for (int field : fieldsOfSecond) {
        int list = row * fields + field;
        for (int at = lists.start(list); at < lists.start(list + 1); at++) {
          least = Math.min(least, usesOrNull[tableOf[field]][ids.numbers()[at]]);
        }
      }
      minibatch.usesOfSecond()[row] = least == Integer.MAX_VALUE ? 0 : least;
    }
  }

  /**
   * Makes gradients of rows of those of the features. Examples that the model couldn't learn from
   * have been taken out of the minibatch since.
   *
   * @return what is to be pushed
   */
  RoutedIds scatter(ExampleShape shape, float[] ofFeatures) {
    if (minibatch.size() != size) {
      route();
    }
    for (int table = 0; table < gradients.length; table++) {
      gradients[table] = room(gradients[table], table);
      Arrays.fill(gradients[table], 0);
    }
    List<IdColumn> columns = shape.columns().ids();
    for (int field = 0; field < columns.size(); field++) {
      IdColumn column = columns.get(field);
      Pooling.scatter(
          column.pooling(),
          minibatch.ids(),
          field,
          ids.numbers(),
          gradients[tableOf[field]],
          column.features().length(),
          ofFeatures,
          shape.features(),
          column.features().from());
    }
    return routed;
  }

  /** The gradients of each table's rows. */
  float[][] gradients() {
    return gradients;
  }
}
