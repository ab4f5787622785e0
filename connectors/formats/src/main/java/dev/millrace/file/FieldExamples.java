package dev.millrace.file;

import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A CSV file whose rows are examples of described fields. */
final class FieldExamples implements ExampleSet {

  private final Path file;
  private final FieldTable layout;
  private final long before;
  private final long holdOut;

  private FieldExamples(Path file, FieldTable layout, long before, long holdOut) {
    this.file = file;
    this.layout = layout;
    this.before = before;
    this.holdOut = holdOut;
  }

  /** Reads the file once, to count its rows. */
  static FieldExamples open(Path file, long holdOut, FieldTable layout) throws IOException {
    FieldSequence.open(file, layout, 0, 0).close();
    long before = layout.rowsBefore(file, holdOut);
    return new FieldExamples(file, layout, before, holdOut);
  }

  @Override
  public ExampleShape shape() {
    return layout.shape();
  }

  @Override
  public List<String> classes() {
    return layout.classNames();
  }

  @Override
  public Optional<ImageSize> image() {
    return Optional.empty();
  }

  @Override
  public ExampleSequence training() throws IOException {
    return FieldSequence.open(file, layout, 0, before);
  }

  @Override
  public ExampleSequence holdOut() throws IOException {
    return FieldSequence.open(file, layout, before, holdOut);
  }
}
