package dev.millrace.cli.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.timeline.TimelineRound.Member;
import java.util.List;
import org.junit.jupiter.api.Test;

class PeriodTest {

  /** Announced at 985 and 1030: what the next record says of the wait tells it. */
  @Test
  void aContributionIsAnnouncedItsWaitBeforeItsRoundIsClosed() {
    List<Period> periods =
        Period.of(
            List.of(
                round(1, 1000, member(1, 0, 20)),
                round(2, 1040, member(2, 15, 45)),
                round(3, 1080, member(3, 10, 50))),
            false);

    assertThat(periods).extracting(Period::start).containsExactly(965.0, 985.0, 1030.0);
    assertThat(periods.get(2).end()).isEqualTo(1080);
  }

  @Test
  void whereAContributionIsMissingAPeriodStandsByItself() {
    List<Period> periods =
        Period.of(
            List.of(round(1, 1000, member(1, 0, 20)), round(9, 1400, member(5, 15, 45))), false);

    assertThat(periods).extracting(Period::start).containsExactly(980.0, 1355.0);
  }

  private static TimelineRound round(long round, long time, Member member) {
    return new TimelineRound(1, round, time, List.of(member));
  }

  private static Member member(long sequence, double wait, double elapsed) {
    return new Member(0, sequence, 1, 1, 0, wait, 0, 0, elapsed);
  }
}
