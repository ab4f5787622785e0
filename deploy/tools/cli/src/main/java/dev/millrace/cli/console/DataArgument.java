package dev.millrace.cli.console;

import dev.millrace.example.FormatSettings;
import dev.millrace.file.DataSpec;
import dev.millrace.file.ExampleSet;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.model.io.Reason;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;

/** The argument {@code --data}, and what follows from it. */
public final class DataArgument {

  private DataArgument() {}

  /**
   * Returns the data that a text describes.
   *
   * @throws InvalidOptionsException if the text describes no data
   */
  public static DataSpec parse(String text) {
    try {
      return DataSpec.parse(text);
    } catch (IllegalArgumentException e) {
      throw new InvalidOptionsException(
          List.of("--data is '%s'. %s".formatted(text, e.getMessage())));
    }
  }

  /**
   * Opens data.
   *
   * @param settings see {@link DataSpec#open(FormatSettings)}
   * @throws InvalidOptionsException if the data isn't there or can't be read
   */
  public static ExampleSet open(DataSpec spec, FormatSettings settings) {
    return open(spec, () -> spec.open(settings));
  }

  /**
   * Opens data as {@link #open} does, with the labels of a job's examples, see {@link
   * DataSpec#openFor}.
   *
   * @throws InvalidOptionsException if the data isn't there, can't be read, or has no such labels
   */
  public static ExampleSet openFor(DataSpec spec, ExampleShape shape, FormatSettings settings) {
    return open(spec, () -> spec.openFor(shape, settings));
  }

  /** Opens data. */
  private interface Opening {
    ExampleSet open() throws IOException;
  }

  private static ExampleSet open(DataSpec spec, Opening opening) {
    try {
      return opening.open();
    } catch (IOException e) {
      throw new InvalidOptionsException(
          List.of("--data is '%s'. %s".formatted(spec, Reason.of(e))));
    }
  }

  /** Whether classes are called by their numbers, 0, 1, 2 … */
  public static boolean areNumbers(List<String> classes) {
    return IntStream.range(0, classes.size())
        .allMatch(i -> classes.get(i).equals(Integer.toString(i)));
  }

  /**
   * Returns how such data is written where nothing else is asked for: images as bytes, tables as
   * lines.
   */
  public static InputOptions.Format naturalFormat(ExampleSet set) {
    return set.image().isPresent() ? InputOptions.Format.UINT8 : InputOptions.Format.CSV;
  }
}
