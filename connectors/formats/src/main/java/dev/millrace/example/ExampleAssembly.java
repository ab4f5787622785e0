package dev.millrace.example;

import dev.millrace.model.Partition;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.IdColumn;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Puts examples together from values that somebody gives one by one, by the rules of every format.
 * Values are copied. The first that breaks a rule makes the record a rejected one; those after it
 * aren't looked at.
 *
 * <p>Where examples have ids, their features are those that don't come of rows.
 *
 * <p>The example is the same object each time: it is valid until the next record. Not thread-safe.
 */
public final class ExampleAssembly {

  private final ExampleShape shape;
  private final ExampleRules rules;
  private final Example example;

  /** Where given features lie; they are all that there are unless some come of rows. */
  private final List<IndexRange> places;

  private final int given;

  private String problem;
  private int features;
  private int labels;
  private boolean hasIds;
  private Partition partition;
  private long offset;

  /**
   * @param labelled whether an example has labels; else they are neither asked for nor looked at
   */
  public ExampleAssembly(ExampleShape shape, boolean labelled) {
    this.shape = Objects.requireNonNull(shape, "shape");
    this.rules = new ExampleRules(shape, labelled);
    this.example = new Example(shape);
    this.places = places(shape);
    this.given = places.stream().mapToInt(IndexRange::length).sum();
  }

  private static List<IndexRange> places(ExampleShape shape) {
    List<IndexRange> places = new ArrayList<>();
    int from = 0;
    for (IdColumn column : shape.columns().ids()) {
      if (column.features().from() > from) {
        places.add(new IndexRange(from, column.features().from()));
      }
      from = column.features().to();
    }
    if (from < shape.features()) {
      places.add(new IndexRange(from, shape.features()));
    }
    return places;
  }

  /** Returns the shape of examples. */
  public ExampleShape shape() {
    return shape;
  }

  /** A step that may find a value that breaks a rule. */
  @FunctionalInterface
  private interface Step {

    void run() throws InvalidExampleException;
  }

  /** Begins with the next record. */
  public void begin() {
    example.reset();
    problem = null;
    features = 0;
    labels = 0;
    hasIds = false;
    partition = null;
    offset = -1;
  }

  /** Sets all features; of a sequence those of its steps, one after the other. */
  public void features(float[] values) {
    attempt(
        () -> {
          if (given < shape.features()) {
            setFeaturesBesideRows(values);
            return;
          }
          setFeatureCount(values);
          System.arraycopy(values, 0, example.features(), 0, features);
          rules.checkFeatures(example.features());
        });
  }

  private void setFeaturesBesideRows(float[] values) throws InvalidExampleException {
    ExampleRules.checkFeatureCount(given, values.length);
    rules.checkFeatures(values);
    Arrays.fill(example.features(), 0f);
    int from = 0;
    for (IndexRange place : places) {
      System.arraycopy(values, from, example.features(), place.from(), place.length());
      from += place.length();
    }
    features = shape.features();
  }

  /** Has a reader fill the ids. Where nobody does, an example has none. */
  public void ids(ExampleReader reader) {
    attempt(
        () -> {
          reader.read(example);
          hasIds = true;
        });
  }

  /** Makes the labels those of a class, counted from 0. */
  public void label(long number) {
    if (rules.isLabelled()) {
      attempt(
          () -> {
            requireClasses();
            if (shape.structure().labelPerStep()) {
              throw new InvalidExampleException("one class, and each step has one of its own");
            }
            rules.setClass(number, example);
            labels = shape.outputs();
          });
    }
  }

  /** Makes the labels those of a class for each step, counted from 0. */
  public void classes(int[] numbers) {
    if (rules.isLabelled()) {
      attempt(
          () -> {
            requireClasses();
            requireLabelCount((long) numbers.length * shape.outputs());
            for (int i = 0; i < numbers.length; i++) {
              rules.setClass(numbers[i], example.labels(), i * shape.outputs());
            }
            labels = numbers.length * shape.outputs();
          });
    }
  }

  /** Sets all labels, one-hot for classification; those of each step where steps have labels. */
  public void labels(float[] values) {
    if (rules.isLabelled()) {
      attempt(
          () -> {
            requireLabelCount(values.length);
            System.arraycopy(values, 0, example.labels(), 0, values.length);
            for (int from = 0; from < values.length; from += shape.outputs()) {
              rules.checkLabelRow(example.labels(), from);
            }
            labels = values.length;
          });
    }
  }

