package dev.millrace.job.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.millrace.exchange.rows.RowTable;
import dev.millrace.fields.FieldsDescription;
import dev.millrace.job.follow.ServedRows;
import dev.millrace.kafka.KafkaAccessException;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.kafka.topic.TopicCreation;
import dev.millrace.kafka.topic.TopicPlace;
import dev.millrace.local.broker.LocalBroker;
import dev.millrace.model.IdLists;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies of a topic of rows of one value. */
class FollowedRowsIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final RowTable USERS = RowTable.of("users", 1);
  private static final ExampleShape SHAPE =
      FieldsDescription.parse(
              """
              [{"path": "user", "kind": "id", "table": "users", "dimension": 1}]
              """,
              null)
          .shape(Target.REGRESSION, 1);

  @TempDir private Path directory;

  private TopicRows place(String topic) {
    return place(Broker.cluster(), topic);
  }

  private TopicRows place(KafkaCluster cluster, String topic) {
    return new TopicRows(cluster, topic, directory.resolve("copy").toString());
  }

  private static CopiedTopic writing(String topic) {
    return new CopiedTopic(Broker.cluster(), topic, List.of(USERS));
  }

  private static String compacted(int partitions) throws Exception {
    String topic = Broker.topic("rows", partitions);
    Broker.compact(topic);
    return topic;
  }

  private static float read(ServedRows.Reader reader, long id) {
    IdLists ids = new IdLists(1);
    ids.add(id);
    ids.end();
    float[] features = new float[1];
    reader.complete(ids, features);
    return features[0];
  }

  private static void awaitRow(ServedRows.Reader reader, long id, float value) {
    await().atMost(PATIENCE).until(() -> read(reader, id) == value);
  }

  private static float initial(long id) {
    float[] values = new float[1];
    USERS.initial().fill(USERS.hash(), id, values, 0, 1);
    return values[0];
  }

  @Test
  void aCopyHasAllRowsWhenItIsOpenAndFollowsTheTopic() throws Exception {
    String topic = compacted(3);
    try (CopiedTopic written = writing(topic)) {
      for (int id = 0; id < 1_000; id++) {
        written.write(0, id, id + 1);
      }
      written.remove(0, 7);
      written.flush();

      try (ServedRows rows = place(topic).open()) {
        ServedRows.Reader reader = rows.reader(SHAPE);
        for (int id = 0; id < 1_000; id++) {
          assertThat(read(reader, id)).isEqualTo(id == 7 ? initial(7) : id + 1);
        }
        assertThat(read(reader, 1_000)).isEqualTo(initial(1_000));
        written.write(0, 7, -7);
        written.remove(0, 8);
        awaitRow(reader, 7, -7);
        awaitRow(reader, 8, initial(8));
      }
    }
  }

  @Test
  void allOfAProcessShareACopyUntilTheLastClosesIt() throws Exception {
    String topic = compacted(1);
    try (CopiedTopic written = writing(topic)) {
      written.flush();
      ServedRows one = place(topic).open();
      ServedRows other = place(topic).open();
      one.close();
      one.close();
      written.write(0, 1, 5);
      ServedRows.Reader reader = other.reader(SHAPE);
      awaitRow(reader, 1, 5);
      other.close();

      assertThatThrownBy(() -> read(reader, 1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("is closed");
      assertThatThrownBy(() -> other.reader(SHAPE)).isInstanceOf(IllegalStateException.class);
      place(topic).open().close();
    }
  }

  /** A directory is of one: who opens waits for who closes. */
  @Test
  void thoseThatOpenAndCloseAtOnceFindEachOthersCopy() throws Exception {
    String topic = compacted(1);
    try (CopiedTopic written = writing(topic)) {
      written.write(0, 1, 5);
      written.flush();
    }
    ExecutorService threads = Executors.newFixedThreadPool(3);
    List<Future<?>> ends =
        IntStream.range(0, 3)
            .<Future<?>>mapToObj(
                any ->
                    threads.submit(
                        () -> {
                          for (int i = 0; i < 6; i++) {
                            try (ServedRows rows = place(topic).open()) {
                              assertThat(read(rows.reader(SHAPE), 1)).isEqualTo(5);
                            }
                          }
                          return null;
                        }))
            .toList();
    for (Future<?> end : ends) {
      end.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
    threads.shutdown();
  }

  /** What was there before is gone from the topic's beginning, so it can't have been read again. */
  @Test
  void aCopyThatWasKeptGoesOnFromWhereItStands() throws Exception {
    String topic = compacted(1);
    try (CopiedTopic written = writing(topic)) {
      written.write(0, 1, 5);
      written.flush();
      place(topic).open().close();
      TopicPlace stood = standing(topic);
      assertThat(stood.offsets()).isEqualTo(Map.of(0, 2L));
      written.write(0, 2, 6);
      written.flush();

      plant(topic, 3, 9, stood);
      try (ServedRows rows = place(topic).open()) {
        ServedRows.Reader reader = rows.reader(SHAPE);
        assertThat(read(reader, 1)).isEqualTo(5);
        assertThat(read(reader, 2)).isEqualTo(6);
        assertThat(read(reader, 3)).as("only the copy has it").isEqualTo(9);
      }
    }
  }

  private TopicPlace standing(String topic) throws IOException {
    try (LocalRows copy = LocalRows.open(directory.resolve("copy"))) {
      return TopicFeed.place(copy.stands(topic));
    }
  }

  /** Gives the copy a row that the topic hasn't. */
  private void plant(String topic, long id, float value, TopicPlace place) throws IOException {
    try (LocalRows copy = LocalRows.open(directory.resolve("copy"))) {
      copy.take(RowRecords.key(RowRecords.key("users"), id), RowRecords.value(new float[] {value}));
      copy.commit(topic, TopicFeed.text(place));
    }
  }

  /** Records of rows that were removed are gone after a day, so the copy may have such rows. */
  @Test
  void aCopyThatIsOlderThanRecordsOfWhatWasRemovedBeginsAnew() throws Exception {
    String topic = compacted(1);
    Broker.configure(topic, Map.of("delete.retention.ms", "3600000"));
    try (CopiedTopic written = writing(topic)) {
      written.write(0, 1, 5);
      written.flush();
      place(topic).open().close();
      TopicPlace stood = standing(topic);
      assertThat(System.currentTimeMillis() - stood.asOf()).isLessThan(600_000);

      plant(topic, 2, 9, before(stood, 3_000_000));
      try (ServedRows rows = place(topic).open()) {
        assertThat(read(rows.reader(SHAPE), 2)).as("50 minutes").isEqualTo(9);
      }
      plant(topic, 2, 9, before(stood, 4_000_000));
      try (ServedRows rows = place(topic).open()) {
        assertThat(read(rows.reader(SHAPE), 2)).as("67 minutes").isEqualTo(initial(2));
        assertThat(read(rows.reader(SHAPE), 1)).isEqualTo(5);
      }
    }
  }

  private static TopicPlace before(TopicPlace place, long millis) {
    return new TopicPlace(place.topicId(), place.offsets(), place.asOf() - millis);
  }

  @Test
  void aTopicThatWasMadeAgainIsReadAnewAlsoWhileItIsFollowed() throws Exception {
    String topic = compacted(1);
    try (CopiedTopic written = writing(topic)) {
      written.write(0, 1, 5);
      written.write(0, 2, 5);
      written.flush();
    }
    try (ServedRows rows = place(topic).open()) {
      ServedRows.Reader reader = rows.reader(SHAPE);
      assertThat(read(reader, 1)).isEqualTo(5);

      Broker.recreate(topic, 1);
      try (CopiedTopic written = writing(topic)) {
        // More than there were: an offset alone doesn't tell that it is another topic.
        for (int id = 2; id < 50; id++) {
          written.write(0, id, 6);
        }
        written.flush();
        awaitRow(reader, 2, 6);
        awaitRow(reader, 1, initial(1));
        written.write(0, 1, 7);
        awaitRow(reader, 1, 7);
      }
    }
    assertThat(standing(topic).topicId()).isEqualTo(Broker.topicId(topic));
  }

  @Test
  void aKeptCopyOfATopicThatWasMadeAgainOrOfAnotherIsReadAnew() throws Exception {
    String topic = compacted(1);
    try (CopiedTopic written = writing(topic)) {
      written.write(0, 1, 5);
      written.flush();
    }
    place(topic).open().close();
    Broker.recreate(topic, 1);
    try (CopiedTopic written = writing(topic)) {
      written.write(0, 2, 6);
      written.flush();
    }
    try (ServedRows rows = place(topic).open()) {
      assertThat(read(rows.reader(SHAPE), 1)).isEqualTo(initial(1));
      assertThat(read(rows.reader(SHAPE), 2)).isEqualTo(6);
    }
    String other = compacted(1);
    try (CopiedTopic written = writing(other)) {
      written.write(0, 3, 7);
      written.flush();
    }
    try (ServedRows rows = place(other).open()) {
      assertThat(read(rows.reader(SHAPE), 2)).isEqualTo(initial(2));
      assertThat(read(rows.reader(SHAPE), 3)).isEqualTo(7);
    }
  }

  @Test
  void aTemporaryCopyIsDeletedAndATopicThatIsNotThereIsNamed() throws Exception {
    String topic = compacted(1);
    try (CopiedTopic written = writing(topic)) {
      written.flush();
    }
    FollowedRows rows = FollowedRows.open(new TopicRows(Broker.cluster(), topic, ""));
    assertThat(rows.directory()).isDirectory();
    rows.close();
    assertThat(rows.directory()).doesNotExist();

    String none = "none-" + UUID.randomUUID();
    assertThatThrownBy(() -> new TopicRows(Broker.cluster(), none, "").open())
        .isInstanceOf(KafkaAccessException.class)
        .hasMessageContaining("There is no topic '%s'", none);
  }

  @Test
  void predictionsGoOnWhileTheBrokerIsAway() throws Exception {
    LocalBroker broker =
        LocalBroker.start(Broker.classPath(), directory.resolve("broker"), new HashMap<>());
    KafkaCluster cluster = KafkaCluster.at(broker.bootstrapServers());
    TopicCreation.ensure(cluster, "rows", 1, Broker.LIMIT);
    try (CopiedTopic written = new CopiedTopic(cluster, "rows", List.of(USERS))) {
      written.write(0, 1, 5);
      written.flush();
      try (ServedRows rows = place(cluster, "rows").open()) {
        ServedRows.Reader reader = rows.reader(SHAPE);
        broker.stop();
        assertThat(read(reader, 1)).isEqualTo(5);
        broker.restart();
        written.write(0, 1, 6);
        awaitRow(reader, 1, 6);
        broker.stop();
        assertThat(read(reader, 1)).isEqualTo(6);
      }
    } finally {
      broker.close();
    }
  }
}
