package dev.millrace.job.evaluate.report;

import dev.millrace.example.Example;
import dev.millrace.example.RejectedRecord;
import dev.millrace.job.follow.ServedRows;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Partition;
import dev.millrace.model.UnusableRows;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.io.Reason;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Has a model predict examples, and measures what it says. Nothing is allocated per example.
 *
 * <p>An example's row in its batch follows from its offset, and every batch has as many rows, if
 * need be some that don't count. For the last bits of a prediction depend on the row (vectors begin
 * where memory is aligned) and on the number of rows, but not on what is in the other rows: so they
 * are the same however examples are shared out among evaluators.
 *
 * <p>Belongs to the thread that made it.
 */
public final class Evaluator implements AutoCloseable {

  /** Examples from a multiple of this on, of one partition, are best given to one evaluator. */
  public static final int BATCH = Batch.ROWS;

  /** Partitions that batches are filled of at the same time. */
  private static final int MOST_OPEN = 32;

  private final EvaluatedModel model;
  private final ServedRows rowsOrNull;
  private final ServedRows.Reader readerOrNull;
  private final ModelReplica replica;
  private final Findings findings;
  private final float[] predictions;
  private final Map<Partition, Batch> open = new LinkedHashMap<>();
  private final Deque<Batch> free = new ArrayDeque<>();

  /**
   * @throws dev.millrace.model.device.UnusableEngineException if the model's engine can't work in
   *     this process
   * @throws dev.millrace.model.io.InvalidModelException if the rows that ids name can't be had
   */
  public Evaluator(EvaluatedModel model) {
    this.model = model;
    this.rowsOrNull = rows(model);
    this.readerOrNull = rowsOrNull == null ? null : rowsOrNull.reader(model.spec().shape());
    this.replica =
        ModelEngine.named(model.spec().engine()).build(model.spec(), DeviceRequest.any());
    replica.write(0, model.parameters(), 0, model.spec().parameters());
    ExampleShape shape = model.spec().shape();
    this.findings = Findings.none(shape);
    this.predictions = new float[Math.multiplyExact(Batch.rows(shape), shape.labels())];
  }

  private static ServedRows rows(EvaluatedModel model) {
    if (model.rowsOrNull() == null) {
      return null;
    }
    try {
      return model.rowsOrNull().open();
    } catch (IOException | RuntimeException e) {
      throw new InvalidModelException(
          "Rows can't be had of %s: %s".formatted(model.rowsOrNull(), Reason.of(e)), e);
    }
  }

  /** Takes in an example of a known origin, which may be filled anew afterwards. */
  public void add(Example example) {
    Batch batch = batchOf(example.partition());
    if (batch.size() > 0 && batch.number() != Batch.numberOf(example)) {
      evaluate(batch);
    }
    batch.add(example);
    if (batch.size() == Batch.ROWS) {
      evaluate(batch);
    }
  }

  private Batch batchOf(Partition partition) {
    Batch batch = open.get(partition);
    if (batch != null) {
      return batch;
    }
    if (open.size() == MOST_OPEN) {
      Batch eldest = open.remove(open.keySet().iterator().next());
      evaluate(eldest);
      free.add(eldest);
    }
    batch = free.isEmpty() ? new Batch(model.spec().shape()) : free.remove();
    open.put(partition, batch);
    return batch;
  }

  public void reject(RejectedRecord record) {
    findings.rejected().add(record);
  }

  /** All that was found so far. */
  public Findings findings() {
    open.values().forEach(this::evaluate);
    return findings;
  }

  private void evaluate(Batch batch) {
    if (batch.size() == 0) {
      return;
    }
    ExampleShape shape = model.spec().shape();
    int rows = Batch.rows(shape);
    if (readerOrNull != null) {
      readerOrNull.complete(batch.ids(), batch.features());
    }
    model.completion().apply(batch.features(), batch.words(), batch.stepsOrNull(), rows);
    UnusableRows.predict(replica, batch.features(), batch.stepsOrNull(), rows, predictions)
        .forEach(
            (row, reason) ->
                batch.remove(
                    row,
                    (partition, offset) ->
                        reject(RejectedRecord.withoutBytes(partition, offset, reason))));
    int counted = batch.compact(predictions);
    findings.evaluation().add(predictions, batch.labels(), counted);
    batch.clear();
  }

  @Override
  public void close() {
    replica.close();
    if (rowsOrNull != null) {
      rowsOrNull.close();
    }
  }
}
