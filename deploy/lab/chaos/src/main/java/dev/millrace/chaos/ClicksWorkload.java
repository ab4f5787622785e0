package dev.millrace.chaos;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.millrace.cli.console.ReadingProgress;
import dev.millrace.fields.IdHash;
import dev.millrace.file.RecordSequence;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.topic.ExampleProducer;
import dev.millrace.kafka.topic.Rate;
import dev.millrace.model.Partition;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Clicks of users on items, which have rows of embedding tables. Each row must have been used as
 * often as the topic has its id. Most rows don't stay on the heap.
 */
final class ClicksWorkload implements Workload {

  private static final int USERS = 20_000;
  private static final int ITEMS = 50_000;
  private static final int MOST_ITEMS = 3;

  private static final String FIELDS =
      "[{\"path\":\"user\",\"kind\":\"id\",\"table\":\"users\"},"
          + "{\"path\":\"items\",\"kind\":\"ids\",\"separator\":\"|\",\"table\":\"items\"},"
          + "{\"path\":\"clicked\",\"role\":\"label\"}]";

  @Override
  public Map<String, String> options() {
    Map<String, String> options = new HashMap<>();
    options.put("input.format", "csv");
    options.put("input.csv.columns", "user;items;clicked");
    options.put("input.fields", FIELDS);
    options.put("input.outputs", "2");
    options.put("tables.*.dimension", "8");
    options.put("rows.cache", "2000");
    options.put("model.name", "deepfm");
    options.put("model.hidden", "16");
    options.put("batch.max-wait", "100 ms");
    return options;
  }

  @Override
  public void send(KafkaCluster kafka, String topic, long seed, Rate rate, long most)
      throws IOException {
    try (RecordSequence clicks = new Clicks(seed);
        ExampleProducer producer = ExampleProducer.open(kafka, topic)) {
      producer.send(clicks, rate, most, soFar -> {});
    }
  }

  /** Endless clicks; a few users and items are in most of them. */
  private static final class Clicks implements RecordSequence {

    private final Random random;

    Clicks(long seed) {
      this.random = new Random(seed);
    }

    @Override
    public boolean next() {
      return true;
    }

    @Override
    public boolean skip() {
      value();
      return true;
    }

    @Override
    public byte[] key() {
      return null;
    }

    @Override
    public byte[] value() {
      StringBuilder click = new StringBuilder("u").append(skewed(USERS)).append(',');
      for (int left = 1 + random.nextInt(MOST_ITEMS); left > 0; left--) {
        click.append('i').append(skewed(ITEMS)).append(left > 1 ? "|" : ",");
      }
      return click.append(random.nextInt(2)).toString().getBytes(US_ASCII);
    }

    private int skewed(int most) {
      double uniform = random.nextDouble();
      return (int) (most * uniform * uniform * uniform);
    }

    @Override
    public void close() {}
  }

  @Override
  public List<String> judge(Trained trained, Undisturbed undisturbed, Consumer<String> say)
      throws IOException {
    Map<Long, Long> left = uses(trained);
    long[] found = new long[3];
    trained
        .model()
        .tables()
        .forEach(
            (table, row) -> {
              Long wanted = left.remove(row.id());
              found[0]++;
              found[1] += row.uses();
              found[2] += wanted == null || wanted != row.uses() ? 1 : 0;
            },
            ReadingProgress.NONE);
    say.accept(
        String.format(
            Locale.ROOT,
            "%,d rows with %,d uses; %,d have another number than the topic, %,d are missing",
            found[0],
            found[1],
            found[2],
            left.size()));
    return found[2] + left.size() == 0
        ? List.of()
        : List.of("Rows were used more or less often than the topic has their ids");
  }

  /**
   * Returns how often the topic has each id. The tables' ids differ, since their names are in the
   * hash.
   */
  private static Map<Long, Long> uses(Trained trained) {
    Map<Long, Long> uses = new HashMap<>();
    for (Partition partition : trained.partitions()) {
      trained
          .topics()
          .between(
              partition,
              0,
              Long.MAX_VALUE - 1,
              click -> count(new String(click, US_ASCII).split(",", -1), uses),
              read -> {});
    }
    return uses;
  }

  private static void count(String[] click, Map<Long, Long> uses) {
    uses.merge(IdHash.of("users", click[0]), 1L, Long::sum);
    for (String item : click[1].split("\\|", -1)) {
      uses.merge(IdHash.of("items", item), 1L, Long::sum);
    }
  }
}
