package dev.millrace.source;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.testing.Seeds;
import dev.millrace.source.SplitCounts.Count;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class SplitCountsTest {

  private final SplitCounts counts = new SplitCounts();

  @Test
  void recordsOfEachSplitAreNumberedFromZero() {
    counts.add("a", List.of());
    counts.add("b", List.of());

    assertThat(List.of(counts.take("a"), counts.take("b"), counts.take("a")))
        .containsExactly(0L, 0L, 1L);
  }

  @Test
  void aSplitTakesItsNumberToTheNextReader() {
    counts.add("a", List.of());
    counts.add("b", List.of());
    counts.take("b");
    SplitCounts next = new SplitCounts();

    next.add("b", counts.save(List.of("a", "b")).get(1));

    assertThat(next.take("b")).isEqualTo(1);
  }

  @Test
  void untoldRecordsAreNumberedUnderTheFirstSplitAndGoOnWhenItHasEnded() {
    counts.add("a", List.of());
    counts.add("b", List.of());
    counts.take(counts.untold());
    counts.take(counts.untold());
    SplitCounts next = new SplitCounts();

    // What is left to be read is b alone.
    next.add("b", counts.save(List.of("b")).get(0));

    assertThat(next.untold()).isEqualTo("a");
    assertThat(next.take(next.untold())).isEqualTo(2);
  }

  @Test
  void nothingIsKeptOfASplitThatHasEnded() {
    counts.add("a", List.of());
    counts.add("b", List.of());
    counts.take("b");
    counts.end("b");

    assertThat(counts.save(List.of("a"))).containsExactly(List.of());
  }

  /**
   * Readers whose number changes with each restore, told or not which split a record is of: no
   * number is given twice, and none is left out.
   */
  @RepeatedTest(50)
  void everyRecordHasAPlaceOfItsOwnAcrossRestores() {
    long seed = Seeds.next();
    Random random = new Random(seed);
    boolean told = random.nextBoolean();
    Map<String, Integer> left = new TreeMap<>();
    Map<String, List<Count>> saved = new HashMap<>();
    for (int split = 0; split < 6; split++) {
      left.put("split" + split, random.nextInt(40));
      saved.put("split" + split, List.of());
    }
    Map<String, List<Long>> ledger = new TreeMap<>();
    while (!left.isEmpty()) {
      List<SplitCounts> readers = new ArrayList<>();
      List<List<String>> splits = new ArrayList<>();
      for (int reader = 1 + random.nextInt(3); reader > 0; reader--) {
        readers.add(new SplitCounts());
        splits.add(new ArrayList<>());
      }
      for (String split : left.keySet()) {
        int reader = random.nextInt(readers.size());
        readers.get(reader).add(split, saved.get(split));
        splits.get(reader).add(split);
      }
      saved.clear();
      for (int i = 0; i < readers.size(); i++) {
        read(readers.get(i), splits.get(i), left, told, random, ledger);
        List<List<Count>> kept = readers.get(i).save(splits.get(i));
        for (int at = 0; at < splits.get(i).size(); at++) {
          saved.put(splits.get(i).get(at), kept.get(at));
        }
      }
    }
    ledger.forEach(
        (name, numbers) ->
            assertThat(numbers)
                .as("numbers under %s, seed %d", name, seed)
                .containsExactlyElementsOf(range(numbers.size())));
  }

  private static void read(
      SplitCounts reader,
      List<String> splits,
      Map<String, Integer> left,
      boolean told,
      Random random,
      Map<String, List<Long>> ledger) {
    for (String split : List.copyOf(splits)) {
      int records = Math.min(left.get(split), random.nextInt(15));
      for (int i = 0; i < records; i++) {
        String name = told ? split : reader.untold();
        ledger.computeIfAbsent(name, any -> new ArrayList<>()).add(reader.take(name));
      }
      left.merge(split, -records, Integer::sum);
      if (left.get(split) == 0) {
        left.remove(split);
        splits.remove(split);
        if (told) {
          reader.end(split);
        }
      }
    }
  }

  private static List<Long> range(int size) {
    List<Long> range = new ArrayList<>();
    for (long i = 0; i < size; i++) {
      range.add(i);
    }
    return range;
  }
}
