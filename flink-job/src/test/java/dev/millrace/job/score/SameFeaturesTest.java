package dev.millrace.job.score;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.example.Example;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.model.FeatureCompletion;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelDefinition.Archive;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.features.WordCounts;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.NumberColumns;
import dev.millrace.model.testing.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A record has the same features in scoring as in training, whatever is in it. */
final class SameFeaturesTest {

  private static final int RECORDS = 10_000;

  private static final String FIELDS =
      """
      [{"path": "duration", "kind": "number", "scale": "logarithm", "indicator": true},
       {"path": "rate", "kind": "number", "clip": [-1000, 1000]},
       {"path": "bytes", "kind": "number"},
       {"path": "protocol", "kind": "category", "values": ["tcp", "udp"]},
       {"path": "service", "kind": "category", "words": 5},
       {"path": "host", "kind": "category", "words": 3, "encode": "id"},
       {"path": "agent", "kind": "category", "buckets": 16},
       {"path": "urgent", "kind": "boolean"},
       {"path": "at", "kind": "time", "parts": ["hour-of-day"]},
       {"path": "message", "kind": "text", "ngrams": 3, "buckets": 32},
       {"path": "status", "role": "label"}]
      """;

  private static final List<String> WORDS =
      List.of("http", "smtp", "", " ", "\uD83D\uDE00", "\uD83D", "ü", "x".repeat(300), "null", "1");

  private static final JsonMapper JSON = JsonMapper.builder().build();

  @TempDir Path directory;

  private final long seed = Seeds.next();
  private final Random random = new Random(seed);
  private final Configuration options =
      OptionReader.configuration(
          Map.of(
              "input.format",
              "json",
              "input.fields",
              FIELDS,
              "input.classes",
              "normal;fraud",
              "input.topics",
              "t"));
  private final ExampleShape shape = InputOptions.shape(options);

  @Test
  void ofRandomRecordsWithOddValuesTheyAreTheSameBitByBit() throws Exception {
    ExampleFormat training = InputOptions.exampleFormat(options, shape);
    ExampleFormat scoring = InputOptions.unlabelledFormat(options, shape);
    List<byte[]> records = new ArrayList<>();
    for (int i = 0; i < RECORDS; i++) {
      records.add(record());
    }
    LearnedFeatures learned = learned(training, records);
    FeatureCompletion trained = FeatureCompletion.of(shape, learned);
    FeatureCompletion served = served(learned);

    int accepted = 0;
    for (byte[] record : records) {
      String one = features(training, trained, record);
      assertThat(features(scoring, served, record))
          .as("%s, seed %d", new String(record, UTF_8), seed)
          .isEqualTo(one);
      accepted += one.startsWith("[") ? 1 : 0;
    }
    assertThat(accepted).as("seed %d", seed).isBetween(RECORDS / 20, RECORDS * 19 / 20);
    assertThat(learned.vocabularies().of(0).size()).as("seed %d", seed).isEqualTo(5);
  }

  /** The bits of all features, or why there are none. */
  private String features(ExampleFormat format, FeatureCompletion completion, byte[] record) {
    Example example = new Example(shape);
    try {
      format.read(record, example);
    } catch (InvalidExampleException e) {
      return e.getMessage();
    }
    completion.apply(example.features(), example.words(), null, 1);
    int[] bits = new int[shape.features()];
    for (int i = 0; i < bits.length; i++) {
      assertThat(example.features()[i]).as("feature %d, seed %d", i, seed).isFinite();
      bits[i] = Float.floatToRawIntBits(example.features()[i]);
    }
    return Arrays.toString(bits);
  }

  private LearnedFeatures learned(ExampleFormat format, List<byte[]> records) {
    LearnedFeatures learned = LearnedFeatures.none(shape, true);
    FeatureStatistics statistics = learned.statistics();
    statistics.setClip(10);
    NumberColumns numbers = new NumberColumns(shape);
    WordCounts words = new WordCounts(2);
    Example example = new Example(shape);
    for (byte[] record : records) {
      try {
        example.reset();
        format.read(record, example);
      } catch (InvalidExampleException e) {
        continue;
      }
      int rows = numbers.gather(example.features(), null, 1);
      statistics.merge(statistics.lookAtPresent(numbers.values(), rows));
      words.add(0, example.words()[0]);
      words.add(1, example.words()[1]);
    }
    learned.vocabularies().merge(words);
    learned.vocabularies().fill();
    return learned;
  }

  /** As a scoring job has it: out of the archive that training publishes. */
  private FeatureCompletion served(LearnedFeatures learned) throws Exception {
    ModelEngine engine = ModelEngine.named("dl4j");
    InitialModel initial =
        engine.define(new BuiltIn("mlp", shape, List.of(4), List.of(), "sgd", 0.1, 0.9, 0, 1));
    Path archive = directory.resolve("model.zip");
    engine.writeArchive(
        new GlobalModel(
            initial.spec(),
            new ModelVersion(1, 1),
            1,
            initial.vector(),
            learned,
            new Ledger(),
            Measures.NONE,
            Lineage.NONE,
            ServerOptimizerState.NONE,
            false),
        archive);
    return FeatureCompletion.of(
        shape, engine.define(new Archive(archive, shape)).learned().orElseThrow());
  }

  private byte[] record() throws Exception {
    ObjectNode record = JSON.createObjectNode();
    number(record, "duration");
    number(record, "rate");
    number(record, "bytes");
    word(record, "protocol");
    word(record, "service");
    word(record, "host");
    word(record, "agent");
    word(record, "message");
    if (random.nextInt(40) == 0) {
      odd(record, "urgent");
    } else if (random.nextBoolean()) {
      record.put("urgent", random.nextBoolean());
    }
    if (random.nextInt(10) > 0) {
      record.put("at", random.nextLong(2_000_000_000_000L));
    }
    record.put("status", random.nextBoolean() ? "fraud" : "normal");
    return JSON.writeValueAsBytes(record);
  }

  private void number(ObjectNode record, String name) {
    switch (random.nextInt(40)) {
      case 0 -> odd(record, name);
      case 1 -> record.put(name, 1e308);
      case 2 -> record.put(name, -1e308);
      case 3 -> record.putNull(name);
      case 4 -> record.put(name, Long.MIN_VALUE);
      case 5 -> record.put(name, -0.0);
      case 6 -> record.put(name, 1e-320);
      case 7, 8, 9 -> record.remove(name);
      case 10, 11, 12, 13 -> record.put(name, random.nextInt());
      default -> record.put(name, random.nextGaussian() * 100);
    }
  }

  private void word(ObjectNode record, String name) {
    switch (random.nextInt(20)) {
      case 0 -> record.putNull(name);
      case 1 -> record.remove(name);
      case 2 -> record.put(name, "w" + random.nextInt(1000));
      default -> record.put(name, WORDS.get(random.nextInt(WORDS.size())));
    }
    if (random.nextInt(60) == 0) {
      odd(record, name);
    }
  }

  /** Of another type. */
  private void odd(ObjectNode record, String name) {
    switch (random.nextInt(5)) {
      case 0 -> record.put(name, "abc");
      case 1 -> record.put(name, true);
      case 2 -> record.putArray(name).add(1);
      case 3 -> record.putObject(name).put("a", 1);
      default -> record.put(name, 12.5);
    }
  }
}
