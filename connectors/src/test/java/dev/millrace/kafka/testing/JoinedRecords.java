package dev.millrace.kafka.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.kafka.KafkaCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * The output of a join of {@link LateLabels}, each record of it checked when it is read.
 *
 * <p>Not thread-safe.
 */
public final class JoinedRecords implements AutoCloseable {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int SHOWN = 10;

  private final LateLabels source;
  private final CommittedRecords records;
  private final BitSet pairs = new BitSet();
  private final BitSet negatives = new BitSet();
  private final List<String> faults = new ArrayList<>();

  public JoinedRecords(KafkaCluster cluster, String topic, LateLabels source) {
    this.source = source;
    this.records = new CommittedRecords(cluster, topic);
  }

  /** Reads on to the present end; how many different pairs there are by now. */
  public long pairs() {
    records.readMore(this::take);
    return pairs.cardinality();
  }

  /** As {@link #pairs}, of a join that has ended: waits for what it has committed. */
  public long allPairs() {
    records.readRest(this::take);
    return pairs.cardinality();
  }

  /** Keys of the negatives that have been read. */
  public BitSet negatives() {
    return negatives;
  }

  /** What is wrong with what has been read: the first of it. */
  public List<String> faults() {
    return faults;
  }

  private void take(ConsumerRecord<byte[], byte[]> record) {
    int key = Integer.parseInt(new String(record.key(), UTF_8));
    JsonNode value = read(record.value());
    boolean negative = value.get("label").isTextual();
    BitSet seen = negative ? negatives : pairs;
    check(key >= 0 && !seen.get(key), "twice", record);
    if (key < 0) {
      return;
    }
    seen.set(key);
    LateLabels.Kind kind = source.kind(key);
    check(negative != (kind == LateLabels.Kind.PAIR), "as a " + kind, record);
    check(value.get("key").asInt() == key, "with the features of another", record);
    check(value.get("amount").asDouble() == key + 0.5, "with other features", record);
    check(record.timestamp() == source.time(key), "with another time", record);
    check(
        negative || value.get("label").asInt() == LateLabels.label(key),
        "with the label of another",
        record);
  }

  private void check(boolean right, String fault, ConsumerRecord<byte[], byte[]> record) {
    if (!right && faults.size() < SHOWN) {
      faults.add(
          "%s: %s %s at %s"
              .formatted(
                  fault,
                  new String(record.key(), UTF_8),
                  new String(record.value(), UTF_8),
                  record.offset()));
    }
  }

  private static JsonNode read(byte[] value) {
    try {
      return JSON.readTree(value);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    records.close();
  }
}
