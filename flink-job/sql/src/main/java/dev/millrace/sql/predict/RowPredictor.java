package dev.millrace.sql.predict;

import dev.millrace.example.Example;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.exchange.flink.NonRecoverableException;
import dev.millrace.job.score.LiveScorer;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.sql.predict.ModelSqlOptions.InvalidRows;
import dev.millrace.sql.row.RowReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.table.data.RowData;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers batches of rows with the newest published model. Belongs to one thread. */
final class RowPredictor implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(RowPredictor.class);

  private final InvalidRows invalid;
  private final LiveScorer scorer;
  private final RowReader reader;
  private final RowWriter writer;
  private final Example example;
  private boolean hasWarned;

  /** Waits for the first model, and compares the declared columns with what it takes and gives. */
  RowPredictor(PredictSettings settings, DeviceRequest device, MetricGroup metrics)
      throws InterruptedException {
    invalid = settings.invalid();
    scorer =
        LiveScorer.open(
            settings.models(),
            settings.poll(),
            settings.firstModelWait(),
            device,
            settings.batchSize(),
            metrics);
    try {
      reader = settings.inputs().reader(scorer.shape());
      writer = settings.outputs().writer(scorer.shape(), scorer.classes());
    } catch (InvalidModelException e) {
      scorer.close();
      throw new NonRecoverableException(e);
    }
    example = new Example(scorer.shape());
  }

  /** Answers all rows of a batch; those that are no examples without outputs. */
  void predict(List<PendingRow> batch) {
    List<PendingRow> examples = new ArrayList<>(batch.size());
    for (PendingRow row : batch) {
      try {
        example.reset();
        reader.read(row.row(), example);
      } catch (InvalidExampleException e) {
        row.answer(reject(e.getMessage()));
        continue;
      }
      scorer.add(example);
      examples.add(row);
    }
    Map<Integer, String> unusable = scorer.predict();
    for (int i = 0; i < examples.size(); i++) {
      String why = unusable.get(i);
      examples
          .get(i)
          .answer(why == null ? writer.write(scorer.outputs(i), scorer.version()) : reject(why));
    }
  }

  private RowData reject(String why) {
    if (invalid == InvalidRows.FAIL) {
      throw new NonRecoverableException(
          new IllegalArgumentException(
              "A row can't be predicted for: %s. Filter such rows out, or have their outputs be NULL"
                      .formatted(why)
                  + " with '%s' = '%s'"
                      .formatted(ModelSqlOptions.INVALID_ROWS.key(), InvalidRows.NULL)));
    }
    scorer.reject();
    if (!hasWarned) {
      hasWarned = true;
      LOG.warn(
          "A row can't be predicted for, so its outputs are NULL, as will be those of others"
              + " without a further word: {}",
          why);
    }
    return writer.nothing();
  }

  @Override
  public void close() {
    scorer.close();
  }
}
