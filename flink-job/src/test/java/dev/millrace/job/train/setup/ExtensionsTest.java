package dev.millrace.job.train.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.codec.Payload;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.setup.JobKind;
import dev.millrace.job.setup.JobOptions;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.job.testing.TestExtensions;
import dev.millrace.job.train.OptionsInForce;
import dev.millrace.job.train.TrainingSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What options name of somebody else's is what a job uses, or is refused before it is submitted.
 */
class ExtensionsTest {

  private static final String PREFIX = "dev.millrace.job.testing.TestExtensions$";

  @Test
  void aJobUsesWhatItsOptionsName() {
    TrainingSettings settings =
        settings(
            Map.of(
                "exchange.aggregator", PREFIX + "Aggregators",
                "exchange.server-optimizer", PREFIX + "Optimizers",
                "exchange.schedule", PREFIX + "Schedules",
                "exchange.codec.contributions", PREFIX + "Codecs"));

    assertThat(settings.aggregator()).isInstanceOf(Aggregator.median().getClass());
    float[] values = {1};
    settings.serverOptimizer().apply(values, new float[] {1}, 1, 1, new float[0]);
    assertThat(values).containsExactly(3);
    assertThat(settings.coordinator().pace().schedule().localSteps(0, null)).isEqualTo(3);
    Codec codec = settings.replica().rules().codecs().parameters();
    assertThat(codec.name()).isEqualTo("test");
    byte[] bytes = codec.encoder(List.of()).encode(0, new float[] {5}, 1);
    assertThat(Payload.of("test", bytes).receive(new float[1], 1)).containsExactly(5);
  }

  @Test
  void othersStayAsTheyAre() {
    TrainingSettings settings = settings(Map.of());

    assertThat(settings.aggregator()).isInstanceOf(Aggregator.weightedMean().getClass());
    assertThat(settings.replica().rules().codecs().parameters().name()).isEqualTo("float32");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "exchange.codec.contributions=my.Codec | exchange.codec.contributions is 'my.Codec': there is no"
            + " extension of this name; found are ["
            + PREFIX
            + "Codecs]. Put its jar beside the job's",
        "exchange.codec.contributions=tset | it must be float32, bfloat16, int8, sparse, threshold,"
            + " top-k, top-k-2-bit or a class's full name",
        "exchange.aggregator="
            + PREFIX
            + "Aggregators, extension.options.sort=bad | exchange.aggregator is '"
            + PREFIX
            + "Aggregators': extension.options.sort is 'bad'; it must be good",
        "exchange.aggregator="
            + PREFIX
            + "Aggregators, exchange.combine=process | exchange.aggregator is '"
            + PREFIX
            + "Aggregators', which needs all contributions at once, and exchange.combine is 'process'",
        "exchange.schedule="
            + PREFIX
            + "Schedules, exchange.overhead=0.1 | exchange.overhead has no effect here: it acts only with"
            + " a built-in exchange.schedule",
        "extension.optimizer=test | extension.optimizer is not an option",
      })
  void whatIsWrongIsSaidBefore(String options, String message) {
    Map<String, String> more = new HashMap<>();
    for (String option : options.split(", ", -1)) {
      int equals = option.indexOf('=');
      more.put(option.substring(0, equals), option.substring(equals + 1));
    }
    assertThatThrownBy(() -> settings(more)).hasMessageContaining(message);
  }

  /** So what is asked whether it averages is what combines, too. */
  @Test
  void eachIsMadeOnceForTheJobThatItWorksIn() {
    Configuration options =
        checked(
            Map.of(
                "exchange.aggregator", PREFIX + "Aggregators",
                "exchange.server-optimizer", PREFIX + "Optimizers",
                "exchange.schedule", PREFIX + "Schedules",
                "exchange.codec.contributions", PREFIX + "Codecs"));
    List<String> unusedByCheck = TestExtensions.made();

    TrainingSettings unused = settings(options);

    assertThat(TestExtensions.made())
        .containsExactlyInAnyOrder("aggregator", "server optimizer", "schedule", "codec");
  }

  private static TrainingSettings settings(Map<String, String> more) {
    return settings(checked(more));
  }

  private static TrainingSettings settings(Configuration options) {
    return TrainingSetup.settings(
        options,
        OptionsInForce.NONE,
        ModelSetup.of(options, InputOptions.shape(options)),
        null,
        Integer.MAX_VALUE);
  }

  private static Configuration checked(Map<String, String> more) {
    Map<String, String> all =
        new HashMap<>(
            Map.of(
                "kafka.bootstrap.servers", "localhost:9092",
                "input.topics", "examples",
                "input.features", "8",
                "input.outputs", "3",
                "model.name", "linear"));
    all.putAll(more);
    return JobOptions.check(JobKind.TRAINING, OptionReader.configuration(all), new Configuration())
        .values();
  }
}
