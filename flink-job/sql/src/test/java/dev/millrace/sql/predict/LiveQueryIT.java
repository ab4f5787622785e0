package dev.millrace.sql.predict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.testing.SharedFlink;
import dev.millrace.job.testing.TellingModels;
import dev.millrace.model.ModelVersion;
import dev.millrace.sql.Queries;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A query that doesn't end, while models are published. */
@ExtendWith(SharedFlink.class)
class LiveQueryIT {

  private static final int SUBTASKS = 2;
  private static final int MODELS = 6;

  @TempDir Path models;

  /** Of each subtask the version of its last row. */
  private final Map<Long, ModelVersion> newest = new HashMap<>();

  private final Set<Long> seen = new HashSet<>();
  private long published;

  /** Each subtask of the source has its own numbers, and the model is chained to it. */
  @Test
  void newModelsTakeOverAndVersionsNeverGoBack() throws Exception {
    publish();
    Queries queries = Queries.open(models, SUBTASKS, 0);
    queries.createModel("x BIGINT", "`values` ARRAY<FLOAT>, version STRING");
    queries.run(
        "CREATE TABLE numbers (x BIGINT) WITH ('connector' = 'datagen', 'rows-per-second' = '2000',"
            + " 'fields.x.kind' = 'sequence', 'fields.x.start' = '0', 'fields.x.end' = '2000000')");

    queries.readWhile(
        "SELECT * FROM ML_PREDICT(TABLE numbers, MODEL m, DESCRIPTOR(x))",
        row -> {
          check(row);
          if (isServedEverywhere(published) && published < MODELS) {
            publish();
          }
          return !isServedEverywhere(MODELS);
        });

    assertThat(seen).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L, 6L);
  }

  private void check(Row row) {
    long x = row.getFieldAs("x");
    ModelVersion version = ModelVersion.parse(row.getFieldAs("version"));
    Float[] values = row.getFieldAs("values");
    assertThat(values).containsExactly((float) x, (float) version.round());
    ModelVersion last = newest.put(x % SUBTASKS, version);
    assertThat(last == null || last.compareTo(version) <= 0)
        .as("%s follows %s", version, last)
        .isTrue();
    seen.add(version.round());
  }

  private void publish() {
    try {
      TellingModels.publish(models, ++published);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isServedEverywhere(long round) {
    return newest.size() == SUBTASKS
        && newest.values().stream().allMatch(version -> version.round() == round);
  }
}
