package dev.millrace.job.train.history;

import dev.millrace.example.Example;
import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.fields.Envelope;
import dev.millrace.history.HistoryFiles;
import dev.millrace.history.HistoryForms;
import dev.millrace.history.HistoryReading;
import dev.millrace.history.HistorySource;
import dev.millrace.history.SavedHistory;
import dev.millrace.job.common.InputSetup;
import dev.millrace.job.common.Resumption;
import dev.millrace.job.options.InputFields;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.train.TrainingOperators;
import dev.millrace.kafka.record.ExampleDeserializer;
import dev.millrace.kafka.record.ReceivedTypeInfo;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.core.fs.Path;

/** Files in front of a job's topics, of checked options. */
public final class HistorySetup {

  /** Records of the first file that are tried before a job is submitted. */
  private static final int TRIED = 100;

  private static final String KEY = HistoryOptions.PATH.key();

  private final String path;
  private final List<Path> places;
  private final HistoryForms forms;

  private HistorySetup(String path, HistoryForms forms) {
    this.path = path;
    this.places = HistoryFiles.places(List.of(path));
    this.forms = forms;
  }

  /** Returns the files that the options name, if they do. */
  public static Optional<HistorySetup> of(Configuration options, InputSetup input) {
    return options
        .getOptional(HistoryOptions.PATH)
        .map(path -> new HistorySetup(path, forms(options, input)));
  }

  /** Records are as in the topics: JSON with the same fields, or rows with a column for each. */
  private static HistoryForms forms(Configuration options, InputSetup input) {
    ExampleDeserializer json = deserializer(options, "json", input);
    if (!InputFields.areGiven(options)) {
      return new HistoryForms(json, null);
    }
    boolean csv = options.get(InputOptions.FORMAT).equals("csv");
    Configuration plain = new Configuration(options).set(InputOptions.ENVELOPE, Envelope.NONE);
    return new HistoryForms(
        json,
        new HistoryForms.Rows(
            InputFields.table(options, input.shape()),
            !csv,
            deserializer(plain, csv ? "csv" : "json", input)));
  }

  private static ExampleDeserializer deserializer(
      Configuration options, String format, InputSetup input) {
    Configuration ofFiles = new Configuration(options).set(InputOptions.FORMAT, format);
    return new InputSetup(ofFiles, input.shape()).deserializer();
  }

  /** Puts the files in front of the topics' source. */
  public Source<Received, ?, ?> before(Source<Received, ?, ?> topics) {
    return HistorySource.of(places, forms, topics, new ReceivedTypeInfo());
  }

  /**
   * Opens one of the files to be read again, by the name that its records' partition has.
   *
   * @throws IOException if it isn't there, or can't be read
   */
  public HistoryReading open(String file) throws IOException {
    return HistoryReading.open(HistoryFiles.find(List.of(new Path(file))).get(0), forms);
  }

  /**
   * Counts the files that are there now: one replica reads a file. Where they can't be looked at,
   * which {@link #check(ReadableConfig, Consumer)} tells of, it is none.
   */
  public int files() {
    try {
      return HistoryFiles.find(places).size();
    } catch (IOException e) {
      return 0;
    }
  }

  /**
   * Looks at the files before a job without a savepoint is submitted.
   *
   * @param flink says whether there is a savepoint
   * @param unread told why they can't be looked at from here
   * @return what there is, in words; empty where nobody looked
   * @throws InvalidOptionsException if there is no file, or its records aren't examples
   */
  public Optional<String> check(ReadableConfig flink, Consumer<String> unread) {
    if (flink.get(StateRecoveryOptions.SAVEPOINT_PATH) != null) {
      return Optional.empty();
    }
    List<FileSourceSplit> files;
    try {
      files = HistoryFiles.find(places);
    } catch (FileNotFoundException e) {
      throw problem(e.getMessage());
    } catch (IOException e) {
      unread.accept(
          "%s is '%s', which can't be looked at from here: %s"
              .formatted(KEY, path, e.getMessage()));
      return Optional.empty();
    }
    try {
      for (FileSourceSplit file : files) {
        forms.requireForm(file.path());
      }
      requireExamples(files.get(0));
    } catch (IOException e) {
      throw problem(e.getMessage());
    }
    return Optional.of(inWords(files));
  }

  private InvalidOptionsException problem(String what) {
    return new InvalidOptionsException(List.of("%s is '%s'. %s".formatted(KEY, path, what)));
  }

  private static String inWords(List<FileSourceSplit> files) {
    return String.format(
        Locale.ROOT,
        "%,d %s, %,d bytes, before the topics",
        files.size(),
        files.size() == 1 ? "file" : "files",
        files.stream().mapToLong(FileSourceSplit::fileSize).sum());
  }

  private void requireExamples(FileSourceSplit file) throws IOException {
    RejectedRecord first = null;
    int tried = 0;
    try (HistoryReading reading = HistoryReading.open(file, forms)) {
      Received next = null;
      while (tried < TRIED && (next = reading.next()) != null) {
        if (next instanceof Example) {
          return;
        }
        first = first == null && next instanceof RejectedRecord rejected ? rejected : first;
        tried++;
      }
    }
    if (first != null) {
      throw problem(
          "None of the first %s records of %s is an example that this job can use. Line %s: %s"
              .formatted(tried, file.path(), first.offset(), first.reason()));
    }
  }

  /**
   * Looks at the savepoint that a job is to go on from.
   *
   * @param options of the job
   * @return what a person should know
   * @throws IOException if it can't be read
   * @throws InvalidOptionsException if only one of the two has any history
   */
  public static List<String> check(Resumption resumption, Configuration options)
      throws IOException {
    List<byte[]> splits = resumption.states().splits(TrainingOperators.SOURCE.uid());
    boolean had = SavedHistory.read(splits).isThere();
    String path = options.getOptional(HistoryOptions.PATH).orElse(null);
    if (had && path == null) {
      throw new InvalidOptionsException(
          List.of(
              ("%s is missing, and %s is of a job with it. Give it again: no record is read twice, and"
                      + " files that were read needn't be there any more")
                  .formatted(KEY, resumption.path())));
    }
    if (!had && path != null && !splits.isEmpty()) {
      throw new InvalidOptionsException(
          List.of(
              ("%s is '%s', and %s is of a job without it, which has begun with its topics. Leave it"
                      + " out; or start without the savepoint, to learn history first")
                  .formatted(KEY, path, resumption.path())));
    }
    return path == null || splits.isEmpty()
        ? List.of()
        : List.of(
            ("%s is '%s'. The job goes on where the savepoint's was in the files that were there when"
                    + " that one began; others aren't read")
                .formatted(KEY, path));
  }
}
