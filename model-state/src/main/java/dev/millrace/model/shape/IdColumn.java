package dev.millrace.model.shape;

import java.io.Serializable;
import java.util.Locale;
import java.util.Objects;

/**
 * Ids of each example that become features by the rows which an embedding table has for them: their
 * sum, or their mean.
 *
 * @param name of the field that they come from
 * @param table that has the rows; fields may share it
 * @param features where the row's values lie, as many as the table's rows have; counted from the
 *     start of the example
 * @param pooling of the rows of several ids
 */
public record IdColumn(String name, String table, IndexRange features, Pooling pooling)
    implements Serializable {

  /** How the rows of several ids become one. No ids become zeros. */
  public enum Pooling {
    SUM,
    MEAN;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public IdColumn {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(table, "table");
    Objects.requireNonNull(pooling, "pooling");
    if (features.length() < 1) {
      throw new IllegalArgumentException("Rows of %s values".formatted(features.length()));
    }
  }
}
