package dev.millrace.chaos;

import dev.millrace.digits.Digits;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.FormatSettings;
import dev.millrace.file.ExampleSequence;
import dev.millrace.file.ExampleSet;
import dev.millrace.kafka.KafkaCluster;
import dev.millrace.kafka.topic.ExampleProducer;
import dev.millrace.kafka.topic.Rate;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Sends drawn digits to a topic, on a thread of its own. */
final class DigitProducer implements AutoCloseable {

  private final Thread thread;
  private final CompletableFuture<Long> sent = new CompletableFuture<>();

  private DigitProducer(KafkaCluster kafka, String topic, long seed, Rate rate, long most) {
    this.thread =
        new Thread(
            () -> {
              try {
                sent.complete(send(kafka, topic, seed, rate, most));
              } catch (IOException | RuntimeException e) {
                sent.completeExceptionally(e);
              }
            },
            "feed");
  }

  /**
   * Begins to send.
   *
   * @param seed of the digits
   * @param most digits to send; it may be ended before
   */
  static DigitProducer start(KafkaCluster kafka, String topic, long seed, Rate rate, long most) {
    DigitProducer feed = new DigitProducer(kafka, topic, seed, rate, most);
    feed.thread.start();
    return feed;
  }

  private static long send(KafkaCluster kafka, String topic, long seed, Rate rate, long most)
      throws IOException {
    ExampleSet set = new Digits(AccuracyCheck.ENDLESS, seed).open();
    ExampleFormat format = ExampleFormat.named("uint8", set.shape(), FormatSettings.defaults());
    try (ExampleSequence examples = set.training();
        ExampleProducer producer = ExampleProducer.open(kafka, topic, format)) {
      return producer.send(examples, rate, most, soFar -> {});
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
