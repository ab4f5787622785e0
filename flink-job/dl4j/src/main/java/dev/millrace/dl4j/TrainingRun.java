package dev.millrace.dl4j;

import dev.millrace.api.Millrace;
import dev.millrace.api.TrainingOptions;
import dev.millrace.dl4j.data.MinibatchRows;
import dev.millrace.dl4j.data.NetworkExamples;
import dev.millrace.dl4j.data.RowMapper;
import dev.millrace.dl4j.data.Scaling;
import dev.millrace.dl4j.run.LocalHandle;
import dev.millrace.dl4j.run.News;
import dev.millrace.dl4j.source.IteratorDealer;
import dev.millrace.dl4j.source.MinibatchSource;
import dev.millrace.dl4j.source.Minibatches;
import dev.millrace.dl4j.source.RowsIterator;
import dev.millrace.dl4j.source.SharedMinibatches;
import dev.millrace.dl4j.source.StoredMinibatches;
import dev.millrace.dl4j.source.StoredMinibatches.Content;
import dev.millrace.dl4j.source.TakenNormalizer;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.StructureOptions;
import dev.millrace.job.train.options.BatchOptions;
import dev.millrace.job.train.options.EvaluationOptions;
import dev.millrace.job.train.options.ExchangeOptions;
import dev.millrace.job.train.options.MetricsOptions;
import dev.millrace.model.dl4j.FixedStandardization;
import java.io.IOException;
import org.apache.flink.core.fs.Path;
import org.deeplearning4j.nn.api.Model;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call of {@code fit} with minibatches: each example of each epoch is learned or rejected once.
 */
final class TrainingRun {

  private static final Logger LOG = LoggerFactory.getLogger(TrainingRun.class);

  private final TrainingContext context;
  private final Model network;
  private final RunSettings settings;
  private final FitJob job;

  private volatile IteratorDealer dealer;
  private volatile boolean stopped;

  /** What the job does to features; null for nothing. */
  private Scaling scalingOrNull;

  /**
   * @param news told of what happens, on this thread
   */
  TrainingRun(TrainingContext context, Model network, RunSettings settings, News news) {
    this.context = context;
    this.network = network;
    this.settings = settings;
    this.job = new FitJob(context, network, settings, news);
  }

  /** Learns from the minibatches of an iterator, pass after pass. */
  void fit(RowsIterator<?> iterator, int epochs) {
    if (!settings.options().containsKey(StructureOptions.SEQUENCE_STEPS.key())) {
      iterator.keepToFirstLength();
    }
    try (TakenNormalizer normalizer = takeNormalizer(iterator)) {
      scalingOrNull = normalizer.scalingOrNull();
      if (context.isEmbedded()) {
        fitHere(iterator, epochs);
      } else {
        fitElsewhere(iterator, epochs);
      }
    } catch (Exception e) {
      throw ended(e, iterator.canReset());
    }
  }

  private TakenNormalizer takeNormalizer(RowsIterator<?> iterator) {
    return settings.options().containsKey(InputOptions.STANDARDIZE.key())
        ? TakenNormalizer.none()
        : iterator.takeNormalizer();
  }

  private void fitHere(RowsIterator<?> iterator, int epochs) throws Exception {
    try (IteratorDealer opened =
            new IteratorDealer(iterator, settings.workers(), epochs, settings.prefetched());
        LocalHandle<IteratorDealer> handle = LocalHandle.of(opened)) {
      dealer = opened;
      if (stopped) {
        opened.stop();
      }
      MinibatchRows first = opened.firstOrNull();
      if (first == null) {
        warnOfNothing();
        return;
      }
      train(first, new SharedMinibatches(handle), epochs, iterator.canReset());
    }
  }

  /** An iterator is of this process, so its minibatches go where the cluster finds them. */
  private void fitElsewhere(RowsIterator<?> iterator, int epochs) throws Exception {
    Path minibatches = new Path(context.newDirectory() + "/minibatches");
    if (iterator.saveTo(minibatches.toString()) == 0) {
      warnOfNothing();
      return;
    }
    train(minibatches.toString(), Content.ROWS, epochs);
    try {
      minibatches.getFileSystem().delete(minibatches, true);
    } catch (IOException e) {
      LOG.warn("The minibatches in {} can't be deleted", minibatches, e);
    }
  }

  private static void warnOfNothing() {
    LOG.warn("The iterator has no minibatch, so nothing is learned");
  }

  /**
   * Learns from saved minibatches, pass after pass.
   *
   * @param minibatches a directory
   */
  void fit(String minibatches, Content content, int epochs) {
    try {
      train(minibatches, content, epochs);
    } catch (Exception e) {
      throw ended(e, true);
    }
  }

  /** Learns from data sets that come by a stream, each once. */
  void fit(DataSetStream stream) {
    try {
      job.run(
          true,
          (environment, start, options) ->
              stream.train(environment, start, options, settings.options()));
    } catch (Exception e) {
      throw ended(e, true);
    }
  }

  private void train(String minibatches, Content content, int epochs) throws Exception {
    StoredMinibatches stored =
        StoredMinibatches.in(
            minibatches, content, Math.max(1, settings.prefetched() / settings.workers()));
    train(stored.first(), stored, epochs, true);
  }

  /** Ends soon, with what is learned by then. */
  void stop() {
    stopped = true;
    IteratorDealer reading = dealer;
    if (reading != null) {
      reading.stop();
    } else {
      job.stop();
    }
  }

  /** Whether it was told to end. */
  boolean isStopped() {
    return stopped;
  }

  private void train(MinibatchRows sample, Minibatches minibatches, int epochs, boolean repeatable)
      throws Exception {
    job.run(
        repeatable,
        (environment, start, options) -> {
          Millrace.prepare(environment);
          if (scalingOrNull != null) {
            FixedStandardization.add(
                start, scalingOrNull.of(sample.featureWidths().stream().mapToInt(i -> i).sum()));
          }
          return Millrace.train(
              environment,
              new MinibatchSource(minibatches, settings.workers(), epochs),
              new RowMapper(),
              complete(options, sample));
        });
  }

  private TrainingOptions complete(TrainingOptions.Builder options, MinibatchRows sample) {
    options
        .option(InputOptions.STANDARDIZE.key(), scalingOrNull == null ? "off" : "on")
        .option(InputOptions.CLIP.key(), "0")
        .option(BatchOptions.LOCAL_SIZE.key(), Integer.toString(sample.rows()))
        .batchSize(sample.rows() * settings.workers())
        .option(BatchOptions.MAX_WAIT.key(), "1 h")
        .option(MetricsOptions.INTERVAL.key(), "10 ms")
        .option(ExchangeOptions.ROUND_TIMEOUT.key(), "10 min")
        .option(
            EvaluationOptions.WINDOW.key(),
            Integer.toString(sample.rows() * settings.workers() * settings.localSteps()));
    NetworkExamples.options(network, sample).forEach(options::option);
    settings.options().forEach(options::option);
    return options.build();
  }

  /** Returns what the program is thrown: what the iterator has thrown comes first. */
  private RuntimeException ended(Exception failure, boolean repeatable) {
    Throwable ofIterator = dealer == null ? null : dealer.failureOrNull();
    String hint =
        repeatable
            ? ""
            : "; it isn't tried again, since the iterator can't begin again (resetSupported is"
                + " false)";
    return FitJob.ended(failure, ofIterator, hint);
  }
}
