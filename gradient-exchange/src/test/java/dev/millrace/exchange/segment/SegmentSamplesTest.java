package dev.millrace.exchange.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.example.Example;
import dev.millrace.exchange.segment.SegmentRule.Kind;
import dev.millrace.model.ExampleShape;
import dev.millrace.model.Partition;
import dev.millrace.model.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SegmentSamplesTest {

  private static final ExampleShape SHAPE = new ExampleShape(1, 3, Target.CLASSIFICATION);
  private static final Partition PARTITION = new Partition("t", 2);

  @Test
  void aShareOfTheRecordsIsHeldOutEvenly() {
    SegmentRule rule = new SegmentRule(Kind.PERIOD, 0.1, 100, 5);
    for (int partition = 0; partition < 4; partition++) {
      Partition one = new Partition("records", partition);
      for (long from = 0; from < 40_000; from += 10_000) {
        long count =
            LongStream.range(from, from + 10_000)
                .filter(offset -> rule.holdsOut(one, offset))
                .count();
        assertThat((double) count).isCloseTo(1_000, within(150.0));
      }
    }
    assertThat(LongStream.range(0, 100).filter(at -> SegmentRule.NONE.holdsOut(PARTITION, at)))
        .isEmpty();
  }

  @Test
  void segmentsAreClassesOrPeriods() {
    assertThat(new SegmentRule(Kind.CLASS, 0.5, 1, 5).keep(example(1, 250)).segment()).isEqualTo(1);
    assertThat(new SegmentRule(Kind.PERIOD, 0.5, 100, 5).keep(example(1, 250)).segment())
        .isEqualTo(2);
  }

  @Test
  void theSampleIsTheSameInWhateverOrderExamplesCome() {
    long seed = new Random().nextLong();
    List<HeldOutExample> all = examples(600);
    SegmentSamples one = new SegmentSamples(10);
    all.forEach(one::add);
    Collections.shuffle(all, new Random(seed));
    SegmentSamples other = new SegmentSamples(10);
    all.forEach(other::add);

    assertThat(features(one)).as("seed %d", seed).isEqualTo(features(other));
    assertThat(features(one)).hasSize(3).allSatisfy((any, kept) -> assertThat(kept).hasSize(10));
    // Not the first ones, nor the last.
    assertThat(features(one).get(0L).stream().mapToDouble(Float::doubleValue).average())
        .hasValueCloseTo(300.0, within(200.0));
  }

  @Test
  void continuesFromCheckpointsOfTwo() throws IOException {
    SegmentSamples whole = new SegmentSamples(10);
    SegmentSamples first = new SegmentSamples(10);
    SegmentSamples second = new SegmentSamples(10);
    List<HeldOutExample> all = examples(600);
    for (int i = 0; i < all.size(); i++) {
      whole.add(all.get(i));
      (i % 5 < 2 ? first : second).add(all.get(i));
    }
    assertThat(first.note(1, 0.75)).isEqualTo(0.75);
    assertThat(second.note(1, 0.5)).isEqualTo(0.5);

    SegmentSamples restored = new SegmentSamples(10);
    restored.restore(first.save());
    restored.restore(second.save());

    assertThat(features(restored)).isEqualTo(features(whole));
    assertThat(restored.note(1, 0.25)).isEqualTo(0.75);
    assertThat(restored.note(1, 0.875)).isEqualTo(0.875);
  }

  @Test
  void theOldestPeriodsGo() {
    SegmentSamples samples = new SegmentSamples(1);
    for (long segment = 0; segment <= SegmentSamples.MOST_SEGMENTS; segment++) {
      samples.add(
          new HeldOutExample(segment, segment, new float[1], new float[3], new String[0], 0));
    }
    assertThat(samples.examples()).hasSize(SegmentSamples.MOST_SEGMENTS).doesNotContainKey(0L);
  }

  private static List<HeldOutExample> examples(int count) {
    SegmentRule rule = new SegmentRule(Kind.CLASS, 0.5, 1, 10);
    List<HeldOutExample> examples = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      examples.add(rule.keep(example(i % 3, i)));
    }
    return examples;
  }

  private static Map<Long, List<Float>> features(SegmentSamples samples) {
    return samples.examples().entrySet().stream()
        .collect(
            Collectors.toMap(
                Map.Entry::getKey,
                kept -> kept.getValue().stream().map(one -> one.features()[0]).toList()));
  }

  private static Example example(int label, long offset) {
    Example example = new Example(SHAPE);
    example.setClass(label);
    example.features()[0] = offset;
    example.setOrigin(PARTITION, offset);
    return example;
  }
}
