package dev.millrace.api;

import dev.millrace.example.ExampleAssembly;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.fields.GivenIds;
import org.apache.flink.annotation.PublicEvolving;

/**
 * Takes the values of one example. Values are copied. The first that can't be learned from, such as
 * a feature that is NaN or a vector of another length, rejects the record; none of these methods
 * throws for it.
 *
 * <p>Features must be given, and in training labels. Not thread-safe.
 */
@PublicEvolving
public final class ExampleWriter {

  private final ExampleAssembly assembly;

  private final GivenIds ids;

  ExampleWriter(ExampleAssembly assembly) {
    this.assembly = assembly;
    this.ids = new GivenIds(assembly.shape());
  }

  /** Begins with the next record. */
  void begin() {
    ids.clear();
  }

  /** Puts the ids into the example. */
  void end() {
    assembly.ids(ids);
  }

  /**
   * All features; of a sequence those of its steps, one after the other. Rows of {@linkplain #ids
   * ids} aren't among them.
   */
  public ExampleWriter features(float... values) {
    assembly.features(values);
    return this;
  }

  /** Sets all features, rounded to single precision. */
  public ExampleWriter features(double[] values) {
    assembly.features(singles(values));
    return this;
  }

  /** The class, counted from 0, where examples are classified. */
  public ExampleWriter label(int number) {
    assembly.label(number);
    return this;
  }

  /** The class of each step, where steps of sequences are classified. */
  public ExampleWriter classes(int... numbers) {
    assembly.classes(numbers);
    return this;
  }

  /** The values to predict; of classes 0s and one 1. Of each step where steps have labels. */
  public ExampleWriter labels(float... values) {
    assembly.labels(values);
    return this;
  }

  /** Sets the values to predict, rounded to single precision. */
  public ExampleWriter labels(double[] values) {
    assembly.labels(singles(values));
    return this;
  }

  /** Sets how much the example counts in the loss, above 0; 1 where it isn't said. */
  public ExampleWriter weight(double weight) {
    assembly.weight((float) weight);
    return this;
  }

  /**
   * Sets when it was so, in milliseconds since 1970; the record's own timestamp where it isn't
   * said.
   */
  public ExampleWriter timestamp(long milliseconds) {
    assembly.timestamp(milliseconds);
    return this;
  }

  /** The example's own name, or null. */
  public ExampleWriter id(String id) {
    assembly.id(id);
    return this;
  }

  /**
   * Gives the id of a field of {@linkplain Ids#one one id}. Equal texts are equal ids, in every
   * format of records, too.
   *
   * @param valueOrNull null for none
   */
  public ExampleWriter id(String field, String valueOrNull) {
    return attempt(() -> ids.setWord(field, valueOrNull));
  }

  /** Gives the id of a field of {@linkplain Ids#one one id}: the same as its decimal text. */
  public ExampleWriter id(String field, long value) {
    return attempt(() -> ids.setNumber(field, value));
  }

  /**
   * Gives the ids of a field of {@linkplain Ids#list lists}.
   *
   * @param values texts, numbers or booleans; null ones are left out
   */
  public ExampleWriter ids(String field, Iterable<?> values) {
    return attempt(() -> ids.setList(field, values));
  }

  /** Gives the ids of a field of {@linkplain Ids#list lists}: the same as their decimal texts. */
  public ExampleWriter ids(String field, long... values) {
    return attempt(() -> ids.setList(field, values));
  }

  private ExampleWriter attempt(Step step) {
    try {
      step.run();
    } catch (InvalidExampleException e) {
      assembly.reject(e.getMessage());
    }
    return this;
  }

  /** A step that may find that the record is no example. */
  @FunctionalInterface
  private interface Step {

    void run() throws InvalidExampleException;
  }

  /**
   * Says where the record is from, for the ledger and for messages, rejected or not; its split and
   * its number in it where this isn't said. A place must not be said twice: the ledger would count
   * both.
   *
   * @param topic such as Kafka's
   * @param partition at least 0
   * @param offset at least 0
   */
  public ExampleWriter position(String topic, int partition, long offset) {
    assembly.position(topic, partition, offset);
    return this;
  }

  /** The record is no example. */
  public ExampleWriter reject(String reason) {
    assembly.reject(reason);
    return this;
  }

  private static float[] singles(double[] values) {
    float[] singles = new float[values.length];
    for (int i = 0; i < values.length; i++) {
      singles[i] = (float) values[i];
    }
    return singles;
  }
}
