package dev.millrace.sql.predict;

import dev.millrace.example.Example;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.exchange.flink.NonRecoverableException;
import dev.millrace.exchange.flink.replica.AllottedDevices;
import dev.millrace.job.score.LiveScorer;
import dev.millrace.model.UnusableExamplesException;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.sql.predict.ModelSqlOptions.InvalidRows;
import dev.millrace.sql.row.RowReader;
import java.util.Collection;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.PredictFunction;
import org.apache.flink.table.functions.SpecializedFunction;
import org.apache.flink.table.functions.UserDefinedFunction;
import org.apache.flink.table.types.DataType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Predicts for one row after the other, in one subtask of a query, with the newest published model.
 * Public, because Flink's generated code calls it.
 */
public final class LivePredictFunction extends PredictFunction implements SpecializedFunction {

  private static final Logger LOG = LoggerFactory.getLogger(LivePredictFunction.class);

  private final PredictSettings settings;

  private transient LiveScorer scorer;
  private transient RowReader reader;
  private transient RowWriter writer;
  private transient Example example;
  private transient boolean hasWarned;

  LivePredictFunction(PredictSettings settings) {
    this.settings = settings;
  }

  /**
   * The function for the columns of a query, by their own types: Flink compares them with those of
   * INPUT, takes some for others, and casts none.
   *
   * @throws org.apache.flink.table.api.ValidationException if one can't be features, naming it
   */
  @Override
  public UserDefinedFunction specialize(SpecializedContext context) {
    return new LivePredictFunction(
        settings.given(
            context.getCallContext().getArgumentDataTypes().stream()
                .map(DataType::getLogicalType)
                .toList()));
  }

  /** Another model may take over between two calls with the same row. */
  @Override
  public boolean isDeterministic() {
    return false;
  }

  /** Waits for the first model, and compares the declared columns with what it takes and gives. */
  @Override
  public void open(FunctionContext context) throws Exception {
    DeviceRequest device =
        new DeviceRequest(
            AllottedDevices.names(context.getExternalResourceInfos(AllottedDevices.RESOURCE)),
            DeviceRequest.Use.SHARED,
            settings.device());
    scorer =
        LiveScorer.open(
            settings.models(),
            settings.poll(),
            settings.firstModelWait(),
            device,
            context.getMetricGroup());
    try {
      reader = settings.inputs().reader(scorer.shape());
      writer = settings.outputs().writer(scorer.shape(), scorer.classes());
    } catch (InvalidModelException e) {
      throw new NonRecoverableException(e);
    }
    example = new Example(scorer.shape());
  }

  @Override
  public Collection<RowData> predict(RowData row) {
    float[] outputs;
    try {
      example.reset();
      reader.read(row, example);
      outputs = scorer.predict(example);
    } catch (InvalidExampleException | UnusableExamplesException e) {
      return List.of(invalid(e));
    }
    return List.of(writer.write(outputs, scorer.version()));
  }

  private RowData invalid(Exception why) {
    if (settings.invalid() == InvalidRows.FAIL) {
      throw new NonRecoverableException(
          new IllegalArgumentException(
              "A row can't be predicted for: %s. Filter such rows out, or have their outputs be NULL"
                      .formatted(why.getMessage())
                  + " with '%s' = '%s'"
                      .formatted(ModelSqlOptions.INVALID_ROWS.key(), InvalidRows.NULL),
              why));
    }
    scorer.reject();
    if (!hasWarned) {
      hasWarned = true;
      LOG.warn(
          "A row can't be predicted for, so its outputs are NULL, as will be those of others"
              + " without a further word: {}",
          why.getMessage());
    }
    return writer.nothing();
  }

  @Override
  public void close() throws Exception {
    if (scorer != null) {
      scorer.close();
      scorer = null;
    }
  }
}
