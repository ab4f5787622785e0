package dev.millrace.api;

import java.util.function.Supplier;
import org.apache.flink.annotation.PublicEvolving;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * Scoring that was added to a stream.
 *
 * @param <T> the records that it predicts for
 */
@PublicEvolving
public final class Scoring<T> {

  private final DataStream<Prediction<T>> predictions;
  private final Supplier<DataStream<Rejected<T>>> reading;

  private DataStream<Rejected<T>> rejected;

  Scoring(DataStream<Prediction<T>> predictions, Supplier<DataStream<Rejected<T>>> reading) {
    this.predictions = predictions;
    this.reading = reading;
  }

  /**
   * A prediction for each record, with its timestamp. They come in the order in which records come
   * to each subtask: as for any operator, Flink keeps that of a stream with the parallelism of the
   * environment, and that of each key where the stream is keyed.
   */
  public DataStream<Prediction<T>> predictions() {
    return predictions;
  }

  /** Records that there is no prediction for, each with the reason. */
  public DataStream<Rejected<T>> rejected() {
    if (rejected == null) {
      rejected = reading.get();
    }
    return rejected;
  }
}
