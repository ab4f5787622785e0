package dev.millrace.job.rows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.topic.TopicFollower;
import dev.millrace.kafka.topic.TopicPlace;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Brings a copy the records of a topic. */
final class TopicFeed implements RowFeed {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final String topic;
  private final TopicFollower follower;
  private long committed;

  private TopicFeed(String topic, TopicFollower follower, long committed) {
    this.topic = topic;
    this.follower = follower;
    this.committed = committed;
  }

  static TopicFeed open(KafkaCluster cluster, String topic, String stands) throws IOException {
    TopicPlace place = place(stands);
    return new TopicFeed(topic, TopicFollower.open(cluster, topic, place), place.asOf());
  }

  /** Returns a place as a copy keeps it. */
  static String text(TopicPlace place) {
    ObjectNode json = JSON.createObjectNode().put("id", place.topicId()).put("as-of", place.asOf());
    ObjectNode offsets = json.putObject("offsets");
    place.offsets().forEach((partition, offset) -> offsets.put(partition.toString(), offset));
    return json.toString();
  }

  /** Reads what {@link #text} has written; nowhere where it is empty. */
  static TopicPlace place(String text) throws IOException {
    if (text.isEmpty()) {
      return TopicPlace.NONE;
    }
    JsonNode json = JSON.readTree(text);
    Map<Integer, Long> offsets = new HashMap<>();
    json.path("offsets")
        .properties()
        .forEach(
            offset -> offsets.put(Integer.valueOf(offset.getKey()), offset.getValue().asLong()));
    return new TopicPlace(json.path("id").asText(), offsets, json.path("as-of").asLong());
  }

  @Override
  public boolean goesOn() {
    return follower.goesOn();
  }

  @Override
  public int read(Duration limit, LocalRows copy) throws IOException {
    int taken = follower.poll(limit, copy::take);
    if (taken > 0 || follower.asOf() > committed) {
      TopicPlace reached = follower.place();
      copy.commit(topic, text(reached));
      committed = reached.asOf();
    }
    return taken;
  }

  @Override
  public boolean hasCaughtUp() {
    return follower.hasCaughtUp();
  }

  @Override
  public void close() {
    follower.close();
  }
}
