package dev.millrace.job.common;

import org.apache.flink.streaming.api.datastream.DataStreamSink;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/**
 * What an operator of a job's graph is called.
 *
 * @param uid its name, and the key of its state in savepoints: never changes after a release
 * @param description the text behind the name on Flink's web page
 */
public record OperatorName(String uid, String description) {

  /**
   * Returns the name of the same operator in one of several graphs in a job.
   *
   * @param prefix of the graph; empty for the only one
   */
  public OperatorName of(String prefix) {
    return prefix.isEmpty() ? this : new OperatorName(prefix + "-" + uid, description);
  }

  public <T> SingleOutputStreamOperator<T> on(SingleOutputStreamOperator<T> operator) {
    return operator.name(uid).uid(uid).setDescription(text());
  }

  public void on(DataStreamSink<?> sink) {
    sink.name(uid).uid(uid).setDescription(text());
  }

  private String text() {
    return uid + ": " + description;
  }
}
