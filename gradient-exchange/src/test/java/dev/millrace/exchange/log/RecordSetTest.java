package dev.millrace.exchange.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RecordSetTest {

  private static final int OFFSETS = 60;

  private final RecordSet set = new RecordSet();

  @Test
  void recordsThatFollowEachOtherAreOneRun() {
    set.add("clicks", 0, 7);
    set.add("clicks", 0, 9);
    set.add("clicks", 0, 8);
    set.add("clicks", 1, 10);
    set.add("clicks", 0, 7);

    assertThat(set.runs())
        .containsExactly(new RecordRun("clicks", 0, 7, 3), new RecordRun("clicks", 1, 10, 1));
    assertThat(set.count()).isEqualTo(4);
    assertThat(set.contains("clicks", 0, 9)).isTrue();
    assertThat(set.contains("clicks", 0, 10)).isFalse();
    assertThat(set.contains("orders", 0, 9)).isFalse();
  }

  @Test
  void itIsASetOfNumbersWhateverRunsAreAdded() {
    long seed = Seeds.next();
    Random random = new Random(seed);
    for (int time = 0; time < 200; time++) {
      RecordSet some = new RecordSet();
      TreeSet<Long> numbers = new TreeSet<>();
      for (int run = random.nextInt(12); run >= 0; run--) {
        int first = random.nextInt(OFFSETS);
        int count = 1 + random.nextInt(8);
        some.add(new RecordRun("t", 0, first, count));
        for (long offset = first; offset < first + count; offset++) {
          numbers.add(offset);
        }
      }
      List<Long> inside = new ArrayList<>();
      List<Long> outside = new ArrayList<>();
      some.split(
          new RecordRun("t", 0, 5, OFFSETS),
          run -> offsets(run, inside),
          run -> offsets(run, outside));

      assertThat(some.count()).as("seed %d", seed).isEqualTo(numbers.size());
      assertThat(inside)
          .as("seed %d", seed)
          .isEqualTo(List.copyOf(numbers.subSet(5L, 5L + OFFSETS)));
      for (long from = 0; from < OFFSETS; from++) {
        Long next = numbers.ceiling(from);
        assertThat(some.next("t", 0, from))
            .isEqualTo(next == null ? OptionalLong.empty() : OptionalLong.of(next));
      }
      assertThat(outside).hasSize(OFFSETS - inside.size()).doesNotContainAnyElementsOf(numbers);
      assertThat(RecordSet.of(some.runs()).runs()).isEqualTo(some.runs());
    }
  }

  private static void offsets(RecordRun run, List<Long> into) {
    for (long offset = run.first(); offset < run.end(); offset++) {
      into.add(offset);
    }
  }

  /** A record of the log has no room for more digits of a count. */
  @Test
  void aRunOfVeryManyRecordsIsCut() {
    set.add(new RecordRun("t", 0, 0, 999_999_999));
    set.add(new RecordRun("t", 0, 999_999_999, 5));

    assertThat(set.runs())
        .containsExactly(
            new RecordRun("t", 0, 0, 999_999_999), new RecordRun("t", 0, 999_999_999, 5));
    assertThat(set.count()).isEqualTo(1_000_000_004);
  }
}
