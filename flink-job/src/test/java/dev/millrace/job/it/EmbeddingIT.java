package dev.millrace.job.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.testing.EmbeddingNetwork;
import dev.millrace.job.testing.Job;
import dev.millrace.job.testing.Scoring;
import dev.millrace.kafka.testing.Broker;
import dev.millrace.kafka.testing.Predictions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A network that takes numbers of words, and a topic in which one is unknown to it. */
class EmbeddingIT {

  private static final int KNOWN = 200;

  @TempDir Path directory;

  @Test
  void anUnknownWordIsLeftOutOfTheModelAndOfPredictions() throws Exception {
    String topic = Broker.topic(1);
    List<Integer> words = new ArrayList<>(IntStream.range(0, KNOWN).boxed().toList());
    words.replaceAll(i -> i % EmbeddingNetwork.WORDS);
    words.set(KNOWN / 2, EmbeddingNetwork.WORDS);
    Broker.produce(topic, 0, words.stream().map(EmbeddingIT::example).toList());
    Job job =
        new Job(topic, directory)
            .parallelism(1)
            .restarts(3)
            .set("input.format", "json")
            .set("input.features", "1")
            .set("exchange.local-steps", "2")
            .unset("model.name")
            .unset("model.hidden")
            .set("model.configuration", EmbeddingNetwork.write(directory).toString());

    job.run();

    job.assertTookAll(topic, KNOWN);
    assertThat(job.description().ledger().get(0).rejected().count()).isEqualTo(1);

    String letters = Broker.topic(1);
    Scoring scoring =
        new Scoring(topic, directory)
            .parallelism(1)
            .set("input.outputs", "3")
            .set("input.target", "classification")
            .set("scoring.models", job.models().toString())
            .set("dead-letter.topic", letters)
            .run();

    try (Predictions predictions = new Predictions(Broker.cluster(), scoring.output(), 2)) {
      assertThat(predictions.read())
          .hasSize(KNOWN - 1)
          .noneMatch(prediction -> prediction.offset() == KNOWN / 2);
    }
    assertThat(Broker.read(letters))
        .singleElement()
        .satisfies(
            letter -> {
              assertThat(header(letter, "offset")).isEqualTo(Integer.toString(KNOWN / 2));
              assertThat(header(letter, "reason"))
                  .startsWith("the network can't compute with it: ");
            });
  }

  private static String header(ConsumerRecord<byte[], byte[]> letter, String name) {
    return new String(letter.headers().lastHeader("millrace." + name).value(), UTF_8);
  }

  private static byte[] example(int word) {
    return "{\"features\":[%s],\"label\":%s}".formatted(word, word % 3).getBytes(UTF_8);
  }
}
