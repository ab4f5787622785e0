package dev.millrace.job.setup;

import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.file.LineFile;
import dev.millrace.job.options.MetricsOptions;
import dev.millrace.job.options.OptionCheck;
import dev.millrace.job.options.Preset;
import dev.millrace.job.options.ScoringOptions;
import dev.millrace.job.publish.HoldOutSource;
import dev.millrace.job.topology.TrainingSettings;
import dev.millrace.job.topology.TrainingTopology;
import dev.millrace.kafka.ExampleSource;
import dev.millrace.kafka.LineTopic;
import dev.millrace.kafka.ReceivedTypeInfo;
import dev.millrace.model.DeviceRequest;
import dev.millrace.model.InitialModel;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** A job whose options, topics and model have been found to fit together. */
public final class JobSetup {

  private final Configuration options;
  private final ModelSetup model;
  private final InputSetup input;
  private final HoldOutSource holdOut;

  /** Null where the job only trains. */
  private final ScoringSetup scoring;

  private JobSetup(Configuration options) {
    this.options = options;
    this.model = new ModelSetup(options);
    this.input = new InputSetup(options, model.shape());
    this.holdOut = HoldOutSetup.of(options, input);
    this.scoring = ScoringOptions.areGiven(options) ? new ScoringSetup(options) : null;
  }

  /** Checks the options, then the model, then the topics; the first of them that fails throws. */
  public static JobSetup of(Configuration options) {
    Configuration completed = Preset.complete(options);
    OptionCheck.check(completed);
    JobSetup setup = new JobSetup(completed);
    setup.input.check();
    if (setup.scoring != null) {
      setup.scoring.checkTopics();
    }
    return setup;
  }

  /** The model of checked options alone; topics and hold-out set aren't looked at. */
  public static InitialModel model(Configuration options) {
    OptionCheck.check(options);
    return new ModelSetup(options).initial();
  }

  /** The model that the job starts from. */
  public InitialModel initialModel() {
    return model.initial();
  }

  public void build(StreamExecutionEnvironment environment) {
    build(environment, FaultInjector.NONE);
  }

  /** As {@link #build(StreamExecutionEnvironment)}, with faults, for tests. */
  public void build(StreamExecutionEnvironment environment, FaultInjector faults) {
    TrainingSettings settings = TrainingSetup.settings(options, model, holdOut);
    CheckpointSetup.apply(options, initialModel().spec(), environment);
    SavepointCheck.require(environment.getConfiguration(), settings.roster());
    new TrainingTopology(settings, faults)
        .build(
            environment,
            ExampleSource.of(input.source(), input.deserializer()),
            new ReceivedTypeInfo(),
            input.deadLetters("dead-letters"),
            metrics());
    if (scoring != null) {
      scoring.addTo(environment, DeviceRequest.Use.GUEST, faults);
    }
  }

  private Map<String, Sink<String>> metrics() {
    Map<String, Sink<String>> sinks = new TreeMap<>();
    options
        .getOptional(MetricsOptions.TOPIC)
        .ifPresent(topic -> sinks.put("topic", LineTopic.sink(input.cluster(), topic)));
    options
        .getOptional(MetricsOptions.FILE)
        .ifPresent(file -> sinks.put("file", new LineFile(Path.of(file))));
    return sinks;
  }
}
