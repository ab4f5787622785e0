package dev.millrace.exchange.flink.rows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.rows.Expiry;
import dev.millrace.exchange.rows.RowTable;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowHooksTest {

  private static boolean usesTimes(Expiry expiry) {
    RowTable other = RowTable.of("items", 1);
    return new RowHooks(List.of(other, RowTable.of("users", 2).with(expiry)), 16, 0, false, false)
        .usesTimes();
  }

  /** A restored job tells its shards the same times as one that didn't fail. */
  @Test
  void minibatchesThatWaitKeepTheirTimesWhereRowsExpireByTime() {
    assertThat(usesTimes(Expiry.afterTime(Duration.ofDays(30)))).isTrue();
    assertThat(usesTimes(Expiry.afterExamples(1_000))).isFalse();
    assertThat(usesTimes(Expiry.NEVER)).isFalse();
  }
}
