package dev.millrace.job.evaluate.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.example.RejectedRecord;
import dev.millrace.model.Partition;
import java.util.List;
import org.junit.jupiter.api.Test;

class RejectedCountsTest {

  @Test
  void theFirstOfAllPartsAreKept() {
    RejectedCounts one = new RejectedCounts();
    RejectedCounts other = new RejectedCounts();
    for (int offset = 9; offset >= 0; offset--) {
      (offset % 2 == 0 ? one : other).add(rejected(1, offset));
    }
    other.add(rejected(0, 100));
    one.merge(other);

    assertThat(one.count()).isEqualTo(11);
    assertThat(one.first())
        .extracting(RejectedCounts.Rejection::offset)
        .isEqualTo(List.of(100L, 0L, 1L, 2L, 3L));
    assertThat(other.count()).isEqualTo(6);
  }

  private static RejectedRecord rejected(int partition, long offset) {
    return new RejectedRecord(new Partition("t", partition), offset, 0, null, null, "bad");
  }
}
