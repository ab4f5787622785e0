package dev.millrace.sql.predict;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.table.data.GenericRowData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RowBatchesTest {

  /** Longer than a test may take. */
  private static final Duration FOR_EVER = Duration.ofDays(1);

  @Test
  void aFullBatchIsTakenAtOnce() throws Exception {
    RowBatches batches = new RowBatches(2, FOR_EVER);
    List<PendingRow> rows = add(batches, 5);

    assertThat(batches.take()).containsExactly(rows.get(0), rows.get(1));
    assertThat(batches.take()).containsExactly(rows.get(2), rows.get(3));
  }

  @Test
  void anotherIsTakenWhenItsFirstRowHasWaited() throws Exception {
    RowBatches batches = new RowBatches(1000, Duration.ofMillis(20));
    List<PendingRow> rows = add(batches, 2);

    assertThat(batches.take()).isEqualTo(rows);
    assertThat(System.nanoTime() - rows.get(0).since())
        .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(20));
  }

  /** Rows come from another thread than the one that takes them. */
  @Test
  void allRowsAreTakenInTheirOrder() throws Exception {
    RowBatches batches = new RowBatches(7, Duration.ofMillis(1));
    List<PendingRow> added = new ArrayList<>();
    CompletableFuture<Void> adding =
        CompletableFuture.runAsync(() -> added.addAll(add(batches, 10_000)));

    List<PendingRow> taken = new ArrayList<>();
    while (taken.size() < 10_000) {
      List<PendingRow> batch = batches.take();
      assertThat(batch).hasSizeBetween(1, 7);
      taken.addAll(batch);
    }
    adding.join();
    assertThat(taken).isEqualTo(added);
  }

  @Test
  void noBatchComesOfThoseThatAreClosed() throws Exception {
    RowBatches batches = new RowBatches(10, FOR_EVER);
    CompletableFuture<List<PendingRow>> taking =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return batches.take();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    add(batches, 1);
    batches.close();

    assertThat(taking.join()).isEmpty();
  }

  @Test
  void failsRowsThatWaitAndThoseThatCome() {
    RowBatches batches = new RowBatches(10, FOR_EVER);
    PendingRow before = add(batches, 1).get(0);
    batches.fail(new IllegalStateException("planned"));
    PendingRow after = add(batches, 1).get(0);

    for (PendingRow row : Arrays.asList(before, after)) {
      assertThat(row.answer()).isCompletedExceptionally();
    }
  }

  private static List<PendingRow> add(RowBatches batches, int count) {
    List<PendingRow> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      PendingRow row = PendingRow.of(GenericRowData.of(i));
      rows.add(row);
      batches.add(row);
    }
    return rows;
  }
}
