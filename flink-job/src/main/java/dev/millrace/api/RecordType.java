package dev.millrace.api;

import java.util.stream.Stream;
import org.apache.flink.api.common.functions.InvalidTypesException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.api.java.typeutils.TypeExtractor;

/** What a source's records are. */
final class RecordType {

  /** Known by its name: Flink before 2.2 doesn't have it. */
  private static final String REASSIGNED =
      "org.apache.flink.api.connector.source.SupportsSplitReassignmentOnRecovery";

  private RecordType() {}

  /**
   * The type, as Flink finds it.
   *
   * @throws IllegalArgumentException if it can't be found, or the source can't be learned from
   */
  static <T> TypeInformation<T> of(Source<T, ?, ?> source) {
    if (isReassigned(source.getClass())) {
      throw new IllegalArgumentException(
          "%s gives its splits to other readers after a failure, and the numbers of their records would be lost: use a source that leaves splits where they are"
              .formatted(source.getClass().getName()));
    }
    if (source instanceof ResultTypeQueryable<?> queryable) {
      @SuppressWarnings("unchecked") // A source's type is that of its records.
      TypeInformation<T> type = (TypeInformation<T>) queryable.getProducedType();
      return type;
    }
    try {
      return TypeExtractor.createTypeInfo(Source.class, source.getClass(), 0, null, null);
    } catch (InvalidTypesException e) {
      throw new IllegalArgumentException(
          "Flink can't tell the type of the records of %s: have it implement ResultTypeQueryable"
              .formatted(source.getClass().getName()),
          e);
    }
  }

  private static boolean isReassigned(Class<?> type) {
    return type != null
        && (type.getName().equals(REASSIGNED)
            || isReassigned(type.getSuperclass())
            || Stream.of(type.getInterfaces()).anyMatch(RecordType::isReassigned));
  }
}
