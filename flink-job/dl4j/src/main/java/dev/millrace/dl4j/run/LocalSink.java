package dev.millrace.dl4j.run;

import java.util.function.Consumer;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;

/**
 * Hands records to somebody in this process, at once. After a failure some come again.
 *
 * @param receiver takes them on the task's thread
 * @param <T> the records
 */
public record LocalSink<T>(LocalHandle<Consumer<T>> receiver) implements Sink<T> {

  @Override
  public SinkWriter<T> createWriter(WriterInitContext context) {
    Consumer<T> local = receiver.get();
    return new SinkWriter<>() {
      @Override
      public void write(T record, Context of) {
        local.accept(record);
      }

      @Override
      public void flush(boolean endOfInput) {
        // Nothing waits here.
      }

      @Override
      public void close() {
        // Nothing is open.
      }
    };
  }
}
