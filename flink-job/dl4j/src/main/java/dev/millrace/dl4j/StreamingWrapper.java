package dev.millrace.dl4j;

import dev.millrace.api.Millrace;
import dev.millrace.dl4j.run.Audience;
import dev.millrace.dl4j.run.NetworkListeners;
import dev.millrace.dl4j.run.News;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.KafkaOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.annotation.PublicEvolving;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.optimize.api.TrainingListener;

/**
 * Trains copies of a network side by side on Kafka's topics: what {@link ParallelWrapper} is to
 * iterators. {@link ParallelWrapper.Builder#stream} makes it, so the settings are the same.
 *
 * <p>Calls come one after the other. {@link #stopFit} may come from any thread.
 */
@PublicEvolving
public final class StreamingWrapper implements AutoCloseable {

  private final Model model;
  private final RunSettings settings;
  private final TrainingContext context;
  private final boolean ownsContext;
  private final String brokers;
  private final List<String> topics;
  private final List<TrainingListener> listeners = new ArrayList<>();

  private int iterations;
  private volatile FitJob running;

  StreamingWrapper(
      Model model,
      RunSettings settings,
      TrainingContext contextOrNull,
      String brokers,
      List<String> topics) {
    this.model = model;
    this.settings = settings;
    this.ownsContext = contextOrNull == null;
    this.context = ownsContext ? TrainingContext.embedded() : contextOrNull;
    this.brokers = brokers;
    this.topics = List.copyOf(topics);
  }

  /**
   * Learns from each record once, until {@link #stopFit} is called; with the option {@code
   * input.bounded} until the end that the topics have now. Afterwards the network has what was
   * learned. Meanwhile models are published for others where {@code snapshot.directory} says.
   *
   * @throws dev.millrace.job.options.InvalidOptionsException if options are wrong
   * @throws dev.millrace.model.io.InvalidModelException if the layers don't tell what examples are
   *     like; options then say it
   * @throws TrainingFailedException if training fails for good; the network is as it was then
   */
  public synchronized void fit() {
    List<TrainingListener> all = new ArrayList<>(listeners);
    all.addAll(NetworkListeners.of(model));
    Audience audience = new Audience(model, all, iterations);
    FitJob job =
        new FitJob(context, model, settings, new News(model, audience, settings.reportsScore()));
    running = job;
    try {
      job.run(
          true,
          (environment, start, options) -> {
            options
                .model(Dl4jModels.ofArchive(start))
                .option(KafkaOptions.BOOTSTRAP_SERVERS.key(), brokers)
                .option(InputOptions.TOPICS.key(), String.join(";", topics));
            settings.options().forEach(options::option);
            return Millrace.train(environment, options.build());
          });
    } catch (Exception e) {
      throw FitJob.ended(e, null, "");
    } finally {
      running = null;
      iterations = audience.iterations();
    }
  }

  /** Ends {@link #fit} soon: with a savepoint, and with all that was learned by then. */
  public void stopFit() {
    FitJob job = running;
    if (job != null) {
      job.stop();
    }
  }

  /** Has listeners told of rounds, as iterations. A stream has no epochs. */
  public synchronized void setListeners(TrainingListener... told) {
    listeners.clear();
    listeners.addAll(Arrays.asList(told));
  }

  /** Returns the network that is trained. */
  public Model getModel() {
    return model;
  }

  /** Ends what runs in this process, unless it is of a context that was given. */
  @Override
  public synchronized void close() {
    if (ownsContext) {
      context.close();
    }
  }
}
