package dev.millrace.chaos;

import dev.millrace.cli.rebuild.PublishedModels;
import dev.millrace.cli.rebuild.Verification;
import dev.millrace.exchange.log.UnusableLogException;
import dev.millrace.job.models.SnapshotPlace;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.job.train.options.ExchangeOptions;
import dev.millrace.job.train.part.rebuild.RebuildOptions;
import dev.millrace.job.train.rebuild.LogChain;
import dev.millrace.job.train.rebuild.LogEntries;
import dev.millrace.job.train.rebuild.RebuildJob;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.ModelVersion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.flink.configuration.Configuration;

/** Makes every model again that a job with a training log has published, and compares. */
final class RebuildCheck {

  /** So many rounds lie between two models that are published. */
  private static final Map<String, String> OPTIONS =
      Map.of("snapshot.rounds", "20", "snapshot.keep", "10000");

  private RebuildCheck() {}

  /** Returns options by which there is more to compare, where there is a log. */
  static Map<String, String> options(Map<String, String> given) {
    return isAskedFor(given) ? OPTIONS : Map.of();
  }

  static boolean isAskedFor(Map<String, String> given) {
    return given.containsKey(RebuildOptions.LOG.key());
  }

  /**
   * Makes them again.
   *
   * @param config of the job, which has ended
   * @param models that it has published
   * @param took how long the job has run
   * @return what is wrong, a sentence each
   */
  static List<String> problems(Path config, Path models, Duration took, Consumer<String> say)
      throws IOException {
    Configuration options = OptionReader.read(List.of(), config);
    RebuildJob job = new RebuildJob(options);
    LogEntries log = job.log();
    PublishedModels published = new PublishedModels(SnapshotPlace.of(models.toString()).open());
    TreeSet<ModelVersion> known = new TreeSet<>(published.versions());
    known.retainAll(log.versions());
    if (known.isEmpty()) {
      return List.of("No published model is in the training log");
    }
    Verification verification =
        Verification.of(
            published,
            known.last(),
            Math.toIntExact(options.get(ExchangeOptions.BLOCK_SIZE).getBytes() / Float.BYTES));
    long begun = System.nanoTime();
    try {
      GlobalModel unused =
          job.make(
              LogChain.to(known.last(), log),
              Optional.empty(),
              (version, done, all, model) ->
                  !verification.isOf(version) || isSame(verification, model.get()));
    } catch (UnusableLogException e) {
      return List.of("Its models can't be made again: " + e.getMessage());
    }
    double seconds = (System.nanoTime() - begun) * 1e-9;
    say.accept(
        String.format(
            Locale.ROOT,
            "Made again: %,d published models, up to %s, in %.1f s; they were made in %.1f s",
            verification.same(),
            known.last(),
            seconds,
            took.toMillis() * 1e-3));
    return verification.difference().map(Object::toString).stream().toList();
  }

  private static boolean isSame(Verification verification, GlobalModel model) {
    try {
      return verification.isSame(model);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
