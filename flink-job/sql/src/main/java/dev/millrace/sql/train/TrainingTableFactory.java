package dev.millrace.sql.train;

import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.setup.JobKind;
import dev.millrace.job.setup.JobOptions;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.model.shape.Target;
import dev.millrace.sql.kafka.KafkaProperties;
import dev.millrace.sql.row.InputColumn;
import java.util.Map;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.factories.DynamicTableSinkFactory;
import org.apache.flink.table.types.logical.LogicalTypeFamily;

/**
 * Makes the sink of {@code CREATE TABLE … WITH ('connector' = 'millrace', …)}. Flink calls it in
 * the client or gateway when a statement inserts into the table; {@code CREATE TABLE} itself checks
 * nothing. What is wrong with options and columns is said here, all at once.
 */
public final class TrainingTableFactory implements DynamicTableSinkFactory {

  @Override
  public String factoryIdentifier() {
    return "millrace";
  }

  @Override
  public Set<ConfigOption<?>> requiredOptions() {
    return Set.of();
  }

  @Override
  public Set<ConfigOption<?>> optionalOptions() {
    return TrainingTableOptions.all();
  }

  @Override
  public DynamicTableSink createDynamicTableSink(Context context) {
    Map<String, String> all = context.getCatalogTable().getOptions();
    KafkaProperties.requireNames(all);
    ReadableConfig table = Configuration.fromMap(all);
    Configuration training = OptionReader.configuration(TrainingTableOptions.ofTraining(all));
    TableColumns columns = columns(context.getCatalogTable().getResolvedSchema(), table, training);
    check(training, context.getConfiguration());
    if (!training.contains(InputOptions.FIELDS)) {
      RoleTypes.check(columns, InputOptions.shape(training));
    }
    int mostParked = table.get(TrainingTableOptions.MOST_PARKED);
    if (mostParked < 0) {
      throw new ValidationException(
          "'%s' is %s; give at least 0"
              .formatted(TrainingTableOptions.MOST_PARKED.key(), mostParked));
    }
    String name = context.getObjectIdentifier().getObjectName();
    return new TrainingTable(
        context.getObjectIdentifier().asSummaryString(),
        new TableTraining(
            training,
            columns,
            table
                .getOptional(TrainingTableOptions.UID_PREFIX)
                .orElse(name)
                .replaceAll("[^\\w.-]", "-"),
            mostParked));
  }

  private static void check(Configuration training, ReadableConfig session) {
    try {
      JobOptions.check(JobKind.OF_TABLE, training, session);
    } catch (InvalidOptionsException e) {
      throw new InvalidOptionsException(e.problems().stream().map(KafkaProperties::inSql).toList());
    }
  }

  /**
   * Returns which columns are what, as the options say; otherwise {@code training} says it
   * afterwards.
   */
  private static TableColumns columns(
      ResolvedSchema schema, ReadableConfig table, Configuration training) {
    if (training.contains(InputOptions.FIELDS)) {
      TrainingTableOptions.ofColumns().stream()
          .filter(option -> table.getOptional(option).isPresent())
          .findFirst()
          .ifPresent(TrainingTableFactory::refuseTwice);
      return TableColumns.described(schema);
    }
    TableColumns columns = TableColumns.of(schema, table);
    if (!columns.isArray()) {
      training.set(
          InputOptions.FIELDS,
          DerivedFields.json(
              columns,
              table.get(TrainingTableOptions.WORDS),
              table.get(TrainingTableOptions.DIMENSION)));
    }
    requireNames(columns, training);
    return columns;
  }

  private static void refuseTwice(ConfigOption<?> option) {
    throw new ValidationException(
        "'%s' says what columns are, and '%s' does, too; leave one of them out"
            .formatted(option.key(), InputOptions.FIELDS.key()));
  }

  /** A class that is a word needs a number, the same in each job. */
  private static void requireNames(TableColumns columns, Configuration training) {
    InputColumn label = columns.named(columns.labels().get(0));
    if (label.type().is(LogicalTypeFamily.CHARACTER_STRING)
        && training.get(InputOptions.TARGET) == Target.CLASSIFICATION
        && !training.contains(InputOptions.CLASSES)) {
      throw new ValidationException(
          "Column '%s' is a label of type %s, and '%s' is missing; name the classes there, as a;b;c"
              .formatted(label.name(), label.typeText(), InputOptions.CLASSES.key()));
    }
  }
}
