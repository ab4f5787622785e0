package dev.millrace.job.evaluate.report;

import dev.millrace.evaluation.ModelEvaluation;
import dev.millrace.model.shape.ExampleShape;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * What was found in a part of the data: measures of its examples, and its records that are none.
 *
 * <p>Not thread-safe.
 */
public final class Findings {

  private final ModelEvaluation evaluation;
  private final RejectedCounts rejected;

  private Findings(ModelEvaluation evaluation, RejectedCounts rejected) {
    this.evaluation = evaluation;
    this.rejected = rejected;
  }

  /** Returns the findings of no record. */
  public static Findings none(ExampleShape shape) {
    return new Findings(ModelEvaluation.of(shape), new RejectedCounts());
  }

  public ModelEvaluation evaluation() {
    return evaluation;
  }

  public RejectedCounts rejected() {
    return rejected;
  }

  /** Takes in what was found in another part. */
  public void merge(Findings other) {
    evaluation.merge(other.evaluation);
    rejected.merge(other.rejected);
  }

  public byte[] toBytes() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      ModelEvaluation.wire(evaluation.shape()).write(evaluation, out);
      RejectedCounts.WIRE.write(rejected, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads what {@link #toBytes} gave for examples of that shape.
   *
   * @throws IOException if the bytes are no such thing
   */
  public static Findings of(byte[] bytes, ExampleShape shape) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    return new Findings(ModelEvaluation.wire(shape).read(in), RejectedCounts.WIRE.read(in));
  }
}
