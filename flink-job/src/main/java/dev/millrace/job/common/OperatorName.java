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
