package dev.millrace.exchange.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.log.LogEntry.Away;
import dev.millrace.exchange.log.LogEntry.Contributed;
import dev.millrace.exchange.log.LogEntry.Round;
import dev.millrace.model.ModelVersion;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogGapTest {

  private final LogGap gap = new LogGap();

  @Test
  void theFirstRoundThatIsNotToldIsNamed() {
    assertThat(gap.look(round(6, "b6 h6 @odd%21/0:3+1 d", ""))).isEmpty();
    assertThat(gap.look(round(7, "d", "! 0:3+1 d")))
        .hasValueSatisfying(
            warning ->
                assertThat(warning)
                    .startsWith("The training log doesn't tell what replicas did for version 2.7: ")
                    .contains("the offsets of its records have gaps")
                    .endsWith("rebuild and forget can begin at it, by --from"));
    assertThat(gap.look(round(8, "! d", "d"))).as("once").isEmpty();
  }

  /** What was done before a restore is missing as well. */
  @Test
  void anAttemptBeforeIsLookedAtToo() {
    assertThat(gap.look(round(7, "(0 ! q ) r0 0:3+1 d"))).isPresent();
  }

  private static Round round(long number, String... logs) {
    List<Contributed> members =
        List.of(logs).stream().map(log -> new Contributed(0, number, 2, log)).toList();
    return new Round(
        new ModelVersion(2, number),
        members,
        List.of(),
        new Away(new BitSet(), new BitSet(), new BitSet()),
        false);
  }
}
