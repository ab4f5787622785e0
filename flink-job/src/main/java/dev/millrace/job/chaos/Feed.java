package dev.millrace.job.chaos;

import dev.millrace.example.ExampleFormat;
import dev.millrace.example.FormatSettings;
import dev.millrace.file.DataSpec;
import dev.millrace.file.ExampleSequence;
import dev.millrace.file.ExampleSet;
import dev.millrace.kafka.ExampleProducer;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.Rate;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Sends drawn digits to a topic at a steady rate, on a thread of its own. */
final class Feed implements AutoCloseable {

  private final Thread thread;
  private final CompletableFuture<Long> sent = new CompletableFuture<>();

  private Feed(KafkaCluster kafka, String topic, DataSpec data, double perSecond) {
    this.thread =
        new Thread(
            () -> {
              try {
                sent.complete(send(kafka, topic, data, perSecond));
              } catch (IOException | RuntimeException e) {
                sent.completeExceptionally(e);
              }
            },
            "feed");
  }

  static Feed start(KafkaCluster kafka, String topic, DataSpec data, double perSecond) {
    Feed feed = new Feed(kafka, topic, data, perSecond);
    feed.thread.start();
    return feed;
  }

  private static long send(KafkaCluster kafka, String topic, DataSpec data, double perSecond)
      throws IOException {
    ExampleSet set = data.open();
    ExampleFormat format = ExampleFormat.named("uint8", set.shape(), FormatSettings.defaults());
    try (ExampleSequence examples = set.training();
        ExampleProducer producer = ExampleProducer.open(kafka, topic, format)) {
      return producer.send(examples, Rate.perSecond(perSecond), Long.MAX_VALUE, soFar -> {});
    }
  }

  /**
   * Ends it, or waits for the end of the data.
   *
   * @throws ChaosException if it has failed
   */
  void end(boolean atOnce) throws InterruptedException {
    if (atOnce) {
      thread.interrupt();
    }
    try {
      sent.get();
    } catch (ExecutionException e) {
      throw new ChaosException("Examples couldn't be produced: " + e.getCause().getMessage());
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
