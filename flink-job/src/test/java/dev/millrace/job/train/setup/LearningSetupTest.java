package dev.millrace.job.train.setup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.common.DeviceSetup;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.model.Learning;
import dev.millrace.model.Learning.GradientClip;
import dev.millrace.model.Learning.Precision;
import dev.millrace.model.Learning.Schedule;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.device.DeviceRequest.Kind;
import dev.millrace.model.device.DeviceRequest.Use;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LearningSetupTest {

  private static final Configuration ALL =
      OptionReader.configuration(
          Map.ofEntries(
              Map.entry("model.loss", "huber"),
              Map.entry("model.updater", "adamw"),
              Map.entry("model.learning-rate", "0.02"),
              Map.entry("model.momentum", "0.8"),
              Map.entry("model.l2", "0.001"),
              Map.entry("model.weight-decay", "0.05"),
              Map.entry("model.learning-rate-schedule", "step"),
              Map.entry("model.learning-rate-schedule.steps", "1000"),
              Map.entry("model.learning-rate-schedule.factor", "0.5"),
              Map.entry("model.gradient-clip", "3"),
              Map.entry("model.precision", "bfloat16")));

  @Test
  void whatIsSaidIsHandedOn() {
    for (Learning learning : List.of(LearningSetup.ofBuiltIn(ALL), LearningSetup.ofArchive(ALL))) {
      assertThat(learning.loss()).contains("huber");
      assertThat(learning.updater()).contains("adamw");
      assertThat(learning.learningRate()).contains(0.02);
      assertThat(learning.momentum()).contains(0.8);
      assertThat(learning.l2()).contains(0.001);
      assertThat(learning.weightDecay()).contains(0.05);
      assertThat(learning.schedule()).contains(new Schedule(Schedule.Kind.STEP, 1000, 0.5));
      assertThat(learning.clip()).contains(new GradientClip(3, Double.POSITIVE_INFINITY));
      assertThat(learning.precision()).contains(Precision.BFLOAT16);
    }
  }

  @Test
  void whatIsNotSaidIsTheOptionsDefaultForBuiltInModelsAndTheArchivesForArchives() {
    Learning builtIn = LearningSetup.ofBuiltIn(new Configuration());

    assertThat(builtIn.updater()).contains("adam");
    assertThat(builtIn.learningRate()).contains(0.001);
    assertThat(builtIn.momentum()).contains(0.9);
    assertThat(builtIn.weightDecay()).as("of adamw").isEmpty();
    assertThat(builtIn.schedule()).isEmpty();
    assertThat(builtIn.loss()).isEmpty();
    assertThat(LearningSetup.ofArchive(new Configuration())).isEqualTo(Learning.UNSAID);
    assertThat(
            LearningSetup.ofBuiltIn(OptionReader.configuration(Map.of("model.updater", "adamw")))
                .weightDecay())
        .contains(0.01);
  }

  @Test
  void aConstantRateTakesThePlaceOfAnArchivesSchedule() {
    Configuration constant =
        OptionReader.configuration(Map.of("model.learning-rate-schedule", "constant"));

    assertThat(LearningSetup.ofArchive(constant).schedule().orElseThrow().factor()).isEqualTo(1);
    assertThat(LearningSetup.ofBuiltIn(constant).schedule()).isEmpty();
  }

  @Test
  void aClipOfZeroTakesThePlaceOfAnArchivesClip() {
    Configuration none =
        OptionReader.configuration(Map.of("model.gradient-clip", "0", "model.l2", "0"));

    assertThat(LearningSetup.ofArchive(none).clip())
        .contains(new GradientClip(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY));
    assertThat(LearningSetup.ofArchive(none).l2()).contains(0.0);
    assertThat(LearningSetup.ofBuiltIn(none).clip()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "auto, SHARED, AUTO",
    "cpu, SHARED, CPU",
    "cuda, SHARED, CUDA",
    "exclusive, EXCLUSIVE, CUDA"
  })
  void replicasAskForTheDeviceThatIsSaid(String device, Use use, Kind kind) {
    Configuration options =
        OptionReader.configuration(Map.of("model.device", device, "model.deterministic", "true"));

    assertThat(DeviceSetup.training(options))
        .isEqualTo(new DeviceRequest(List.of(), use, kind, true));
    assertThat(DeviceSetup.request(options, Use.GUEST))
        .isEqualTo(new DeviceRequest(List.of(), Use.GUEST, kind, true));
    assertThat(DeviceSetup.training(options).among(List.of("1")).names()).containsExactly("1");
  }
}
