package dev.millrace.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.example.Example;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads whole sequences. */
final class Sequences {

  private Sequences() {}

  /** All examples, copied, after checking that there are as many as was promised. */
  static List<Example> read(ExampleSequence sequence) throws IOException {
    try (sequence) {
      List<Example> examples = new ArrayList<>();
      Example example = new Example(sequence.shape());
      while (sequence.next(example)) {
        examples.add(example.copy());
      }
      assertThat(sequence.next(example)).isFalse();
      assertThat(sequence.count()).isEqualTo(examples.size());
      return examples;
    }
  }

  /** Labels of every second example from the second on, the others being skipped. */
  static List<Integer> everySecondLabel(ExampleSequence sequence) throws IOException {
    try (sequence) {
      List<Integer> labels = new ArrayList<>();
      Example example = new Example(sequence.shape());
      while (sequence.skip(example) && sequence.next(example)) {
        labels.add(label(example));
      }
      assertThat(sequence.skip(example)).isFalse();
      return labels;
    }
  }

  /** How many examples each class has, after checking that every feature is finite. */
  static long[] classCounts(ExampleSequence sequence) throws IOException {
    try (sequence) {
      long[] counts = new long[sequence.shape().outputs()];
      Example example = new Example(sequence.shape());
      while (sequence.next(example)) {
        counts[label(example)]++;
        for (float feature : example.features()) {
          if (!Float.isFinite(feature)) {
            throw new AssertionError("A feature is " + feature);
          }
        }
      }
      return counts;
    }
  }

  static int label(Example example) {
    int label = 0;
    while (example.labels()[label] != 1) {
      label++;
    }
    return label;
  }
}
