package dev.millrace.dl4j.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.IUpdater;
import org.nd4j.linalg.schedule.ScheduleType;
import org.nd4j.linalg.schedule.StepSchedule;

class NetworkCountsTest {

  private static MultiLayerNetwork network(IUpdater updater) {
    return new MultiLayerNetwork(
        new NeuralNetConfiguration.Builder()
            .updater(updater)
            .list()
            .layer(new OutputLayer.Builder().nIn(2).nOut(2).build())
            .build());
  }

  @ParameterizedTest
  @EnumSource
  void aScheduleByEpochIsSeen(ScheduleType type) {
    MultiLayerNetwork network = network(new Adam(new StepSchedule(type, 0.01, 0.5, 10)));

    assertThat(NetworkCounts.schedulesByEpoch(network)).isEqualTo(type == ScheduleType.EPOCH);
  }

  @Test
  void trainingOfLessThanAnIterationCountsAsOne() {
    MultiLayerNetwork network = network(new Adam(0.01));
    network.setIterationCount(7);

    NetworkCounts.requireMore(network, 7, 0);
    assertThat(network.getIterationCount()).isEqualTo(7);
    NetworkCounts.requireMore(network, 7, 5);
    assertThat(network.getIterationCount()).isEqualTo(8);
    NetworkCounts.requireMore(network, 7, 5);
    assertThat(network.getIterationCount()).isEqualTo(8);
  }
}
