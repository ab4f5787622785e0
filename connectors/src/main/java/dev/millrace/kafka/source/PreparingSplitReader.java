package dev.millrace.kafka.source;

import dev.millrace.example.Prerequisites;
import dev.millrace.kafka.topic.PartitionBounds;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.connector.base.source.reader.RecordsBySplits;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.kafka.source.metrics.KafkaSourceReaderMetrics;
import org.apache.flink.metrics.Counter;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Hands records on once all is there that is needed to read them, such as the schema of a registry.
 * Until then it holds them back: the task sees a source that has nothing at the moment, checkpoints
 * go on, and nothing is lost.
 *
 * <p>Used on the fetcher's thread alone, but for {@link #wakeUp}.
 */
@SuppressWarnings("try") // As the class that it extends.
final class PreparingSplitReader extends SkippingSplitReader {

  /** The pause between two tries to get what is needed. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** The time after which nobody waits without a word in the log. */
  private static final Duration SILENCE = Duration.ofSeconds(10);

  private static final RecordsWithSplitIds<ConsumerRecord<byte[], byte[]>> NOTHING =
      new RecordsBySplits<>(Map.of(), Set.of());

  private final Prerequisites prerequisites;
  private final SchemaWait wait;

  private RecordsWithSplitIds<ConsumerRecord<byte[], byte[]>> held;
  private final Queue<byte[]> unprepared = new ArrayDeque<>();

  private boolean hasFailed;
  private long nextTry;

  /** Is complete from a wake-up until it was noticed. */
  private volatile CompletableFuture<Void> wokenUp = new CompletableFuture<>();

  PreparingSplitReader(
      Properties properties,
      SourceReaderContext context,
      KafkaSourceReaderMetrics metrics,
      PartitionBounds bounds,
      Counter missedOrNull,
      Prerequisites prerequisites,
      SchemaWait wait) {
    super(properties, context, metrics, bounds, missedOrNull);
    this.prerequisites = prerequisites;
    this.wait = wait;
  }

  @Override
  public RecordsWithSplitIds<ConsumerRecord<byte[], byte[]>> fetch() throws IOException {
    if (held == null) {
      hold(super.fetch());
    }
    if (!arePrepared()) {
      wokenUp = new CompletableFuture<>();
      return NOTHING;
    }
    RecordsWithSplitIds<ConsumerRecord<byte[], byte[]>> prepared = held;
    held = null;
    return prepared;
  }

  private void hold(RecordsWithSplitIds<ConsumerRecord<byte[], byte[]>> fetched) {
    RecordsBySplits.Builder<ConsumerRecord<byte[], byte[]>> records =
        new RecordsBySplits.Builder<>();
    for (String split = fetched.nextSplit(); split != null; split = fetched.nextSplit()) {
      for (ConsumerRecord<byte[], byte[]> record = fetched.nextRecordFromSplit();
          record != null;
          record = fetched.nextRecordFromSplit()) {
        records.add(split, record);
        if (record.value() != null) {
          unprepared.add(record.value());
        }
      }
    }
    records.addFinishedSplits(fetched.finishedSplits());
    fetched.recycle();
    held = records.build();
  }

  /** Waits until all that is held can be read; false if woken up before. */
  private boolean arePrepared() {
    while (!unprepared.isEmpty()) {
      if (hasFailed && isWokenUpBefore(nextTry)) {
        return false;
      }
      CompletableFuture<Optional<String>> tried = prerequisites.of(unprepared.peek());
      if (!tried.isDone()) {
        wait.begin();
        awaitEither(tried);
      }
      if (!tried.isDone()) {
        return false;
      }
      Optional<String> problem = tried.join();
      hasFailed = problem.isPresent();
      if (hasFailed) {
        wait.tell(problem.get());
        // Not earlier for a wake-up, of which each checkpoint may bring one.
        nextTry = System.nanoTime() + PAUSE.toNanos();
      } else {
        unprepared.remove();
      }
    }
    wait.end();
    return true;
  }

  /** Waits for what is needed, or to be woken up. */
  private void awaitEither(CompletableFuture<Optional<String>> tried) {
    CompletableFuture<Object> either = CompletableFuture.anyOf(tried, wokenUp);
    while (!either.isDone()) {
      try {
        either.get(SILENCE.toNanos(), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        wait.tell("It is being asked for, and has not come within " + SILENCE.toSeconds() + " s");
      } catch (ExecutionException e) {
        throw new IllegalStateException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private boolean isWokenUpBefore(long time) {
    try {
      wokenUp.get(Math.max(0, time - System.nanoTime()), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  @Override
  public void wakeUp() {
    super.wakeUp();
    wokenUp.complete(null);
  }
}
