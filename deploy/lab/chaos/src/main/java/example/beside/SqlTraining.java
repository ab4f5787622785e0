package example.beside;

import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;

/** Trains on a topic of digits by statements. */
final class SqlTraining {

  private SqlTraining() {}

  static void submit(String servers, String topic, String models) {
    TableEnvironment tables = TableEnvironment.create(EnvironmentSettings.inStreamingMode());
    tables.createTemporarySystemFunction("PIXELS", DigitColumns.Pixels.class);
    tables.createTemporarySystemFunction("LABEL", DigitColumns.Label.class);
    tables.executeSql(
        """
        CREATE TABLE digits (digit BYTES) WITH (
          'connector' = 'kafka', 'topic' = '%s', 'properties.bootstrap.servers' = '%s',
          'properties.group.id' = 'sql', 'scan.startup.mode' = 'earliest-offset', 'format' = 'raw')
        """
            .formatted(topic, servers));
    tables.executeSql(
        """
        CREATE TABLE training (features ARRAY<FLOAT>, label INT) WITH (
          'connector' = 'millrace', 'input.features' = '%s', 'input.outputs' = '%s',
          'model.name' = 'mlp', 'model.hidden' = '64', 'model.updater' = 'adam',
          'model.learning-rate' = '0.002', 'snapshot.interval' = '2 s', 'snapshot.directory' = '%s')
        """
            .formatted(Digit.PIXELS, Digit.CLASSES, models));
    tables.executeSql("INSERT INTO training SELECT PIXELS(digit), LABEL(digit) FROM digits");
  }
}
