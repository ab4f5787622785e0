package dev.millrace.benchmark.figure;

import dev.millrace.benchmark.report.Figures;
import dev.millrace.benchmark.report.Page;
import dev.millrace.benchmark.report.Samples;
import dev.millrace.benchmark.report.Table;
import dev.millrace.benchmark.stack.BenchmarkFailure;
import dev.millrace.benchmark.stack.Cluster;
import dev.millrace.benchmark.stack.TrainingRun;
import dev.millrace.benchmark.workload.FlowRecords;
import dev.millrace.benchmark.workload.RepeatedValues;
import dev.millrace.example.Example;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.topic.ExampleProducer;
import dev.millrace.kafka.topic.Rate;
import dev.millrace.kafka.topic.TopicCreation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The input path of records with named fields, beside a consumer that makes the same examples. */
final class FieldsInput {

  private static final long RECORDS = 5_000_000;
  private static final int DIFFERENT = 20_000;
  private static final int PARTITIONS = 2;
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String BARE = "a bare KafkaConsumer that makes the same examples";

  private final Lab lab;
  private final Cluster cluster;
  private final Set<String> wanted;

  FieldsInput(Lab lab, Cluster cluster, Set<String> wanted) {
    this.lab = lab;
    this.cluster = cluster;
    this.wanted = wanted;
  }

  /** Measures every format, and adds a table to the page. */
  void measure(Page page) throws IOException {
    Table table = new Table("format", "examples/s", BARE + ", examples/s", "ratio");
    for (String format : FlowRecords.FORMATS) {
      Map<String, String> options = options(format);
      String topic = "fields-" + format;
      if (!wanted.isEmpty() && !wanted.contains(topic)) {
        continue;
      }
      long count = lab.scaled(RECORDS);
      produce(topic, new FlowRecords(DIFFERENT).encode(format), count);
      Samples job = new Samples();
      Samples bare = new Samples();
      for (int turn = 0; turn < lab.repetitions(); turn++) {
        job.add(examplesPerSecond(format, topic, turn, options));
        bare.add(
            BareConsumer.recordsPerSecond(
                cluster.bootstrapServers(),
                topic,
                PARTITIONS,
                count,
                () -> reading(FlowRecords.format(format, options))));
      }
      lab.say(
          "%s: %s examples/s; %s: %s"
              .formatted(topic, Figures.plain(job.median()), BARE, Figures.plain(bare.median())));
      table.row(
          "`" + format + "`",
          Figures.range(job),
          Figures.range(bare),
          Figures.ratio(job.median() / bare.median()));
      page.samples(topic, "examples/s", job).samples(topic + ", bare", "examples/s", bare);
    }
    page.paragraph(
            """
            Records of 41 named fields, three of them words that are hashed, become 230 features. Here the \
            consumers read each record and make its features, as the job does.\
            """)
        .table(table);
  }

  private static Consumer<byte[]> reading(ExampleFormat format) {
    Example example = new Example(FlowRecords.shape());
    return value -> {
      try {
        example.reset();
        format.read(value, example);
      } catch (InvalidExampleException e) {
        throw new BenchmarkFailure("A record of the benchmark's own is none: " + e.getMessage());
      }
    };
  }

  /**
   * Returns the options of the format, behind {@code input.}, and writes the files that they name.
   */
  private Map<String, String> options(String format) throws IOException {
    Path directory = Files.createDirectories(lab.directory("input-schemas"));
    Map<String, String> options = new LinkedHashMap<>();
    if (format.equals("avro")) {
      Path schema = directory.resolve("flow.avsc");
      Files.writeString(schema, FlowRecords.avroSchema());
      options.put("schema", schema.toString());
    } else if (format.equals("protobuf")) {
      Path descriptors = directory.resolve("flow.desc");
      Files.write(descriptors, FlowRecords.descriptors());
      options.put("schema", descriptors.toString());
      options.put("protobuf.message", "Flow");
    }
    return options;
  }

  private void produce(String topic, List<byte[]> values, long count) throws IOException {
    KafkaCluster kafka = KafkaCluster.at(cluster.bootstrapServers());
    TopicCreation.ensure(kafka, topic, PARTITIONS, LIMIT);
    try (ExampleProducer producer = ExampleProducer.open(kafka, topic)) {
      producer.send(new RepeatedValues(values), Rate.unlimited(), count, sent -> {});
    }
  }

  private double examplesPerSecond(
      String format, String topic, int turn, Map<String, String> options) throws IOException {
    Path fields = Files.createDirectories(lab.directory("input-schemas")).resolve("fields.json");
    Files.writeString(fields, FlowRecords.fields());
    Map<String, String> ofFormat = new TreeMap<>();
    options.forEach((key, value) -> ofFormat.put("input." + key, value));
    return new TrainingRun(cluster, "input-%s-%s".formatted(topic, turn))
        .still(1)
        .setAll(ofFormat)
        .set("input.topics", topic)
        .set("input.format", format)
        .set("input.fields", fields.toString())
        .set("input.outputs", Integer.toString(FlowRecords.classes()))
        .set("batch.local-size", "32")
        .set("exchange.schedule", "overlap")
        .set("exchange.interval", "50 ms")
        .run()
        .examplesPerSecond();
  }
}
