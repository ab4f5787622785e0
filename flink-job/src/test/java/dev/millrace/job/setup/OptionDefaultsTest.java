package dev.millrace.job.setup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.options.Setting;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OptionDefaultsTest {

  /** Users rely on these: a change here is a change for them and belongs in the changelog. */
  private static final Map<String, String> DEFAULTS =
      Map.ofEntries(
          Map.entry("input.format", "json"),
          Map.entry("input.envelope", "none"),
          Map.entry("input.target", "classification"),
          Map.entry("input.standardize", "auto"),
          Map.entry("input.bounded", "false"),
          Map.entry("input.start", "earliest"),
          Map.entry("input.max-record-size", "1 mb"),
          Map.entry("input.on-missing-offsets", "fail"),
          Map.entry("input.on-recreated-topic", "fail"),
          Map.entry("input.decimal", "."),
          Map.entry("input.csv.label", "last"),
          Map.entry("input.sequence.labels", "last"),
          Map.entry("input.csv.separator", ","),
          Map.entry("output.guarantee", "at-least-once"),
          Map.entry("batch.size", "32"),
          Map.entry("batch.max-wait", "1 s"),
          Map.entry("input.label-lags", "0"),
          Map.entry("input.label-lags-by", "partition"),
          Map.entry("rows.prefetch", "1"),
          Map.entry("rows.order", "arrival"),
          Map.entry("rows.cache", "100000"),
          Map.entry("rows.publish-interval", "1 s"),
          Map.entry("replay.size", "0"),
          Map.entry("replay.keep", "reservoir"),
          Map.entry("replay.share", "0.5"),
          Map.entry("replay.distillation", "0.0"),
          Map.entry("model.engine", "dl4j"),
          Map.entry("model.device", "auto"),
          Map.entry("model.deterministic", "false"),
          Map.entry("model.grow", "false"),
          Map.entry("model.replace-output", "false"),
          Map.entry("model.weight-decay", "0.01"),
          Map.entry("model.learning-rate-schedule", "constant"),
          Map.entry("model.learning-rate-schedule.factor", "0.1"),
          Map.entry("model.precision", "float32"),
          Map.entry("model.hidden", "64;32"),
          Map.entry("model.updater", "adam"),
          Map.entry("model.learning-rate", "0.001"),
          Map.entry("model.momentum", "0.9"),
          Map.entry("model.negatives", "0"),
          Map.entry("model.seed", "1"),
          Map.entry("model.population.follow", "0.0"),
          Map.entry("exchange.schedule", "sync"),
          Map.entry("exchange.local-steps", "3"),
          Map.entry("exchange.delay", "0"),
          Map.entry("exchange.fragments", "1"),
          Map.entry("exchange.round-timeout", "5 s"),
          Map.entry("exchange.average-updater", "true"),
          Map.entry("exchange.block-size", "64 kb"),
          Map.entry("exchange.codec.contributions", "float32"),
          Map.entry("exchange.codec.updater-state", "float32"),
          Map.entry("exchange.aggregator", "mean"),
          Map.entry("exchange.server-optimizer", "none"),
          Map.entry("exchange.learning-rate-scaling", "auto"),
          Map.entry("exchange.trim", "0.25"),
          Map.entry("exchange.combine", "off"),
          Map.entry("exchange.server-learning-rate", "1.0"),
          Map.entry("exchange.server-momentum", "0.9"),
          Map.entry("exchange.codec.feedback", "float32"),
          Map.entry("exchange.codec.decay", "1.0"),
          Map.entry("exchange.codec.threshold.rule", "adaptive"),
          Map.entry("exchange.codec.threshold.initial", "1.0E-4"),
          Map.entry("guard.max-change", "10.0"),
          Map.entry("guard.max-refusals", "100"),
          Map.entry("drift.features", "none"),
          Map.entry("drift.confidence", "1.0E-4"),
          Map.entry("drift.examples", "2000"),
          Map.entry("forgetting.older-model", "none"),
          Map.entry("forgetting.strength", "1.0E-4"),
          Map.entry("forgetting.importance", "none"),
          Map.entry("stop.min-improvement", "0.0"),
          Map.entry("metrics.timeline", "false"),
          Map.entry("evaluation.window", "5000"),
          Map.entry("evaluation.every", "200"),
          Map.entry("evaluation.segments", "none"),
          Map.entry("metrics.interval", "1 s"),
          Map.entry("snapshot.interval", "1 min"),
          Map.entry("snapshot.keep", "5"),
          Map.entry("snapshot.parameters", "average"),
          Map.entry("gate.margin", "0.0"),
          Map.entry("scoring.serve", "latest"),
          Map.entry("scoring.batch-size", "64"),
          Map.entry("scoring.max-wait", "5 ms"),
          Map.entry("scoring.start", "earliest"),
          Map.entry("join.before", "0 ms"),
          Map.entry("join.out-of-order", "10 s"),
          Map.entry("join.features.csv.separator", ","),
          Map.entry("join.features.format", "json"),
          Map.entry("join.label", "label"),
          Map.entry("join.labels.csv.separator", ","),
          Map.entry("join.labels.format", "json"),
          Map.entry("lineage.job", "training"),
          Map.entry("join.unlabelled", "drop"),
          Map.entry("join.negative.sample", "1.0"),
          Map.entry("submission.slot-wait", "10 s"),
          Map.entry("updates.interval", "100 ms"));

  @Test
  void defaultsAreAsPublished() {
    Map<String, String> actual =
        MillraceOptions.settings()
            .filter(setting -> setting.option().hasDefaultValue())
            .collect(Collectors.toMap(Setting::key, s -> OptionText.of(s.option().defaultValue())));

    assertThat(actual).containsExactlyInAnyOrderEntriesOf(DEFAULTS);
  }

  @Test
  void keysAreUniqueAndDescribed() {
    assertThat(MillraceOptions.settings().map(Setting::key)).doesNotHaveDuplicates();
    assertThat(MillraceOptions.settings())
        .allSatisfy(s -> assertThat(s.range().text()).isNotBlank())
        .allSatisfy(s -> assertThat(s.option().description().getBlocks()).isNotEmpty());
  }

  @ParameterizedTest
  @MethodSource("dev.millrace.job.setup.MillraceOptions#settings")
  void everyDefaultLiesInItsRangeAndCanBeWrittenAsText(Setting<?> setting) {
    if (setting.option().hasDefaultValue()) {
      assertReadsBack(setting);
    }
  }

  private static <T> void assertReadsBack(Setting<T> setting) {
    ConfigOption<T> option = setting.option();
    assertThat(setting.range().accepts().test(option.defaultValue())).isTrue();
    Configuration options =
        OptionReader.configuration(Map.of(option.key(), OptionText.of(option.defaultValue())));
    assertThat(options.get(option)).isEqualTo(option.defaultValue());
  }
}
