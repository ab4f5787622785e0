package dev.millrace.job.score.options;

import static dev.millrace.job.options.Condition.given;
import static dev.millrace.job.options.Condition.is;
import static dev.millrace.job.options.Dependence.refused;
import static dev.millrace.job.options.Dependence.warned;

import dev.millrace.job.options.CsvOptions;
import dev.millrace.job.options.Dependence;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.RecordSchemaOptions;
import java.util.List;
import java.util.stream.Stream;

/** Which options of a job that scores act under which condition alone. */
public final class ScoringDependences {

  /** The dependences in a job that trains: what scoring needs, where options of it are there. */
  public static final List<Dependence> BESIDE_TRAINING =
      Stream.of(
              refused(
                  given(ScoringOptions.TOPICS, ScoringOptions.OUTPUT_TOPIC),
                  ScoringOptions.MODELS,
                  ScoringOptions.MODELS_TOPIC,
                  ScoringOptions.ENGINE,
                  ScoringOptions.TRUSTED_KEYS,
                  ScoringOptions.SERVE,
                  ScoringOptions.BATCH_SIZE,
                  ScoringOptions.MAX_WAIT,
                  ScoringOptions.START))
          .flatMap(List::stream)
          .toList();

  /**
   * The dependences in a job that only scores. Nothing is said of the options for training: the
   * jobs of a model share a file.
   */
  public static final List<Dependence> ALONE =
      Stream.of(
              warned(is(InputOptions.FORMAT, "csv"), CsvOptions.LABEL, CsvOptions.SEPARATOR),
              refused(
                  given(InputOptions.FIELDS),
                  InputOptions.ENVELOPE,
                  InputOptions.MISSING,
                  InputOptions.DECIMAL),
              RecordSchemaOptions.DEPENDENCES)
          .flatMap(List::stream)
          .toList();

  private ScoringDependences() {}
}
