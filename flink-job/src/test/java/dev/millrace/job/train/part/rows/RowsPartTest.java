package dev.millrace.job.train.part.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.flink.rows.RowHooks;
import dev.millrace.job.options.CheckpointOptions;
import dev.millrace.job.options.ModelOptions;
import dev.millrace.job.options.OptionRules;
import dev.millrace.job.options.RowsOptions;
import dev.millrace.job.options.RowsOptions.Order;
import dev.millrace.job.options.SnapshotOptions;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.job.train.options.ExchangeOptions;
import dev.millrace.job.train.part.PartContext;
import dev.millrace.model.testing.FieldShapes;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowsPartTest {

  private final Configuration options = new Configuration();

  private List<String> problems() {
    OptionRules rules = new OptionRules(options);
    new RowsPart().check(rules, false);
    return rules.problems();
  }

  @Test
  void replicaOrderTakesRoundsThatAreWaitedForAndNothingAhead() {
    options.set(RowsOptions.ORDER, Order.REPLICA);
    options.set(ExchangeOptions.SCHEDULE, "overlap");

    assertThat(problems())
        .containsExactly(
            "rows.order is 'replica', and exchange.schedule is 'overlap': it takes rounds that"
                + " replicas wait for; use sync",
            "rows.order is 'replica', and rows.prefetch is '1': what is fetched ahead differs each"
                + " time; set it to 0");

    options.set(ExchangeOptions.SCHEDULE, "sync");
    options.set(RowsOptions.PREFETCH, 0);
    assertThat(problems()).isEmpty();
  }

  @Test
  void aDirectoryOfRowsTakesCheckpointsAndIsNotThatOfModels() {
    options.set(RowsOptions.FILES, "/somewhere/rows");
    options.set(CheckpointOptions.INTERVAL, Duration.ZERO);
    options.set(SnapshotOptions.DIRECTORY, "file:///somewhere/rows");

    assertThat(problems())
        .containsExactly(
            "rows.files and snapshot.directory are both '/somewhere/rows'; give rows a directory of"
                + " their own",
            "execution.checkpointing.interval is '0', and rows.files publishes what checkpoints"
                + " have; set an interval");

    options.set(CheckpointOptions.INTERVAL, Duration.ofSeconds(1));
    options.set(RowsOptions.FILES, "s3:");
    assertThat(problems())
        .singleElement()
        .asString()
        .startsWith("rows.files is 's3:', which is no path or URI: ");
    options.set(RowsOptions.FILES, "s3://bucket/rows");
    assertThat(problems()).isEmpty();
  }

  @Test
  void usesAreToldWhereThereAreNegatives() {
    assertThat(hooks().tellsUses()).isFalse();
    options.set(ModelOptions.NEGATIVES, 1);
    assertThat(hooks().tellsUses()).isTrue();
  }

  private RowHooks hooks() {
    PartContext context = new PartContext(options, FieldShapes.ids(3), false);
    return (RowHooks) new RowsPart().replicaHook(context).orElseThrow();
  }

  @Test
  void rowsOfAnEarlierJobAreToldOf(@TempDir Path directory) throws Exception {
    options.set(RowsOptions.FILES, directory.toString());
    assertThat(new RowsPart().leftovers(options)).isEmpty();

    Files.writeString(directory.resolve("rows.json"), "{\"format\": 1, \"rows\": \"any\"}");
    assertThat(new RowsPart().leftovers(options))
        .containsExactly(
            ("The directory '%s' has rows of an earlier job. Where this one begins without state,"
                    + " it ends at once: name a directory in rows.files that isn't there yet")
                .formatted(directory));
  }

  @Test
  void orderOfArrivalTakesAnything() {
    options.set(ExchangeOptions.SCHEDULE, "overlap");
    options.set(RowsOptions.PREFETCH, 3);

    assertThat(problems()).isEmpty();
  }

  /** A table may be more than the heap has room for. */
  @Test
  void ofIdsStateIsOnDisk() {
    assertThat(
            needsDisk(
                "[{\"path\": \"user\", \"kind\": \"id\"}, {\"path\": \"y\", \"role\": \"label\"}]"))
        .isTrue();
    assertThat(
            needsDisk(
                "[{\"path\": \"x\", \"kind\": \"number\"}, {\"path\": \"y\", \"role\":"
                    + " \"label\"}]"))
        .isFalse();
    assertThat(new RowsPart().needsDisk(options)).isFalse();
  }

  private static boolean needsDisk(String fields) {
    return new RowsPart()
        .needsDisk(
            OptionReader.configuration(Map.of("input.format", "json", "input.fields", fields)));
  }
}
