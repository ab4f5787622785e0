package dev.millrace.fields;

import dev.millrace.example.InvalidExampleException;
import dev.millrace.model.IdLists;
import dev.millrace.model.shape.IdColumn;

/**
 * A list of values that each name a row. It is an array, or a text of pieces with a separator
 * between them, each a word as a cell of csv is. Elements that are missing, and pieces of blanks,
 * are left out.
 *
 * @param separatorOrNull between the pieces of a text; null where only an array is a list
 * @param most ids that a record may have
 */
public record IdsField(
    FieldSource source,
    String table,
    int dimension,
    IdColumn.Pooling pooling,
    String separatorOrNull,
    int most)
    implements IdFeature {

  @Override
  public IdStep ids() {
    return new Step(this, new IdHash(table));
  }

  @Override
  public void describe(FieldWriter into) {
    into.put("kind", "ids");
    into.put("table", table);
    into.put("dimension", dimension);
    into.put("pooling", pooling.toString());
    if (separatorOrNull != null) {
      into.put("separator", separatorOrNull);
    }
    into.put("most", most);
  }

  private record Step(IdsField field, IdHash hash) implements IdStep {

    @Override
    public void read(FieldValues values, int at, IdLists into) throws InvalidExampleException {
      switch (values.kind(at)) {
        case MISSING -> {}
        case LIST -> readElements(values.listAt(at), into);
        default -> readText(values, at, into);
      }
    }

    private void readElements(FieldValues list, IdLists into) throws InvalidExampleException {
      int count = list.steps();
      requireAtMost(count);
      for (int i = 0; i < count; i++) {
        FieldValues element = list.step(i);
        if (element.kind(0) != FieldValues.Kind.MISSING) {
          try {
            into.add(hash.of(Value.category(element, 0, name())));
          } catch (InvalidExampleException e) {
            throw new InvalidExampleException("element %s, %s".formatted(i, e.getMessage()));
          }
        }
      }
    }

    private void readText(FieldValues values, int at, IdLists into) throws InvalidExampleException {
      String separator = field.separatorOrNull;
      if (separator == null) {
        throw noList(values, at);
      }
      String text = Value.text(values, at, name());
      int count = 0;
      int from = 0;
      while (from <= text.length()) {
        int found = text.indexOf(separator, from);
        int to = found < 0 ? text.length() : found;
        String piece = text.substring(from, to).strip();
        if (!piece.isEmpty() && !values.isMissing(piece)) {
          count++;
          if (count <= field.most) {
            into.add(hash.of(values.wordOf(piece)));
          }
        }
        from = to + separator.length();
      }
      requireAtMost(count);
    }

    private InvalidExampleException noList(FieldValues values, int at) {
      InvalidExampleException found = Value.expected("a list", values, at, name());
      return values.kind(at) == FieldValues.Kind.OTHER
          ? found
          : new InvalidExampleException(
              found.getMessage() + "; the key separator says how a text is one");
    }

    private void requireAtMost(int count) throws InvalidExampleException {
      if (count > field.most) {
        throw new InvalidExampleException(
            "field \"%s\": at most %s ids expected, %s found; the key most allows more"
                .formatted(name(), field.most, count));
      }
    }

    private String name() {
      return field.source.name();
    }
  }
}
