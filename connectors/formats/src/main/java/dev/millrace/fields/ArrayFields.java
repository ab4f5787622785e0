package dev.millrace.fields;

import java.util.List;

/**
 * Names the fields of examples whose features a program gives as one array, beside ids: {@code
 * features[0]} and so on, as records of JSON have the array.
 */
public final class ArrayFields {

  private static final String ARRAY = "features";

  private ArrayFields() {}

  /** Returns the path of a number of the array. */
  public static String path(int place) {
    return new FieldPath(List.of(ARRAY, place)).toString();
  }

  /**
   * Whether a program can give these fields: numbers that are an array in its order, and ids; no
   * steps, and nothing that is for an input of a graph.
   */
  public static boolean are(FieldsDescription fields) {
    int numbers = 0;
    for (FeatureField field : fields.features()) {
      if (!field.source().input().isEmpty()) {
        return false;
      }
      if (!(field instanceof IdFeature)) {
        boolean next =
            field instanceof NumberField
                && field.width() == 1
                && field.source().path().toString().equals(path(numbers++));
        if (!next) {
          return false;
        }
      }
    }
    return fields.sequenceOrNull() == null && !fields.columns().ids().isEmpty();
  }
}
