package dev.millrace.source;

import dev.millrace.example.ExampleAssembly;
import java.io.Serializable;

/**
 * Says what a record holds.
 *
 * @param <T> the record
 */
@FunctionalInterface
public interface RecordMapping<T> extends Serializable {

  /**
   * Gives the values of a record's example. Where it throws, or gives values that make no example,
   * the record is rejected.
   *
   * @param into has begun with the record
   */
  void map(T record, ExampleAssembly into) throws Exception;
}
