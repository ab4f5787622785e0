package dev.millrace.benchmark.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.example.Example;
import dev.millrace.file.ExampleSequence;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ContinualWorkloadsTest {

  private static final ExampleShape SHAPE = new ExampleShape(6, 4, Target.CLASSIFICATION);

  @Test
  void classesAreExchangedInPairsFromAnExampleOn() throws IOException {
    List<Example> examples = read(new ExchangedClasses(numbered(12), 4, 9));

    assertThat(examples.stream().map(ContinualWorkloadsTest::label))
        .containsExactly(0, 1, 2, 3, 1, 0, 3, 2, 1);
    assertThat(examples.get(4).features()).isEqualTo(example(4).features());
  }

  @Test
  void eachTaskHasAnOrderOfItsOwn() throws IOException {
    List<Example> examples = read(new PermutedTasks(numbered(12), 3, 4, 1));

    assertThat(examples).hasSize(12);
    List<List<Integer>> orders =
        IntStream.range(0, 12).mapToObj(i -> order(examples.get(i), i)).toList();
    for (int task = 0; task < 3; task++) {
      assertThat(orders.subList(task * 4, task * 4 + 4)).containsOnly(orders.get(task * 4));
      assertThat(orders.get(task * 4)).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5);
    }
    assertThat(orders.get(0)).isNotEqualTo(orders.get(4));
    assertThat(orders.get(4)).isNotEqualTo(orders.get(8));
  }

  @Test
  void tasksHaveAllExamplesOfTheirClasses() throws IOException {
    List<Example> examples = read(numbered(8));

    assertThat(read(Concatenated.tasks(examples, 2)).stream().map(ContinualWorkloadsTest::label))
        .containsExactly(0, 1, 0, 1, 2, 3, 2, 3);
  }

  private static ExampleSequence numbered(int count) {
    return new Concatenated(
        IntStream.range(0, count).mapToObj(ContinualWorkloadsTest::example).toList());
  }

  /** Its features are ten times its number, and the feature's place. */
  private static Example example(int number) {
    Example example = new Example(SHAPE);
    for (int i = 0; i < SHAPE.features(); i++) {
      example.features()[i] = 10 * number + i;
    }
    example.setClass(number % SHAPE.outputs());
    return example;
  }

  private static List<Integer> order(Example example, int number) {
    List<Integer> order = new ArrayList<>();
    for (float feature : example.features()) {
      order.add((int) feature - 10 * number);
    }
    return order;
  }

  private static int label(Example example) {
    for (int i = 0; i < SHAPE.outputs(); i++) {
      if (example.labels()[i] > 0) {
        return i;
      }
    }
    throw new AssertionError("No class");
  }

  private static List<Example> read(ExampleSequence sequence) throws IOException {
    try (sequence) {
      List<Example> read = new ArrayList<>();
      Example example = new Example(SHAPE);
      while (sequence.next(example)) {
        read.add(example.copy());
      }
      return read;
    }
  }
}
