package dev.millrace.api;

import dev.millrace.example.ExampleAssembly;
import dev.millrace.source.RecordMapping;
import java.io.IOException;
import org.apache.flink.util.InstantiationUtil;

/** A program's mapper, as sources and scorers use it. */
final class AdaptedMapper<T> implements RecordMapping<T> {

  private static final long serialVersionUID = 1;

  private final ExampleMapper<T> mapper;

  private transient ExampleAssembly known;
  private transient ExampleWriter writer;

  private AdaptedMapper(ExampleMapper<T> mapper) {
    this.mapper = mapper;
  }

  /**
   * Takes a copy of the mapper as it is now.
   *
   * @throws IllegalArgumentException if it can't travel with a job
   */
  static <T> RecordMapping<T> of(ExampleMapper<T> mapper) {
    try {
      return InstantiationUtil.clone(
          new AdaptedMapper<>(mapper), mapper.getClass().getClassLoader());
    } catch (IOException | ClassNotFoundException e) {
      throw new IllegalArgumentException(
          "The mapper can't be serialized, as what travels with a job must be: %s. Have it use nothing"
                  .formatted(e.getMessage())
              + " of its class that isn't serializable",
          e);
    }
  }

  @Override
  public void map(T record, ExampleAssembly into) throws Exception {
    if (known != into) {
      known = into;
      writer = new ExampleWriter(into);
    }
    writer.begin();
    mapper.map(record, writer);
    writer.end();
  }
}
