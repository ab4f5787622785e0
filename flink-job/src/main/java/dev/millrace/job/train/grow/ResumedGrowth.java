package dev.millrace.job.train.grow;

import dev.millrace.exchange.block.Combiner;
import dev.millrace.exchange.flink.coordinator.ClassOrder;
import dev.millrace.exchange.flink.coordinator.SavedModel;
import dev.millrace.exchange.savepoint.GrownSavepoint;
import dev.millrace.exchange.savepoint.SavedStates;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.ModelOptions;
import dev.millrace.job.train.TrainingOperators;
import dev.millrace.job.train.TrainingSettings;
import dev.millrace.model.InitialModel;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.util.Optional;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A savepoint whose model has to grow before a job goes on from it. */
public final class ResumedGrowth {

  private static final Logger LOG = LoggerFactory.getLogger(ResumedGrowth.class);

  private final GrownSavepoint savepoint;
  private final Growing growing;
  private final InitialModel initial;
  private final String name;

  private ResumedGrowth(
      GrownSavepoint savepoint, Growing growing, InitialModel initial, String name) {
    this.savepoint = savepoint;
    this.growing = growing;
    this.initial = initial;
    this.name = name;
  }

  /**
   * Looks whether it has to.
   *
   * @param settings of the job that goes on
   * @return empty if the model fits as it is, differs in what can't grow, or isn't there
   * @throws IOException if the savepoint can't be read
   * @throws InvalidModelException if it has to, and the options don't say so
   */
  public static Optional<ResumedGrowth> of(
      SavedStates states, Configuration options, TrainingSettings settings) throws IOException {
    if (!states.has(TrainingOperators.COORDINATOR.uid())) {
      return Optional.empty();
    }
    GrownSavepoint savepoint =
        new GrownSavepoint(
            states,
            TrainingOperators.saved(),
            settings.coordinator(),
            layout ->
                new Combiner(
                    layout,
                    settings.aggregator(),
                    settings.serverOptimizer(),
                    settings.feedback(),
                    settings.averaging()));
    SavedModel saved = savepoint.model();
    ExampleShape shape = settings.initial().spec().shape();
    Growing.Examples known =
        new Growing.Examples(saved.spec().shape(), ClassOrder.in(saved.lineage().configuration()));
    Growing.Examples now = new Growing.Examples(shape, InputOptions.classes(options));
    // One that has been replaced is not replaced again each time that the job goes on.
    boolean replaces =
        options.get(ModelOptions.REPLACE_OUTPUT) && !Growing.haveSameOutputs(known, now);
    Optional<Growing> growing = Growing.of(known, now, replaces);
    if (growing.isEmpty()) {
      return Optional.empty();
    }
    growing
        .get()
        .require("The model in the savepoint " + states.path(), options.get(ModelOptions.GROW));
    requireNoLags(growing.get(), shape);
    String name =
        "_metadata-grown-"
            + Integer.toHexString(
                (shape.toString() + now.classes() + replaces + options.get(ModelOptions.SEED))
                    .hashCode());
    return Optional.of(new ResumedGrowth(savepoint, growing.get(), settings.initial(), name));
  }

  private static void requireNoLags(Growing growing, ExampleShape shape) {
    if (shape.labelLags() > 0 && !growing.outputs().isEmpty()) {
      throw new InvalidModelException(
          "The savepoint keeps labels of records before, which are features of the next, and so the"
              + " model can't grow by classes from it. Start from its export");
    }
  }

  /** Returns what the job does with the model, for a person. */
  public String inWords() {
    return "The savepoint's model %s".formatted(growing.inWords());
  }

  /**
   * Writes a savepoint of the grown model beside the other, and has the job go on from that.
   *
   * @param environment where Flink's configuration is set
   */
  public void apply(StreamExecutionEnvironment environment) throws IOException {
    String grown =
        savepoint.write(
            growing.places(),
            initial.vector(),
            growing.grown(savepoint.version(), initial.spec()),
            name);
    LOG.info(
        "{}. The job goes on from {}. Replayed examples, an older model, drift detectors, segments"
            + " and what codecs remember begin anew",
        inWords(),
        grown);
    environment.configure(new Configuration().set(StateRecoveryOptions.SAVEPOINT_PATH, grown));
  }
}
