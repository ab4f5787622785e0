package dev.millrace.exchange.rows;

import dev.millrace.model.IdLists;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IdColumn;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes features of ids for predictions, as a replica does that has pulled the rows. Each different
 * id is read once for a batch. Belongs to one thread.
 */
public final class PooledRows {

  /** Has rows, and reads them. */
  public interface Source {

    /**
     * Reads values of ids; of those without a row the initial ones.
     *
     * @param ids of the table; {@code n} from the first on
     * @param values takes {@code dimension} values of each, in their order
     */
    void read(String table, int dimension, long[] ids, int n, float[] values);
  }

  private final ExampleShape shape;
  private final List<String> tables = new ArrayList<>();
  private final List<Integer> dimensions = new ArrayList<>();
  private final int[] tableOf;
  private final TableIds different;
  private final float[][] rows;

  /**
   * @param shape of examples
   */
  public PooledRows(ExampleShape shape) {
    this.shape = shape;
    List<IdColumn> columns = shape.columns().ids();
    this.tableOf = new int[columns.size()];
    for (int field = 0; field < tableOf.length; field++) {
      IdColumn column = columns.get(field);
      if (!tables.contains(column.table())) {
        tables.add(column.table());
        dimensions.add(column.features().length());
      }
      tableOf[field] = tables.indexOf(column.table());
    }
    this.different = new TableIds(tables.size(), tableOf);
    this.rows = new float[tables.size()][0];
  }

  /**
   * Writes the columns of ids of each example.
   *
   * @param features row-major, the shape's for each row of ids
   */
  public void fill(IdLists ids, Source source, float[] features) {
    different.take(ids);
    for (int table = 0; table < rows.length; table++) {
      UniqueIds unique = different.unique(table);
      int needed = Math.multiplyExact(unique.size(), dimensions.get(table));
      rows[table] = rows[table].length < needed ? new float[needed + needed / 2] : rows[table];
      source.read(
          tables.get(table), dimensions.get(table), unique.ids(), unique.size(), rows[table]);
    }
    for (int field = 0; field < tableOf.length; field++) {
      IdColumn column = shape.columns().ids().get(field);
      Pooling.pool(
          column.pooling(),
          ids,
          field,
          different.numbers(),
          rows[tableOf[field]],
          column.features().length(),
          features,
          shape.features(),
          column.features().from());
    }
  }
}
