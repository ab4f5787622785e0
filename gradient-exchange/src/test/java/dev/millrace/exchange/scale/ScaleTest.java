package dev.millrace.exchange.scale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.scale.Traffic.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a start and a round cost grows with the number of replicas, and never with its square. */
class ScaleTest {

  private static final int FEW = 64;
  private static final int MANY = 256;
  private static final int BLOCKS = 5;

  /** A little more than in proportion: longer numbers, and what is there once. */
  private static final double MOST = 1.1 * MANY / FEW;

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aStartGrowsInProportion(Kind kind) {
    assertGrowth(
        new ScaledJob(FEW, 1, BLOCKS).traffic, new ScaledJob(MANY, 1, BLOCKS).traffic, kind);
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aRoundGrowsInProportion(Kind kind) {
    assertGrowth(round(FEW, 1, BLOCKS), round(MANY, 1, BLOCKS), kind);
  }

  @Test
  void headsAndUpdatesGoByProcess() {
    Traffic traffic = round(FEW, 8, BLOCKS);

    assertThat(traffic.of(Kind.HEAD).messages()).isEqualTo(FEW / 8);
    assertThat(traffic.of(Kind.DELIVERY).messages()).isEqualTo(FEW / 8 * BLOCKS);
  }

  /** As often as there are processes, however many replicas each has. */
  @Test
  void whatIsGatheredGoesIntoShardsByProcess() {
    Traffic direct = round(new ScaledJob(FEW, 8, BLOCKS));
    Traffic gathered = round(new ScaledJob(FEW, 8, BLOCKS, true));

    assertThat(gathered.of(Kind.CONTRIBUTION)).isEqualTo(Traffic.Sent.NOTHING);
    assertThat(gathered.of(Kind.PART).messages()).isEqualTo(FEW / 8 * BLOCKS);
    assertThat(gathered.of(Kind.PART).values())
        .isEqualTo(direct.of(Kind.CONTRIBUTION).values() / 8);
    assertThat(gathered.of(Kind.ORDER).messages()).isEqualTo(FEW / 8);
    assertThat(gathered.of(Kind.HEAD)).isEqualTo(direct.of(Kind.HEAD));
    assertThat(gathered.of(Kind.DECISION)).isEqualTo(direct.of(Kind.DECISION));
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aRoundOfWhatIsGatheredGrowsInProportion(Kind kind) {
    assertGrowth(
        round(new ScaledJob(FEW, 8, BLOCKS, true)),
        round(new ScaledJob(MANY, 8, BLOCKS, true)),
        kind);
  }

  /** Of a model of 100 million float32 in blocks of 64 KB, which is the default. */
  @Test
  void controlIsASmallPartOfALargeModel() {
    int blocks = 20;
    Traffic traffic = round(1_000, 1, blocks);
    double perBlock =
        (double)
                (traffic.of(Kind.CONTRIBUTION).control()
                    + traffic.of(Kind.DELIVERY).control()
                    + traffic.of(Kind.DECISION).control())
            / blocks;
    double others = traffic.of(Kind.ANNOUNCEMENT).control() + traffic.of(Kind.HEAD).control();
    double values = 100e6 * Float.BYTES * 1_000 * 2;

    double control = perBlock * Math.ceil(100e6 * Float.BYTES / (1 << 16)) + others;

    assertThat(control / values).isLessThan(0.05);
  }

  /** Of what a round sends and brings back, whichever its turn is. */
  @Test
  void aRoundOfAFragmentMovesItsPartOfTheValues() {
    int blocks = 8;
    ScaledJob whole = new ScaledJob(FEW, 8, blocks);
    ScaledJob parts = ScaledJob.inFragments(FEW, 8, blocks, 4);
    for (int round = 0; round < 8; round++) {
      for (ScaledJob job : List.of(whole, parts)) {
        job.traffic.clear();
        job.round();
        assertThat(job.allAreReleased()).isTrue();
      }
      for (Kind kind : List.of(Kind.CONTRIBUTION, Kind.DELIVERY)) {
        assertThat(4 * parts.traffic.of(kind).values())
            .as("%s of round %d", kind, round)
            .isPositive()
            .isEqualTo(whole.traffic.of(kind).values());
        assertThat(4 * parts.traffic.of(kind).messages())
            .isEqualTo(whole.traffic.of(kind).messages());
      }
    }
  }

  private static Traffic round(int replicas, int perProcess, int blocks) {
    return round(new ScaledJob(replicas, perProcess, blocks));
  }

  private static Traffic round(ScaledJob job) {
    job.round();
    job.traffic.clear();
    job.round();
    assertThat(job.allAreReleased()).isTrue();
    return job.traffic;
  }

  private static void assertGrowth(Traffic few, Traffic many, Kind kind) {
    assertThat((double) many.of(kind).control())
        .as("bytes of control of %d replicas, %s of %d", MANY, few.of(kind), FEW)
        .isLessThanOrEqualTo(MOST * few.of(kind).control());
    assertThat((double) many.of(kind).messages())
        .isLessThanOrEqualTo(MOST * few.of(kind).messages());
  }
}
