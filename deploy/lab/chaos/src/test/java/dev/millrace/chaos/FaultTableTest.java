package dev.millrace.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class FaultTableTest {

  @Test
  void tellsHowOftenAKindCameAndHowLongRecoveryTook() {
    FaultTable table = new FaultTable();
    table.add(new Recovery(FaultKind.KILL_JOBMANAGER, Duration.ofSeconds(9)));
    table.add(new Recovery(FaultKind.KILL_TASKMANAGER, Duration.ofSeconds(4)));
    table.add(new Recovery(FaultKind.KILL_TASKMANAGER, Duration.ofMillis(11_460)));
    table.add(new Recovery(FaultKind.KILL_TASKMANAGER, Duration.ofSeconds(5)));

    table.add(new Recovery(FaultKind.CUT_LINK, Duration.ofSeconds(3)));
    table.add(new Recovery(FaultKind.CUT_LINK, Duration.ofSeconds(1)));

    assertThat(table.count()).isEqualTo(6);
    assertThat(table.lines())
        .containsExactly(
            "| fault | count | median, s | worst, s |",
            "| --- | ---: | ---: | ---: |",
            "| TaskManager killed | 3 | 5.0 | 11.5 |",
            "| JobManager killed | 1 | 9.0 | 9.0 |",
            "| link down | 2 | 2.0 | 3.0 |");
  }
}
