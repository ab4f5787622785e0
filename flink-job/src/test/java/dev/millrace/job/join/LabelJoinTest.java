package dev.millrace.job.join;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.join.NeverForgetting.Fate;
import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LabelJoinTest {

  private static final long WITHIN = 100;
  private static final long BEFORE = 7;
  private static final JoinBounds BOUNDS =
      new JoinBounds(Duration.ofMillis(WITHIN), Duration.ofMillis(BEFORE));

  private final Arrivals arrivals = new Arrivals();
  private final TestJoin join = new TestJoin(BOUNDS);

  /** Features twice and a label twice: one pair and one of each too many, whoever comes first. */
  @ParameterizedTest
  @ValueSource(strings = {"FFLL", "FLFL", "FLLF", "LFFL", "LFLF", "LLFF"})
  void inWhateverOrderAPairIsMadeOnce(String order) throws IOException {
    for (int i = 0; i < order.length(); i++) {
      join.arrive(
          order.charAt(i) == 'F' ? arrivals.features("a", 1000) : arrivals.label("a", 1050));
    }
    join.advance(5000);

    assertThat(join.pairs).containsExactly(order.indexOf('F') + "+" + order.indexOf('L'));
    assertThat(join.duplicates)
        .containsExactlyInAnyOrder((long) order.lastIndexOf('F'), (long) order.lastIndexOf('L'));
    assertThat(join.late).isEmpty();
    assertThat(join.unlabelled).isEmpty();
    assertThat(join.keys()).isZero();
  }

  /** To the millisecond, whoever comes first. */
  @ParameterizedTest
  @CsvSource({
    "1100, true, true",
    "1101, false, true",
    "993, true, true",
    "992, false, true",
    "1100, true, false",
    "1101, false, false",
    "993, true, false",
    "992, false, false"
  })
  void theBoundsAreInclusive(long labelTime, boolean belongs, boolean featuresFirst)
      throws IOException {
    JoinRecord features = arrivals.features("a", 1000);
    JoinRecord label = arrivals.label("a", labelTime);
    join.arrive(featuresFirst ? features : label);
    join.arrive(featuresFirst ? label : features);

    assertThat(join.pairs).hasSize(belongs ? 1 : 0);
    assertThat(join.late).hasSize(belongs ? 0 : 1);
  }

  @Test
  void featuresWaitUntilTheWatermarkHasReachedTheirBound() throws IOException {
    join.arrive(arrivals.features("a", 1000));
    join.advance(1099);
    assertThat(join.unlabelled).isEmpty();
    join.arrive(arrivals.label("a", 1100));
    assertThat(join.pairs).hasSize(1);

    join.arrive(arrivals.features("b", 1000));
    join.advance(1100);
    assertThat(join.unlabelled).hasSize(1);
    join.arrive(arrivals.label("b", 1100));
    assertThat(join.late).hasSize(1);
    assertThat(join.reasons).singleElement().asString().contains("1970-01-01T00:00:01.100Z");
  }

  @Test
  void aLabelWaitsAsLongAsItsFeaturesMayComeInTime() throws IOException {
    join.arrive(arrivals.label("a", 1000));
    join.advance(1106);
    assertThat(join.late).isEmpty();
    join.arrive(arrivals.features("a", 1007));
    assertThat(join.pairs).hasSize(1);

    join.arrive(arrivals.label("b", 1000));
    join.advance(1107);
    assertThat(join.late).hasSize(1);
    join.arrive(arrivals.features("b", 1007));
    assertThat(join.late).hasSize(2);
    assertThat(join.reasons).last().asString().startsWith("features of 1970-01-01T00:00:01.007Z");
  }

  /** Features that come late find a label that waits: nothing has been said of them yet. */
  @Test
  void lateFeaturesTakeALabelThatIsThere() throws IOException {
    join.arrive(arrivals.label("a", 1100));
    join.advance(1150);
    join.arrive(arrivals.features("a", 1000));

    assertThat(join.pairs).hasSize(1);
  }

  @Test
  void aPairIsKnownForTheBoundAndItsRecordsAreTooLateAfterwards() throws IOException {
    join.arrive(arrivals.features("a", 1000));
    join.arrive(arrivals.label("a", 1100));
    join.advance(1206);
    assertThat(join.keys()).isEqualTo(1);
    join.arrive(arrivals.label("a", 1100));
    join.arrive(arrivals.features("a", 1000));
    assertThat(join.duplicates).hasSize(2);

    join.advance(1207);
    assertThat(join.keys()).isZero();
    join.arrive(arrivals.label("a", 1100));
    join.arrive(arrivals.features("a", 1000));
    assertThat(join.late).hasSize(2);
    assertThat(join.pairs).hasSize(1);
  }

  @Test
  void aKeyMayComeAgainForOtherEvents() throws IOException {
    join.arrive(arrivals.features("a", 1000));
    join.arrive(arrivals.label("a", 1010));
    join.advance(1207);
    join.arrive(arrivals.features("a", 2000));
    join.arrive(arrivals.label("a", 2010));

    assertThat(join.pairs).hasSize(2);
  }

  @Test
  void aTimeNearTheEndOfTimeIsABoundToo() throws IOException {
    join.arrive(arrivals.features("a", Long.MAX_VALUE - 1));
    join.advance(Long.MAX_VALUE - 1);
    assertThat(join.keys()).isEqualTo(1);
    join.advance(Long.MAX_VALUE);
    assertThat(join.unlabelled).hasSize(1);
    assertThat(join.keys()).isZero();
  }

  /** Few keys, so that these come again and again; watermarks that some records don't keep to. */
  @Test
  void doesAsAProgramThatNeverForgets() throws IOException {
    for (int run = 0; run < 300; run++) {
      long seed = Seeds.next();
      requireTheSame(seed);
    }
  }

  private static void requireTheSame(long seed) throws IOException {
    Random random = new Random(seed);
    Arrivals records = new Arrivals();
    NeverForgetting plain = new NeverForgetting(WITHIN, BEFORE);
    TestJoin join = new TestJoin(BOUNDS);
    long watermark = 0;
    for (int i = 0; i < 200; i++) {
      String key = String.valueOf(random.nextInt(6));
      long time = Math.max(0, watermark + random.nextInt(400) - 200);
      JoinRecord record =
          random.nextBoolean() ? records.features(key, time) : records.label(key, time);
      plain.arrive(record);
      join.arrive(record);
      if (random.nextInt(3) == 0) {
        watermark += random.nextInt(60);
        plain.advance(watermark);
        join.advance(watermark);
      }
    }
    plain.advance(Long.MAX_VALUE - 1000);
    join.advance(Long.MAX_VALUE - 1000);

    String as = "seed " + seed;
    assertThat(join.pairs).as(as).containsExactlyElementsOf(plain.pairs());
    assertThat(sorted(join.unlabelled)).as(as).isEqualTo(plain.offsets(Fate.UNLABELLED));
    assertThat(sorted(join.late)).as(as).isEqualTo(plain.offsets(Fate.LATE));
    assertThat(sorted(join.duplicates)).as(as).isEqualTo(plain.offsets(Fate.DUPLICATE));
    assertThat(join.keys()).as(as).isZero();
  }

  private static List<Long> sorted(List<Long> offsets) {
    List<Long> sorted = new ArrayList<>(offsets);
    sorted.sort(null);
    return sorted;
  }
}
