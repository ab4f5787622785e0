package dev.millrace.fields;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.example.Example;
import dev.millrace.model.FeatureCompletion;
import dev.millrace.model.features.FeaturesFile;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.features.WordCounts;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.NumberColumns;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** docs/features.py makes the features that a job makes. */
class FeaturesOutsideTest {

  private static final JsonMapper JSON = new JsonMapper();

  private static final String FIELDS =
      "[{\"path\":\"a\",\"kind\":\"number\",\"clip\":[null,900],\"indicator\":true},{\"path\":\"a\",\"name\":\"log"
          + " a\",\"kind\":\"number\",\"scale\":\"logarithm\"},"
          + "{\"path\":\"b.c[1]\",\"aliases\":[\"old\"],\"kind\":\"number\",\"scale\":\"none\",\"missing\":-1},"
          + "{\"path\":\"w\",\"kind\":\"category\",\"values\":[\"x\",\"5\",\"0.25\",\"true\"]},"
          + "{\"path\":\"w\",\"name\":\"learned\",\"kind\":\"category\",\"words\":6},"
          + "{\"path\":\"w\",\"name\":\"number\",\"kind\":\"category\",\"words\":3,\"encode\":\"id\"},"
          + "{\"path\":\"w\",\"name\":\"hashed\",\"kind\":\"category\",\"buckets\":16},"
          + "{\"path\":\"f\",\"kind\":\"boolean\",\"indicator\":true},"
          + "{\"path\":\"at\",\"kind\":\"time\",\"parts\":[\"minute-of-hour\",\"hour-of-day\",\"day-of-week\",\"day-of-month\",\"month-of-year\"],\"indicator\":true},"
          + "{\"path\":\"t\",\"kind\":\"text\",\"ngrams\":3,\"buckets\":32}]";

  private static final FieldTexts TEXT_FORMS = FieldTexts.of(List.of("NA", "?"), ',');

  private static final Object[] WORDS = {
    "x", "y", "", "?", "é", "\uD83D\uDE00", 5, 0.25, true, 1e-7, -3
  };
  private static final String[] TEXTS = {"", "a", "abcabc", "naïve \uD83D\uDE00 text", "12"};
  private static final Object[] TIMES = {
    1704177000123L, "2024-02-29T23:59:59Z", "2023-12-31T23:30:00-05:00", -1, "1704177000123", "NA"
  };

  @TempDir Path directory;

  @Test
  void aProgramInPythonMakesTheSameFeatures() throws Exception {
    Path script = Path.of("..", "..", "docs", "features.py").toAbsolutePath().normalize();
    assumeTrue(hasPython(), "python3 isn't there");
    long seed = new Random().nextLong();
    List<String> records = records(new Random(seed));
    FieldsDescription description = FieldsDescription.parse(FIELDS, null, TEXT_FORMS);
    ExampleShape shape = description.shape(Target.REGRESSION, 1);
    RecordFeatures features = RecordFeatures.of(description, shape);
    LearnedFeatures learned = LearnedFeatures.none(shape, true);
    List<Example> examples = new ArrayList<>();
    for (String record : records) {
      examples.add(Records.read("json", Map.of(), features, record));
    }
    learn(examples, learned);
    Files.write(directory.resolve("features.json"), FeaturesFile.write(shape, learned));
    Files.write(directory.resolve("records.jsonl"), records);

    JsonNode made = JSON.readTree(run(script));

    FeatureCompletion completion = FeatureCompletion.of(shape, learned);
    for (int i = 0; i < records.size(); i++) {
      Example example = examples.get(i);
      completion.apply(example.features(), example.words(), null, 1);
      for (int feature = 0; feature < shape.features(); feature++) {
        assertThat((float) made.get(i).get(feature).asDouble())
            .as("%s of %s, seed %d", description.names().get(feature), records.get(i), seed)
            .isCloseTo(example.features()[feature], within(1e-6f));
      }
    }
  }

  private static void learn(List<Example> examples, LearnedFeatures learned) {
    WordCounts counts = new WordCounts(learned.vocabularies().columns());
    NumberColumns numbers = new NumberColumns(examples.get(0).shape());
    for (Example example : examples) {
      for (int word = 0; word < example.words().length; word++) {
        counts.add(word, example.words()[word]);
      }
      int rows = numbers.gather(example.features(), null, 1);
      learned.statistics().merge(learned.statistics().lookAtPresent(numbers.values(), rows));
    }
    learned.statistics().setClip(10);
    learned.vocabularies().merge(counts);
    learned.vocabularies().fill();
  }

  private static List<String> records(Random random) {
    List<String> records = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      ObjectNode record = JSON.createObjectNode();
      put(record, "a", random.nextInt(4) > 0 ? number(random) : null);
      put(record, random.nextBoolean() ? "old" : "other", random.nextInt());
      if (random.nextBoolean()) {
        record.putObject("b").putArray("c").add(7).add(random.nextFloat());
      }
      put(record, "w", random.nextInt(9) > 0 ? WORDS[random.nextInt(WORDS.length)] : null);
      put(record, "f", random.nextInt(3) > 0 ? random.nextBoolean() : null);
      put(record, "at", random.nextInt(5) > 0 ? TIMES[random.nextInt(TIMES.length)] : null);
      put(record, "t", random.nextInt(5) > 0 ? TEXTS[random.nextInt(TEXTS.length)] : null);
      records.add(record.toString());
    }
    return records;
  }

  private static Object number(Random random) {
    double number = 1000 * random.nextGaussian();
    return switch (random.nextInt(4)) {
      case 0 -> Double.toString(number).replace('.', ',');
      case 1 -> "NA";
      default -> number;
    };
  }

  private static void put(ObjectNode record, String name, Object valueOrNull) {
    record.set(name, JSON.valueToTree(valueOrNull));
  }

  private static boolean hasPython() {
    try {
      return new ProcessBuilder("python3", "--version").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private String run(Path script) throws Exception {
    String program =
        "import json, runpy; f = runpy.run_path('%s')['features'];".formatted(script)
            + " file = json.load(open('features.json', encoding='utf-8'));"
            + " print(json.dumps([f(file, json.loads(line)) for line in open('records.jsonl',"
            + " encoding='utf-8')]))";
    Path output = directory.resolve("made.json");
    Process process =
        new ProcessBuilder("python3", "-c", program)
            .directory(directory.toFile())
            .redirectOutput(output.toFile())
            .redirectError(directory.resolve("errors").toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue())
        .as(Files.readString(directory.resolve("errors"), UTF_8))
        .isZero();
    return Files.readString(output, UTF_8);
  }
}
