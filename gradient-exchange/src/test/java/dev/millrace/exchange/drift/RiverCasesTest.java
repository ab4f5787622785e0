package dev.millrace.exchange.drift;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoublePredicate;
import org.junit.jupiter.api.Test;

/**
 * The cases that River publishes, in the examples of its documentation and in {@code
 * river/drift/test_drift_detectors.py}, with its settings. 2,000 digits of each stream are in a
 * file; both change at 1,000. River's tests make theirs by {@code numpy.random.seed(12345)}, {@code
 * randint(2, size=1000)} and {@code randint(8, size=1000)}; its examples by {@code
 * random.Random(12345)}, {@code choices([0, 1], k=1000)} and {@code choices(range(4, 8), k=1000)}.
 */
class RiverCasesTest {

  private static final int TESTS = 0;
  private static final int EXAMPLES = 1;

  @Test
  void pageAndHinkleyFindWhatRiverFinds() throws IOException {
    assertThat(found(new PageHinkley(0.005, 50)::add, TESTS)).containsExactly(1020, 1991);
    assertThat(found(new PageHinkley(0.005, 50)::add, EXAMPLES)).containsExactly(1006);
  }

  /**
   * River's finds 1055 in the first, 32 numbers later: it doesn't look at the cut after the newest
   * bucket of each size. With that left out, ours finds 1055, 1087 and 1215, as River did before it
   * began to forget the whole window; ours keeps what belongs to the new mean, as the paper does.
   */
  @Test
  void adwinFindsWhatRiverFindsOrSooner() throws IOException {
    assertThat(found(new Adwin(0.002)::addAndCut, TESTS)).containsExactly(1023, 1055);
    assertThat(found(new Adwin(0.002)::addAndCut, EXAMPLES)).containsExactly(1023);
  }

  /**
   * River's finds 1042 and 1016, with windows of 200 and 100 and samples of 100 and 30. Ours are
   * fixed, larger, and looked at with each 20th number.
   */
  @Test
  void kswinFindsTheChangeInItsLargerWindow() throws IOException {
    assertThat(found(new Kswin(0.0001, false)::add, TESTS)).containsExactly(1059);
    assertThat(found(new Kswin(0.0001, false)::add, EXAMPLES)).containsExactly(1059);
  }

  private static List<Integer> found(DoublePredicate detector, int stream) throws IOException {
    List<Integer> found = new ArrayList<>();
    String digits = stream(stream);
    for (int at = 0; at < digits.length(); at++) {
      if (detector.test(digits.charAt(at) - '0')) {
        found.add(at);
      }
    }
    return found;
  }

  private static String stream(int number) throws IOException {
    try (InputStream in = RiverCasesTest.class.getResourceAsStream("river-streams.txt")) {
      return new String(in.readAllBytes(), UTF_8).lines().toList().get(number);
    }
  }
}
