package dev.millrace.fields;

import dev.millrace.example.InvalidExampleException;
import dev.millrace.model.IdLists;
import dev.millrace.model.shape.IdColumn;

/** One value that names a row: a text, a number or a boolean. A missing one names none. */
public record IdField(FieldSource source, String table, int dimension) implements IdFeature {

  /** Returns the sum, which of one row is the row. */
  @Override
  public IdColumn.Pooling pooling() {
    return IdColumn.Pooling.SUM;
  }

  @Override
  public IdStep ids() {
    return new Step(source.name(), new IdHash(table));
  }

  @Override
  public void describe(FieldWriter into) {
    into.put("kind", "id");
    into.put("table", table);
    into.put("dimension", dimension);
  }

  private record Step(String name, IdHash hash) implements IdStep {

    @Override
    public void read(FieldValues values, int at, IdLists into) throws InvalidExampleException {
      if (values.kind(at) != FieldValues.Kind.MISSING) {
        into.add(hash.of(Value.category(values, at, name)));
      }
    }
  }
}
