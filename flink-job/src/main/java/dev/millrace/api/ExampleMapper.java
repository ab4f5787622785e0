package dev.millrace.api;

import java.io.Serializable;
import org.apache.flink.annotation.PublicEvolving;

/**
 * Says what a record holds: {@code (order, to) -> to.features(order.vector()).label(order.kind())}.
 *
 * <p>It runs on the thread that reads the record, and travels with the job. Each subtask has one of
 * its own.
 *
 * @param <T> the record
 */
@PublicEvolving
@FunctionalInterface
public interface ExampleMapper<T> extends Serializable {

  /**
   * Gives the values of a record's example. Where it throws, or gives values that make no example,
   * the record is rejected with the reason; the job goes on.
   *
   * @param to takes the values; it is valid until this method returns
   */
  void map(T record, ExampleWriter to) throws Exception;
}
