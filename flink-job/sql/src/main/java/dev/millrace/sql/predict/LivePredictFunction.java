package dev.millrace.sql.predict;

import dev.millrace.exchange.flink.replica.AllottedDevices;
import dev.millrace.model.device.DeviceRequest;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.table.api.config.ExecutionConfigOptions;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.AsyncPredictFunction;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.SpecializedFunction;
import org.apache.flink.table.functions.UserDefinedFunction;
import org.apache.flink.table.types.DataType;

/**
 * Predicts for the rows of one subtask of a query, in batches, with the newest published model. A
 * thread of its own predicts, while the task goes on. Flink keeps the rows that wait, in
 * checkpoints too. Public, because Flink's generated code calls it.
 */
public final class LivePredictFunction extends AsyncPredictFunction implements SpecializedFunction {

  private final PredictSettings settings;
  private final Integer mostWaitingOrNull;

  private transient RowBatches batches;
  private transient Thread thread;

  /**
   * @param mostWaitingOrNull rows that Flink lets wait at a time; null where the session says it
   */
  LivePredictFunction(PredictSettings settings, Integer mostWaitingOrNull) {
    this.settings = settings;
    this.mostWaitingOrNull = mostWaitingOrNull;
  }

  /**
   * Makes the function for the columns of a query, by their own types: Flink compares them with
   * those of INPUT, takes some for others, and casts none. A batch has no more rows than Flink lets
   * wait, or each would wait for rows that can't come.
   *
   * @throws org.apache.flink.table.api.ValidationException if a column can't be features, naming it
   */
  @Override
  public UserDefinedFunction specialize(SpecializedContext context) {
    int mostWaiting =
        mostWaitingOrNull == null
            ? context
                .getConfiguration()
                .get(ExecutionConfigOptions.TABLE_EXEC_ASYNC_ML_PREDICT_MAX_CONCURRENT_OPERATIONS)
            : mostWaitingOrNull;
    List<DataType> types = context.getCallContext().getArgumentDataTypes();
    return new LivePredictFunction(
        settings.given(types.stream().map(DataType::getLogicalType).toList(), mostWaiting),
        mostWaiting);
  }

  /** Another model may take over between two calls with the same row. */
  @Override
  public boolean isDeterministic() {
    return false;
  }

  /** Waits for the first model, which the declared columns are compared with. */
  @Override
  public void open(FunctionContext context) throws Exception {
    DeviceRequest device =
        new DeviceRequest(
            AllottedDevices.names(context.getExternalResourceInfos(AllottedDevices.RESOURCE)),
            DeviceRequest.Use.SHARED,
            settings.device());
    MetricGroup metrics = context.getMetricGroup();
    CompletableFuture<Void> opened = new CompletableFuture<>();
    batches = new RowBatches(settings.batchSize(), settings.maxWait());
    thread =
        new Thread(
            () -> predict(device, metrics, opened),
            "Predictions of " + Thread.currentThread().getName());
    thread.setDaemon(true);
    thread.start();
    try {
      opened.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  private void predict(DeviceRequest device, MetricGroup metrics, CompletableFuture<Void> opened) {
    List<PendingRow> batch = List.of();
    try (RowPredictor predictor = new RowPredictor(settings, device, metrics)) {
      opened.complete(null);
      for (batch = batches.take(); !batch.isEmpty(); batch = batches.take()) {
        predictor.predict(batch);
      }
    } catch (Throwable e) {
      opened.completeExceptionally(e);
      batch.forEach(row -> row.fail(e));
      batches.fail(e);
    }
  }

  @Override
  public CompletableFuture<Collection<RowData>> asyncPredict(RowData row) {
    PendingRow pending = PendingRow.of(row);
    batches.add(pending);
    return pending.answer();
  }

  /** Waits for the thread, whose network is freed with it. */
  @Override
  public void close() throws Exception {
    if (thread != null) {
      batches.close();
      // It may still wait for the first model.
      thread.interrupt();
      thread.join();
      thread = null;
    }
  }
}
