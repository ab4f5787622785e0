package dev.millrace.job.benchmark;

import dev.millrace.example.Example;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.FormatSettings;
import dev.millrace.file.DataSpec;
import dev.millrace.file.ExampleSequence;
import dev.millrace.file.ExampleSet;
import dev.millrace.job.testing.Counters;
import dev.millrace.job.testing.Job;
import dev.millrace.kafka.testing.Broker;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * What each preset makes of one pass over Fashion-MNIST: hold-out accuracy, bytes exchanged both
 * ways, seconds. {@code -Dmillrace.fashion-mnist=DIR} with the four files; {@code
 * -Dmillrace.presets=overlap-averaging;gradient-sharing,exchange.local-steps=4} chooses presets,
 * each with settings of its own behind it, {@code -Dmillrace.presets.replicas=2,4} how many
 * replicas, of which more than four need {@code -Dmillrace.slots=8}, and {@code
 * -Dmillrace.engine=torch} the engine.
 */
@EnabledIfSystemProperty(named = "millrace.fashion-mnist", matches = ".+")
class PresetsBenchmark {

  private static final String ALL =
      "parameter-averaging;overlap-averaging;gradient-sharing;low-communication"
          + ";sparse-communication";

  @TempDir Path directory;

  @Test
  void presetsSideBySide() throws Exception {
    DataSpec data = DataSpec.parse("idx:" + System.getProperty("millrace.fashion-mnist"));
    ExampleSet set = data.open();
    System.out.println("| preset | replicas | accuracy | MB | fewer bytes | seconds |");
    System.out.println("| --- | --- | --- | --- | --- | --- |");
    for (String replicas : System.getProperty("millrace.presets.replicas", "2,4").split(",", -1)) {
      int count = Integer.parseInt(replicas);
      String topic = produce(set, count);
      for (String preset : System.getProperty("millrace.presets", ALL).split(";", -1)) {
        run(topic, data, preset, count);
      }
    }
  }

  private void run(String topic, DataSpec data, String preset, int replicas) throws Exception {
    Job job =
        Lenet.job(topic, directory.resolve(preset.replaceAll("[^a-z0-9]+", "-") + replicas))
            .parallelism(replicas)
            .unset("exchange.local-steps")
            .set("evaluation.holdout", data.toString())
            .set("evaluation.every", "100000")
            .flink(Counters.REPORTER, Counters.Factory.class.getName());
    settings(preset)
        .forEach(
            (key, value) -> {
              if (value.isEmpty()) {
                job.unset(key);
              } else {
                job.set(key, value);
              }
            });
    long start = System.nanoTime();
    job.run();
    double seconds = (System.nanoTime() - start) / 1e9;
    double bytes =
        Counters.take("contributionBytes") + (double) replicas * Counters.take("feedbackBytes");
    long examples = job.description().prequential().examples();
    int parameters = job.check().initialModel().spec().parameters();
    // Every parameter, there and back, each step of each replica.
    double everyStep = 2.0 * Float.BYTES * parameters * examples / Images.BATCH;
    System.out.printf(
        "| %s | %d | %.4f | %.1f | %.1f | %.0f |%n",
        preset,
        replicas,
        job.description().holdOut().accuracy(),
        bytes / 1e6,
        everyStep / bytes,
        seconds);
  }

  private static Map<String, String> settings(String preset) {
    Map<String, String> settings = new TreeMap<>();
    for (String part : preset.split(",", -1)) {
      int equals = part.indexOf('=');
      settings.put(
          equals < 0 ? "exchange.preset" : part.substring(0, equals), part.substring(equals + 1));
    }
    return settings;
  }

  /** The training examples, dealt out in turn. */
  private static String produce(ExampleSet set, int partitions) throws Exception {
    ExampleFormat format = ExampleFormat.named("uint8", set.shape(), FormatSettings.defaults());
    List<List<byte[]>> values = new ArrayList<>();
    for (int partition = 0; partition < partitions; partition++) {
      values.add(new ArrayList<>());
    }
    Example example = new Example(set.shape());
    try (ExampleSequence examples = set.training()) {
      for (int i = 0; examples.next(example); i++) {
        values.get(i % partitions).add(format.write(example));
      }
    }
    String topic = Broker.topic(partitions);
    for (int partition = 0; partition < partitions; partition++) {
      Broker.produce(topic, partition, values.get(partition));
    }
    return topic;
  }
}
