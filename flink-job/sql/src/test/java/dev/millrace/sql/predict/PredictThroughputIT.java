package dev.millrace.sql.predict;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import dev.millrace.job.testing.SharedFlink;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.sql.PublishedNetwork;
import dev.millrace.sql.Queries;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Measures a row in a batch, and by itself, in processor time: the machine may be busy. */
@ExtendWith(SharedFlink.class)
class PredictThroughputIT {

  private static final int ROWS = 5_000;

  @TempDir Path models;

  private Queries queries;

  @Test
  void rowsCostLessInBatches() throws Exception {
    PublishedNetwork.of(new ExampleShape(54, 7, Target.CLASSIFICATION)).publish(models, Map.of());
    queries = Queries.open(models, 1, 0);
    queries.createModel("f ARRAY<FLOAT>", "class STRING");
    queries.run(
        "CREATE TABLE t (f ARRAY<FLOAT>) WITH ('connector' = 'datagen', 'rows-per-second' = '100000000',"
            + " 'number-of-rows' = '%s', 'fields.f.length' = '54', 'fields.f.element.min' = '0',"
                .formatted(ROWS)
            + " 'fields.f.element.max' = '1')");
    queries.run("CREATE TABLE nowhere (class STRING) WITH ('connector' = 'blackhole')");

    micros(128);
    double alone = micros(1);
    double inTens = micros(10);
    double inBatches = micros(128);

    System.out.printf(
        "A row costs %.0f us by itself, %.0f in batches of 10, %.0f in batches of 64%n",
        alone, inTens, inBatches);
    // A half and a third of it on an idle machine; without batches all are alike.
    assertThat(inTens).isLessThan(0.75 * alone);
    assertThat(inBatches).isLessThan(0.6 * alone);
  }

  /** Returns the processor time of a row in microseconds, where so many may wait at a time. */
  private double micros(int waiting) throws Exception {
    OperatingSystemMXBean machine =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long before = machine.getProcessCpuTime();
    queries.insert(
        "INSERT INTO nowhere SELECT class FROM ML_PREDICT(TABLE t, MODEL m, DESCRIPTOR(f),"
            + " MAP['max-concurrent-operations', '%s'])".formatted(waiting));
    return (machine.getProcessCpuTime() - before) / 1e3 / ROWS;
  }
}
