package dev.millrace.exchange.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.millrace.example.Example;
import dev.millrace.exchange.segment.SegmentRule.Kind;
import dev.millrace.model.IdLists;
import dev.millrace.model.Partition;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
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
  private static final SegmentRule CLASSES = new SegmentRule(Kind.CLASS, 0.5, 1, 10);

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
    long seed = Seeds.next();
    List<HeldOutExample> all = examples(600);
    SegmentSamples one = new SegmentSamples(CLASSES);
    all.forEach(one::add);
    Collections.shuffle(all, new Random(seed));
    SegmentSamples other = new SegmentSamples(CLASSES);
    all.forEach(other::add);

    assertThat(features(one)).as("seed %d", seed).isEqualTo(features(other));
    assertThat(features(one)).hasSize(3).allSatisfy((any, kept) -> assertThat(kept).hasSize(10));
    // Not the first ones, nor the last.
    assertThat(features(one).get(0L).stream().mapToDouble(Float::doubleValue).average())
        .hasValueCloseTo(300.0, within(200.0));
  }

  @Test
  void continuesFromCheckpointsOfTwo() throws IOException {
    SegmentSamples whole = new SegmentSamples(CLASSES);
    SegmentSamples first = new SegmentSamples(CLASSES);
    SegmentSamples second = new SegmentSamples(CLASSES);
    List<HeldOutExample> all = examples(600);
    for (int i = 0; i < all.size(); i++) {
      whole.add(all.get(i));
      (i % 5 < 2 ? first : second).add(all.get(i));
    }
    assertThat(first.note(1, 0.75)).isEqualTo(0.75);
    assertThat(second.note(1, 0.5)).isEqualTo(0.5);

    SegmentSamples restored = new SegmentSamples(CLASSES);
    restored.restore(bytes(first));
    restored.restore(bytes(second));

    assertThat(features(restored)).isEqualTo(features(whole));
    assertThat(restored.note(1, 0.25)).isEqualTo(0.75);
    assertThat(restored.note(1, 0.875)).isEqualTo(0.875);
  }

  @Test
  void samplesOfOtherSegmentsAreLeftOut() throws IOException {
    SegmentSamples classes = new SegmentSamples(CLASSES);
    examples(60).forEach(classes::add);
    SegmentSamples hundreds = new SegmentSamples(periods(100));
    hundreds.add(periods(100).keep(example(0, 250)));

    assertThat(restored(periods(100), classes)).as("another kind").isEmpty();
    assertThat(restored(periods(50), hundreds)).as("another period").isEmpty();
    assertThat(restored(periods(100), hundreds)).containsOnlyKeys(2L);
    assertThat(restored(new SegmentRule(Kind.CLASS, 0.1, 7, 3), classes))
        .as("another share, and less room")
        .hasSize(3);
  }

  private static Map<Long, List<Float>> restored(SegmentRule rule, SegmentSamples saved)
      throws IOException {
    SegmentSamples samples = new SegmentSamples(rule);
    samples.restore(bytes(saved));
    return features(samples);
  }

  private static SegmentRule periods(long records) {
    return new SegmentRule(Kind.PERIOD, 0.5, records, 10);
  }

  @Test
  void readsTheBytesOfVersion1() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeByte(1);
    out.writeUTF("CLASS");
    out.writeLong(CLASSES.period());
    out.writeLong(2);
    out.writeDouble(0.5);
    out.writeInt(1);
    HeldOutExample.WIRE.write(CLASSES.keep(example(2, 7)), out);
    SegmentSamples samples = new SegmentSamples(CLASSES);

    samples.restore(List.of(bytes.toByteArray()));

    assertThat(features(samples)).isEqualTo(Map.of(2L, List.of(7f)));
    assertThat(samples.note(2, 0.25)).isEqualTo(0.5);
  }

  private static List<byte[]> bytes(SegmentSamples samples) throws IOException {
    List<byte[]> all = new ArrayList<>();
    for (SegmentSamples.Saved saved : samples.save()) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      saved.write(new DataOutputStream(bytes));
      all.add(bytes.toByteArray());
    }
    return all;
  }

  @Test
  void theOldestPeriodsGo() {
    SegmentSamples samples = new SegmentSamples(new SegmentRule(Kind.PERIOD, 0.5, 1, 1));
    for (long segment = 0; segment <= SegmentSamples.MOST_SEGMENTS; segment++) {
      samples.add(
          new HeldOutExample(
              segment, segment, new float[1], new float[3], new String[0], IdLists.NONE, 0));
    }
    assertThat(samples.examples()).hasSize(SegmentSamples.MOST_SEGMENTS).doesNotContainKey(0L);
  }

  private static List<HeldOutExample> examples(int count) {
    List<HeldOutExample> examples = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      examples.add(CLASSES.keep(example(i % 3, i)));
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
