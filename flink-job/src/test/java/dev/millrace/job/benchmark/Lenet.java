package dev.millrace.job.benchmark;

import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.TestEngine;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The job of the benchmarks: LeNet on drawn digits, batch 32, a contribution every 3 steps; of the
 * engine that {@code -Dmillrace.engine} names.
 */
final class Lenet {

  static final int FREQUENCY = 3;

  private Lenet() {}

  static Job job(String topic, Path directory) {
    return new Job(topic, directory)
        .engine(engine())
        .set("input.format", "uint8")
        .set("input.features", "784")
        .set("input.outputs", "10")
        .set("model.name", "lenet")
        .unset("model.hidden")
        .set("model.updater", "nesterovs")
        .set("model.learning-rate", "0.01")
        .set("batch.local-size", Integer.toString(Images.BATCH))
        .set("exchange.local-steps", Integer.toString(FREQUENCY))
        .set("exchange.block-size", "512 kb")
        .set("execution.checkpointing.interval", "5 s")
        .set("metrics.interval", "1 s");
  }

  static TestEngine engine() {
    return TestEngine.valueOf(
        System.getProperty("millrace.engine", "dl4j").toUpperCase(Locale.ROOT));
  }
}
