package dev.millrace.job.train.setup;

import dev.millrace.exchange.flink.coordinator.UsedGenerations;
import dev.millrace.exchange.publication.PublicationPlan;
import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.job.options.CheckpointOptions;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.KafkaOptions;
import dev.millrace.job.options.SnapshotOptions;
import dev.millrace.job.train.options.EvaluationOptions;
import dev.millrace.job.train.options.GateOptions;
import dev.millrace.job.train.options.LineageOptions;
import dev.millrace.job.train.options.MlflowOptions;
import dev.millrace.job.train.publish.HoldOutSource;
import dev.millrace.job.train.publish.ModelStream;
import dev.millrace.job.train.publish.ModelTopicListener;
import dev.millrace.job.train.publish.ReleaseListener;
import dev.millrace.job.train.publish.ReleaseSettings;
import dev.millrace.job.train.publish.lineage.LineageListener;
import dev.millrace.job.train.publish.mlflow.MlflowRegistry;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.snapshot.PublicationGate;
import dev.millrace.snapshot.PublicationGate.Metric;
import dev.millrace.snapshot.Retention;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;

/** How models are published, as checked options say it. */
final class ReleaseSetup {

  /** The newest models of the reaction publish that retention spares. */
  private static final int KEPT_OF_DRIFTS = 10;

  private ReleaseSetup() {}

  static PublicationPlan plan(Configuration options, HoldOutSource holdOutOrNull) {
    boolean released = place(options).isPresent();
    boolean measures =
        holdOutOrNull != null
            || options.get(EvaluationOptions.SEGMENTS) != EvaluationOptions.Segments.NONE;
    return new PublicationPlan(
        measures ? options.get(EvaluationOptions.EVERY) : 0,
        released ? options.getOptional(SnapshotOptions.ROUNDS).orElse(0) : 0,
        released ? options.get(SnapshotOptions.INTERVAL) : Duration.ZERO,
        released
            ? OptionalParts.stream(options).map(ModelStream.Factory::interval).orElse(Duration.ZERO)
            : Duration.ZERO,
        released && !options.get(CheckpointOptions.INTERVAL).isZero());
  }

  static UsedGenerations generations(Configuration options) {
    return place(options).map(SnapshotPlace::generations).orElse(UsedGenerations.NONE);
  }

  /**
   * Null where nothing is published.
   *
   * @throws InvalidOptionsException if models of such examples don't have the gate's metric
   */
  static ReleaseSettings settings(Configuration options, ExampleShape shape) {
    return place(options)
        .map(
            place ->
                new ReleaseSettings(
                    place,
                    gate(options, shape),
                    new Retention(
                        options.get(SnapshotOptions.KEEP),
                        options.getOptional(SnapshotOptions.KEEP_EVERY).orElse(0),
                        KEPT_OF_DRIFTS),
                    listeners(options),
                    OptionalParts.stream(options).orElse(null),
                    options.get(SnapshotOptions.SIGNING_KEY)))
        .orElse(null);
  }

  private static PublicationGate gate(Configuration options, ExampleShape shape) {
    if (options.getOptional(GateOptions.METRIC).filter(Metric.AUC::equals).isPresent()
        && !shape.hasTwoClasses()) {
      throw new InvalidOptionsException(
          List.of(
              ("gate.metric is 'auc', which is measured of two classes, or of multi-label with one"
                      + " output, and input.outputs is '%s'; take accuracy or loss")
                  .formatted(shape.measured().outputs())));
    }
    return options
        .getOptional(GateOptions.METRIC)
        .map(metric -> new PublicationGate(metric, options.get(GateOptions.MARGIN)))
        .orElse(null);
  }

  private static List<ReleaseListener> listeners(Configuration options) {
    List<ReleaseListener> listeners = new ArrayList<>();
    options
        .getOptional(SnapshotOptions.TOPIC)
        .ifPresent(
            topic -> listeners.add(new ModelTopicListener(KafkaOptions.cluster(options), topic)));
    options
        .getOptional(MlflowOptions.URL)
        .ifPresent(
            url ->
                listeners.add(
                    new MlflowRegistry(
                        url, options.get(MlflowOptions.MODEL), place(options).orElseThrow())));
    options
        .getOptional(LineageOptions.URL)
        .ifPresent(
            url ->
                listeners.add(
                    new LineageListener(
                        url,
                        options.get(LineageOptions.JOB),
                        options.getOptional(KafkaOptions.BOOTSTRAP_SERVERS).orElse(null))));
    return listeners;
  }

  private static Optional<SnapshotPlace> place(Configuration options) {
    return options.getOptional(SnapshotOptions.DIRECTORY).map(SnapshotPlace::of);
  }
}
