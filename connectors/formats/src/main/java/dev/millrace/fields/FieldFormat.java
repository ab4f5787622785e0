package dev.millrace.fields;

import dev.millrace.example.Example;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.Prerequisites;
import java.util.Objects;

/** Reads records of named fields as examples. Whoever writes such records has them as they are. */
public final class FieldFormat implements ExampleFormat {

  private final RecordFormat format;
  private final RecordFeatures features;
  private final Envelope envelope;
  private transient FieldValues values;

  /**
   * @param format finds the values of the features' {@linkplain RecordFeatures#plan plan}
   */
  public FieldFormat(RecordFormat format, RecordFeatures features) {
    this(format, features, Envelope.NONE);
  }

  /**
   * @param format finds the values of the features' plan with the envelope {@linkplain
   *     Envelope#around around} it
   */
  public FieldFormat(RecordFormat format, RecordFeatures features, Envelope envelope) {
    this.envelope = Objects.requireNonNull(envelope, "envelope");
    this.format = Objects.requireNonNull(format, "format");
    this.features = Objects.requireNonNull(features, "features");
  }

  /** Skips them in an envelope: a delete has a tombstone behind it. */
  @Override
  public boolean skipsTombstones() {
    return envelope != Envelope.NONE;
  }

  @Override
  public Prerequisites prerequisites() {
    return format.prerequisites();
  }

  @Override
  public void read(byte[] value, Example into) throws InvalidExampleException {
    if (values == null) {
      values = features.values(envelope);
    }
    values.clear();
    format.read(value, values);
    envelope.requireRow(values);
    features.read(values, into);
  }

  /** Refuses: an example doesn't have its record's fields any more. */
  @Override
  public byte[] write(Example example) {
    throw new UnsupportedOperationException("Records of named fields are sent as they are");
  }
}
