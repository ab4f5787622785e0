package dev.millrace.file;

import dev.millrace.example.Example;
import dev.millrace.example.LabelLags;
import dev.millrace.example.LagSettings;
import dev.millrace.model.shape.ExampleShape;
import java.io.IOException;

/**
 * Examples whose features have the labels of those before, in the order of the sequence. Those that
 * are skipped are read, too: the ones behind them have their labels.
 *
 * <p>Not thread-safe.
 */
public final class LaggedSequence implements ExampleSequence {

  private final ExampleSequence records;
  private final ExampleShape shape;
  private final LabelLags lags;

  private LaggedSequence(ExampleSequence records, ExampleShape shape, LagSettings settings) {
    this.records = records;
    this.shape = shape;
    this.lags = new LabelLags(shape, settings);
  }

  /**
   * Examples of a shape, which may have labels of records before.
   *
   * @param records as they are without; is closed with the result
   */
  public static ExampleSequence of(
      ExampleSequence records, ExampleShape shape, LagSettings settings) {
    return shape.labelLags() == 0 ? records : new LaggedSequence(records, shape, settings);
  }

  @Override
  public ExampleShape shape() {
    return shape;
  }

  @Override
  public long count() {
    return records.count();
  }

  @Override
  public boolean next(Example into) throws IOException {
    boolean more = records.next(into);
    if (more) {
      lags.complete(into);
    }
    return more;
  }

  @Override
  public void close() throws IOException {
    records.close();
  }
}
