package dev.millrace.job.evaluation;

import dev.millrace.example.Example;
import dev.millrace.example.RejectedRecord;
import dev.millrace.model.DeviceRequest;
import dev.millrace.model.ExampleShape;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;

/**
 * Has a model predict examples, and measures what it says. Nothing is allocated per example.
 *
 * <p>Every batch has {@value #ROWS} rows, the last one with rows that don't count: engines choose
 * another order of additions for another number of rows, and so a prediction would depend on how
 * the examples were shared out.
 *
 * <p>Belongs to the thread that made it.
 */
public final class Evaluator implements AutoCloseable {

  /**
   * A multiple of the rows that matrix products take at a time, so all of them are treated alike.
   */
  static final int ROWS = 256;

  private final EvaluatedModel model;
  private final ModelReplica replica;
  private final Findings findings;
  private final float[] features;
  private final float[] labels;
  private final float[] predictions;
  private int rows;

  /**
   * @throws dev.millrace.model.UnusableEngineException if the model's engine can't work in this
   *     process
   */
  public Evaluator(EvaluatedModel model) {
    this.model = model;
    this.replica =
        ModelEngine.named(model.spec().engine()).build(model.spec(), DeviceRequest.any());
    replica.write(0, model.parameters(), 0, model.spec().parameters());
    ExampleShape shape = model.spec().shape();
    this.findings = Findings.none(shape);
    this.features = new float[Math.multiplyExact(ROWS, shape.features())];
    this.labels = new float[Math.multiplyExact(ROWS, shape.outputs())];
    this.predictions = new float[Math.multiplyExact(ROWS, shape.outputs())];
  }

  public void add(Example example) {
    ExampleShape shape = model.spec().shape();
    System.arraycopy(example.features(), 0, features, rows * shape.features(), shape.features());
    System.arraycopy(example.labels(), 0, labels, rows * shape.outputs(), shape.outputs());
    rows++;
    if (rows == ROWS) {
      evaluate();
    }
  }

  public void reject(RejectedRecord record) {
    findings.rejected().add(record);
  }

  /** All that was found so far. */
  public Findings findings() {
    if (rows > 0) {
      evaluate();
    }
    return findings;
  }

  private void evaluate() {
    if (model.standardizationOrNull() != null) {
      model.standardizationOrNull().apply(features, rows);
    }
    replica.predict(features, ROWS, predictions);
    findings.evaluation().add(predictions, labels, rows);
    rows = 0;
  }

  @Override
  public void close() {
    replica.close();
  }
}
