package dev.millrace.fields;

import dev.millrace.example.Example;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.model.IdLists;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Makes an example of a record's values, as a description says. The features are complete but for
 * what a model learns: a number that is standardized is there as it came, or its logarithm, and NaN
 * where it is missing; a word whose vocabulary is learned is among the example's words, an id among
 * its ids, and their features are 0.
 *
 * <p>It depends on nothing but the description and the record, so the same record gives the same
 * example everywhere. One instance belongs to one thread.
 */
public final class RecordFeatures implements Serializable {

  private final FieldsDescription description;
  private final ExampleShape shape;
  private final FieldPlan plan;
  private final FieldStep[] steps;
  private final PlannedField[] fields;
  private final int[] offsets;
  private final PlannedField[] words;
  private final IdStep[] idSteps;
  private final PlannedField[] ids;
  private final int mostIds;
  private final LabelStep[] labels;
  private final RecordOrigin origin;

  private RecordFeatures(
      FieldsDescription description, ExampleShape shape, List<String> classes, boolean labelled) {
    this.description = description;
    this.shape = shape;
    PlanBuilder builder = new PlanBuilder(description.sequenceOrNull());
    List<FeatureField> features = description.features();
    this.steps = features.stream().map(FeatureField::step).toArray(FieldStep[]::new);
    this.fields =
        features.stream()
            .map(
                field ->
                    field instanceof IdsField
                        ? builder.addList(field.source())
                        : builder.add(field.source()))
            .toArray(PlannedField[]::new);
    this.offsets = new int[fields.length];
    List<PlannedField> learned = new ArrayList<>();
    List<PlannedField> named = new ArrayList<>();
    List<IdStep> hashed = new ArrayList<>();
    int most = 0;
    int offset = 0;
    for (int i = 0; i < fields.length; i++) {
      offsets[i] = offset;
      offset += features.get(i).width();
      if (features.get(i) instanceof LearnedCategory) {
        learned.add(fields[i]);
      } else if (features.get(i) instanceof IdFeature id) {
        named.add(fields[i]);
        hashed.add(id.ids());
        most = id instanceof IdsField list ? Math.max(most, list.most()) : most;
      }
    }
    this.words = learned.toArray(PlannedField[]::new);
    this.ids = named.toArray(PlannedField[]::new);
    this.idSteps = hashed.toArray(IdStep[]::new);
    this.mostIds = most;
    this.labels =
        labelled
            ? LabelOutputs.steps(description.labels(), shape, classes, builder)
            : new LabelStep[0];
    this.origin = new RecordOrigin(description, builder);
    this.plan = builder.plan();
  }

  /**
   * Makes features alone: the examples' labels stay 0, and nobody asks for them.
   *
   * @param description as {@link FieldsDescription#ofCanonical} reads it from an archive, too
   */
  public static RecordFeatures of(FieldsDescription description) {
    return of(description, description.shape(Target.REGRESSION, 1));
  }

  /**
   * Makes features alone, for examples of a model.
   *
   * @param shape one of the description's
   */
  public static RecordFeatures of(FieldsDescription description, ExampleShape shape) {
    return new RecordFeatures(description, shape, List.of(), false);
  }

  /**
   * Makes features and labels.
   *
   * @param shape one of the description's
   * @param classes names of the classes in the order of their numbers; empty where classes are
   *     numbers
   * @throws IllegalArgumentException if the labels don't fit the shape
   */
  public static RecordFeatures labelled(
      FieldsDescription description, ExampleShape shape, List<String> classes) {
    return new RecordFeatures(description, shape, classes, true);
  }

  /** Returns which values {@link #read} wants. */
  public FieldPlan plan() {
    return plan;
  }

  public ExampleShape shape() {
    return shape;
  }

  /** Names of the features of a record, or of each step of a sequence, in order. */
  public List<String> names() {
    return description.names();
  }

  /** Values to be filled for {@link #read}, again and again. */
  public FieldValues values() {
    return values(Envelope.NONE);
  }

  /** Values to be filled where the fields are in an envelope. */
  FieldValues values(Envelope envelope) {
    FieldValues values = new FieldValues(envelope.around(plan), description.texts());
    description.sequence().ifPresent(sequence -> values.limitSteps(sequence.steps()));
    values.limitLists(mostIds);
    return values;
  }

  /**
   * Makes the example.
   *
   * @param values of {@link #plan}
   * @param into a {@linkplain Example#reset reset} example of {@link #shape}
   * @throws InvalidExampleException if a field's value isn't what the description says; the
   *     example's content is undefined then
   */
  public void read(FieldValues values, Example into) throws InvalidExampleException {
    Arrays.fill(into.features(), 0);
    Arrays.fill(into.labels(), 0);
    if (description.sequenceOrNull() == null) {
      readRow(values, null, into, 0);
      readIds(values, into.ids());
      readLabels(values, null, into.labels(), 0);
    } else {
      readSteps(values, into);
    }
    origin.read(values, into);
  }

  private void readSteps(FieldValues values, Example into) throws InvalidExampleException {
    SequenceFields sequence = description.sequenceOrNull();
    int count = values.steps();
    if (count < 1 || count > sequence.steps()) {
      throw new InvalidExampleException(
          "sequence \"%s\": 1 to %s steps expected, %s found"
              .formatted(sequence.path(), sequence.steps(), count));
    }
    into.setSteps(count);
    for (int i = 0; i < count; i++) {
      try {
        readRow(values, values.step(i), into, i);
        if (sequence.labelPerStep()) {
          readLabels(values, values.step(i), into.labels(), i * shape.outputs());
        }
      } catch (InvalidExampleException e) {
        throw new InvalidExampleException("step %s, %s".formatted(i, e.getMessage()));
      }
    }
    Arrays.fill(into.words(), count * words.length, into.words().length, null);
    if (!sequence.labelPerStep()) {
      readLabels(values, values.step(count - 1), into.labels(), 0);
    }
  }

  private void readRow(FieldValues record, FieldValues stepOrNull, Example into, int row)
      throws InvalidExampleException {
    int from = row * shape.width();
    for (int i = 0; i < steps.length; i++) {
      FieldValues values = fields[i].among(record, stepOrNull);
      steps[i].read(values, fields[i].find(values), into.features(), from + offsets[i]);
    }
    for (int i = 0; i < words.length; i++) {
      FieldValues values = words[i].among(record, stepOrNull);
      int at = words[i].find(values);
      into.words()[row * words.length + i] =
          values.kind(at) == FieldValues.Kind.MISSING
              ? null
              : Value.word(values, at, words[i].source().name());
    }
  }

  private void readIds(FieldValues record, IdLists into) throws InvalidExampleException {
    into.clear();
    for (int i = 0; i < ids.length; i++) {
      idSteps[i].read(record, ids[i].find(record), into);
      into.end();
    }
  }

  private void readLabels(FieldValues record, FieldValues stepOrNull, float[] into, int from)
      throws InvalidExampleException {
    for (LabelStep label : labels) {
      label.read(record, stepOrNull, into, from);
    }
  }
}