  /**
   * Has a reader fill all of the example, by rules of its own: features, words, and labels where
   * examples are labelled.
   */
  public void whole(ExampleReader reader) {
    attempt(
        () -> {
          reader.read(example);
          features = shape.features();
          labels = shape.labels();
          hasIds = true;
        });
  }

  public void weight(float weight) {
    attempt(() -> rules.setWeight(weight, example));
  }

  public void timestamp(long timestamp) {
    attempt(() -> rules.setTimestamp(timestamp, example));
  }

  public void id(String id) {
    example.setId(id);
  }

  public void key(byte[] key) {
    example.setKey(key);
  }

  /**
   * Says where the record is from, instead of whoever reads it: of a record that has been rejected
   * already, too.
   */
  public void position(String topic, int number, long position) {
    if (topic == null || number < 0 || position < 0) {
      reject(
          "position %s, %s, %s is no topic, partition and offset"
              .formatted(topic, number, position));
      return;
    }
    if (partition == null || partition.number() != number || !partition.topic().equals(topic)) {
      partition = new Partition(topic, number);
    }
    offset = position;
  }

  /** The record is no example. */
  public void reject(String reason) {
    attempt(
        () -> {
          throw new InvalidExampleException(Excerpt.oneLine(String.valueOf(reason), 500));
        });
  }

  /** Whether what was given so far breaks no rule. */
  public boolean isSound() {
    return problem == null;
  }

  /**
   * Returns what has become of the record.
   *
   * @param place where it is from, unless it was said
   * @param index in that place
   * @param time of the record, {@link Example#NO_TIMESTAMP} for none; unless it was said
   */
  public Received end(Partition place, long index, long time) {
    attempt(this::requireAll);
    if (problem != null) {
      return RejectedRecord.withoutBytes(
          offset < 0 ? place : partition, offset < 0 ? index : offset, problem);
    }
    if (!hasIds) {
      example.ids().clear();
      shape.columns().ids().forEach(column -> example.ids().end());
    }
    Arrays.fill(example.features(), features, shape.features(), 0f);
    Arrays.fill(example.labels(), labels, shape.labels(), 0f);
    if (offset < 0) {
      example.setOrigin(place, index);
    } else {
      example.setOrigin(partition, offset);
    }
    if (example.timestamp() == Example.NO_TIMESTAMP) {
      example.setTimestamp(time);
    }
    return example;
  }

  private void attempt(Step step) {
    if (problem == null) {
      try {
        step.run();
      } catch (InvalidExampleException e) {
        problem = e.getMessage();
      }
    }
  }

  private void setFeatureCount(float[] values) throws InvalidExampleException {
    if (shape.structure().isSequence()) {
      if (values.length % shape.width() != 0) {
        throw new InvalidExampleException(
            "%s features of each step expected, %s of all steps found"
                .formatted(shape.width(), values.length));
      }
      rules.checkSteps(values.length / shape.width());
      example.setSteps(values.length / shape.width());
      // Of the record before: a shorter sequence leaves some of them behind.
      Arrays.fill(example.features(), values.length, shape.features(), 0f);
    } else {
      rules.checkFeatureCount(values.length);
    }
    features = values.length;
  }

  private void requireClasses() throws InvalidExampleException {
    if (!rules.isClassification() || shape.target() != Target.CLASSIFICATION) {
      throw new InvalidExampleException("a class, and labels of another kind expected");
    }
  }

  private void requireLabelCount(long found) throws InvalidExampleException {
    if (!shape.structure().labelPerStep()) {
      rules.checkLabelCount(found);
    } else if (found == 0 || found % shape.outputs() != 0 || found > shape.labels()) {
      throw new InvalidExampleException(
          "%s labels of each of at most %s steps expected, %s found"
              .formatted(shape.outputs(), shape.rows(), found));
    }
  }

  private void requireAll() throws InvalidExampleException {
    if (features == 0 && given > 0) {
      throw new InvalidExampleException("no features");
    }
    if (!rules.isLabelled()) {
      return;
    }
    if (labels == 0) {
      throw new InvalidExampleException("no label");
    }
    if (shape.structure().labelPerStep() && labels != example.steps() * shape.outputs()) {
      throw new InvalidExampleException(
          "labels of %s steps, and features of %s"
              .formatted(labels / shape.outputs(), example.steps()));
    }
  }
}
