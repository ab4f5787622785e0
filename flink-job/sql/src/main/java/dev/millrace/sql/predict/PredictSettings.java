package dev.millrace.sql.predict;

import dev.millrace.job.follow.ModelPlace;
import dev.millrace.model.device.DeviceRequest.Kind;
import dev.millrace.sql.predict.ModelSqlOptions.InvalidRows;
import dev.millrace.sql.row.InputColumns;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import org.apache.flink.table.types.logical.LogicalType;

/**
 * What has been checked of a model, on its way to the tasks.
 *
 * @param models where they are published
 * @param poll time between two looks for a new one
 * @param firstModelWait how long the first may take
 * @param device what predictions are computed on
 * @param batchSize rows that are predicted for at once, at most
 * @param maxWait how long the first of them waits for others
 * @param invalid what becomes of rows that are no examples
 */
record PredictSettings(
    ModelPlace models,
    Duration poll,
    Duration firstModelWait,
    Kind device,
    int batchSize,
    Duration maxWait,
    InvalidRows invalid,
    InputColumns inputs,
    OutputColumns outputs)
    implements Serializable {

  /**
   * Returns these settings for a query that gives these types for those of INPUT, and lets so many
   * rows wait at a time.
   */
  PredictSettings given(List<LogicalType> types, int mostWaiting) {
    return new PredictSettings(
        models,
        poll,
        firstModelWait,
        device,
        Math.min(batchSize, mostWaiting),
        maxWait,
        invalid,
        inputs.given(types),
        outputs);
  }
}
