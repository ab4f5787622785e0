package dev.millrace.sql.train;

import dev.millrace.fields.FieldsDescription;
import dev.millrace.fields.RecordFeatures;
import dev.millrace.job.options.InputFields;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.setup.JobKind;
import dev.millrace.job.setup.JobSetup;
import dev.millrace.job.train.TrainingEnvironment;
import dev.millrace.job.train.TrainingEnvironment.SetBy;
import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.model.device.UnusableEngineException;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.source.ParkingOperator;
import dev.millrace.source.RecordMapping;
import dev.millrace.sql.kafka.KafkaProperties;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.ProviderContext;
import org.apache.flink.table.connector.sink.DataStreamSinkProvider;
import org.apache.flink.table.data.RowData;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds training to the job of a statement. The session stays as it is: what it has to say is
 * checked, and never set.
 *
 * @param options of training, checked each by itself and together
 * @param columns of the table
 * @param uidPrefix what operators and their state are called by
 * @param mostParked rows that a subtask keeps before the query waits
 */
record TableTraining(Configuration options, TableColumns columns, String uidPrefix, int mostParked)
    implements DataStreamSinkProvider {

  private static final Logger LOG = LoggerFactory.getLogger(TableTraining.class);

  @Override
  public DataStreamSink<?> consumeDataStream(ProviderContext context, DataStream<RowData> rows) {
    StreamExecutionEnvironment environment = rows.getExecutionEnvironment();
    List<String> problems = TrainingEnvironment.problems(environment, true, SetBy.SQL);
    if (!problems.isEmpty()) {
      throw new InvalidOptionsException(problems);
    }
    JobSetup setup = setup(environment);
    setup.warnings().forEach(warning -> LOG.warn("{}", warning));
    TypeSerializer<RowData> serializer =
        rows.getType().createSerializer(environment.getConfig().getSerializerConfig());
    return setup.addTo(
        rows,
        new ParkingOperator<>(
            mapping(setup.shape()), setup.shape(), serializer, uidPrefix, mostParked),
        uidPrefix,
        new RowText(serializer, columns.all()));
  }

  /** Clients print the innermost cause alone, which may say less than we do. */
  private JobSetup setup(StreamExecutionEnvironment environment) {
    try {
      return JobSetup.of(JobKind.OF_TABLE, options, environment.getConfiguration());
    } catch (UnusableEngineException | InvalidModelException | KafkaAccessException e) {
      LOG.info("Training can't be added to the job", e);
      throw new ValidationException(KafkaProperties.inSql(e.getMessage()));
    }
  }

  private RecordMapping<RowData> mapping(ExampleShape shape) {
    List<String> classes = InputOptions.classes(options);
    Optional<FieldsDescription> fields = InputFields.description(options);
    return fields.isPresent()
        ? new FieldsMapping(columns.all(), RecordFeatures.labelled(fields.get(), shape, classes))
        : new ArrayMapping(columns, shape, classes);
  }
}
