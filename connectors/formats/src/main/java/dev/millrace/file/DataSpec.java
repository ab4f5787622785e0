package dev.millrace.file;

import dev.millrace.example.FormatSettings;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which examples to read, as a person writes it: {@code idx:DIR}, {@code csv:FILE}, or what a
 * {@link DataSpecProvider} knows. Parsing and {@code toString} are inverse to each other and touch
 * no file.
 */
public interface DataSpec {

  /**
   * Opens what is described, and reads as much of it as is needed to know the shape of the
   * examples.
   *
   * @throws IOException if it is missing or can't be read; the message names file, place and value
   */
  ExampleSet open() throws IOException;

  /**
   * Opens what is described.
   *
   * @param settings how a table is laid out, and its classes in the order of their numbers; without
   *     classes they have the order of their names in the table
   * @throws IOException as {@link #open()} does
   */
  default ExampleSet open(FormatSettings settings) throws IOException {
    return open();
  }

  /**
   * Opens what is described for a model to be measured on. Rows that are no examples are left to
   * the sequences; classes have the model's numbers, also where the data lacks some.
   *
   * @param model shape of its examples; the set's may be another one still
   * @param settings how a table is laid out, and the model's classes, where they are known
   * @throws IOException as {@link #open()} does, or if the data has no such labels
   */
  default ExampleSet openFor(ExampleShape model, FormatSettings settings) throws IOException {
    return open();
  }

  /**
   * Opens a table whose columns are described fields.
   *
   * @throws IOException as {@link #open()} does, or if the data has no columns
   */
  default ExampleSet openFields(FieldTable layout) throws IOException {
    throw new IOException(this + " has no named fields; they need csv:FILE");
  }

  /** Returns the same data for processes that are in another directory. */
  default DataSpec absolute() {
    return this;
  }

  /**
   * Reads a specification.
   *
   * @throws IllegalArgumentException if it is none; the message names the kinds there are
   */
  static DataSpec parse(String text) {
    int colon = text.indexOf(':');
    String rest = text.substring(colon + 1);
    String kind = rest.isBlank() || colon < 0 ? "" : text.substring(0, colon);
    return switch (kind) {
      case "idx" -> new Idx(Path.of(rest));
      case "csv" -> Csv.parse(rest);
      default ->
          provider(kind)
              .orElseThrow(
                  () ->
                      new IllegalArgumentException(
                          "Data must be idx:DIR (MNIST-format files), csv:FILE[,holdout=ROWS] (a"
                              + " table of numbers and labels) or, for commands of millrace alone,"
                              + " digits:COUNT[,SEED] (drawn images), not \"%s\"".formatted(text)))
              .parse(rest);
    };
  }

  /** Finds a further kind of data by the loader of this class, as formats are found. */
  private static Optional<DataSpecProvider> provider(String kind) {
    return ServiceLoader.load(DataSpecProvider.class, DataSpec.class.getClassLoader()).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> provider.kind().equals(kind))
        .findFirst();
  }

  /**
   * MNIST-format files in a directory.
   *
   * @param directory of the four files, each plain or with {@code .gz} behind its name
   */
  record Idx(Path directory) implements DataSpec {

    public Idx {
      Objects.requireNonNull(directory, "directory");
    }

    @Override
    public ExampleSet open() throws IOException {
      return IdxExamples.open(directory);
    }

    @Override
    public ExampleSet openFor(ExampleShape model, FormatSettings settings) throws IOException {
      return IdxExamples.open(directory).withClasses(model.outputs());
    }

    @Override
    public DataSpec absolute() {
      return new Idx(directory.toAbsolutePath());
    }

    @Override
    public String toString() {
      return "idx:" + directory;
    }
  }

  /**
   * A table of numbers, with the labels in its last columns unless it is opened otherwise.
   *
   * @param file plain or compressed with gzip
   * @param holdOut how many of the last rows are not learned from; 0 for none, as for a stream that
   *     is evaluated as it comes
   */
  record Csv(Path file, long holdOut) implements DataSpec {

    private static final Pattern FORM = Pattern.compile("(.+),holdout=(\\d{1,18})");

    public Csv {
      Objects.requireNonNull(file, "file");
      if (holdOut < 0) {
        throw new IllegalArgumentException("holdout must be 0 rows or more, not " + holdOut);
      }
    }

    private static Csv parse(String text) {
      Matcher matcher = FORM.matcher(text);
      return matcher.matches()
          ? new Csv(Path.of(matcher.group(1)), Long.parseLong(matcher.group(2)))
          : new Csv(Path.of(text), 0);
    }

    @Override
    public ExampleSet open() throws IOException {
      return open(FormatSettings.defaults());
    }

    @Override
    public ExampleSet open(FormatSettings settings) throws IOException {
      return CsvExamples.open(file, holdOut, settings);
    }

    @Override
    public ExampleSet openFor(ExampleShape model, FormatSettings settings) throws IOException {
      return MeasuredCsv.open(file, holdOut, model, settings);
    }

    @Override
    public ExampleSet openFields(FieldTable layout) throws IOException {
      return FieldExamples.open(file, holdOut, layout);
    }

    @Override
    public DataSpec absolute() {
      return new Csv(file.toAbsolutePath(), holdOut);
    }

    @Override
    public String toString() {
      return "csv:" + file + (holdOut == 0 ? "" : ",holdout=" + holdOut);
    }
  }
}
