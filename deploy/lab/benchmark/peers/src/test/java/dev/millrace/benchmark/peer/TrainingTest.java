package dev.millrace.benchmark.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(300)
class TrainingTest {

  static Stream<Training> trainings() {
    return Stream.of(new PlainFit(), ParallelWrapperTraining.averaging());
  }

  @ParameterizedTest
  @MethodSource("trainings")
  void whatIsCountedIsLearnedAndNothingElse(Training training) {
    Workload workload = Workloads.tiny();
    MultiLayerNetwork network = workload.newNetwork();
    List<Long> counted = new ArrayList<>();
    List<Long> learned = new ArrayList<>();

    training.train(
        network,
        workload.examples().minibatches(),
        examples -> {
          counted.add(examples);
          learned.add((long) network.getIterationCount() * Workloads.BATCH * training.workers());
          return counted.size() <= 100;
        });

    assertThat(counted).hasSize(101).isEqualTo(learned);
    assertThat(counted.get(100)).isEqualTo(100L * Workloads.BATCH * training.workers());
  }
}
