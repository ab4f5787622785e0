package dev.millrace.fields;

import java.io.Serializable;
import java.util.List;

/** A field that becomes features. Each kind says how many, and how. */
public sealed interface FeatureField extends Serializable
    permits NumberField,
        GivenCategory,
        LearnedCategory,
        HashedCategory,
        BooleanField,
        TimeField,
        TextField,
        IdFeature {

  FieldSource source();

  /** The field's features by name, in order: as many as it becomes. */
  List<String> names();

  /** Returns how many features it becomes. */
  int width();

  /** Returns what makes the features. */
  FieldStep step();

  /** Writes the keys of its kind. */
  void describe(FieldWriter into);
}
