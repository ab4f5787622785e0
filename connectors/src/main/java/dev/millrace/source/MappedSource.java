package dev.millrace.source;

import dev.millrace.example.Received;
import dev.millrace.model.shape.ExampleShape;
import java.util.Objects;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.ExternallyInducedSourceReader;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Makes examples of the records of any source. Where a mapping doesn't say a record's place, that
 * is the id of its split and its number in it, from 0. These numbers are in checkpoints beside the
 * splits, so that whoever reads a split next goes on with them.
 *
 * <p>Sources that don't tell which split a record is of have records numbered by reader: see {@link
 * SplitCounts}.
 *
 * @param <T> the records of the source
 */
public final class MappedSource<T, S extends SourceSplit, E>
    implements Source<Received, CountedSplit<S>, E>, ResultTypeQueryable<Received> {

  private final Source<T, S, E> source;
  private final RecordMapping<T> mapping;
  private final ExampleShape shape;
  private final TypeSerializer<T> serializer;
  private final TypeInformation<Received> type;

  private MappedSource(
      Source<T, S, E> source,
      RecordMapping<T> mapping,
      ExampleShape shape,
      TypeSerializer<T> serializer,
      TypeInformation<Received> type) {
    this.source = Objects.requireNonNull(source, "source");
    this.mapping = Objects.requireNonNull(mapping, "mapping");
    this.shape = Objects.requireNonNull(shape, "shape");
    this.serializer = Objects.requireNonNull(serializer, "serializer");
    this.type = Objects.requireNonNull(type, "type");
  }

  /**
   * Maps the records of a source whose splits and enumerator may be of any type.
   *
   * @param shape of the examples
   * @param serializer of records, which writes those that are rejected
   * @param type of what is made of them
   */
  public static <T, S extends SourceSplit, E> Source<Received, ?, ?> of(
      Source<T, S, E> source,
      RecordMapping<T> mapping,
      ExampleShape shape,
      TypeSerializer<T> serializer,
      TypeInformation<Received> type) {
    return new MappedSource<>(source, mapping, shape, serializer, type);
  }

  @Override
  public Boundedness getBoundedness() {
    return source.getBoundedness();
  }

  @Override
  public SourceReader<Received, CountedSplit<S>> createReader(SourceReaderContext context)
      throws Exception {
    SourceReader<T, S> reader = source.createReader(context);
    if (reader instanceof ExternallyInducedSourceReader) {
      throw new IllegalStateException(
          "%s triggers checkpoints itself, and can't be held back while a replica waits"
              .formatted(source.getClass().getName()));
    }
    return new MappedReader<>(
        reader, new RecordMapper<>(mapping, shape, true, serializer.duplicate()));
  }

  @Override
  public SplitEnumerator<CountedSplit<S>, E> createEnumerator(
      SplitEnumeratorContext<CountedSplit<S>> context) throws Exception {
    return new CountedEnumerator<>(source.createEnumerator(new CountedContext<>(context)));
  }

  @Override
  public SplitEnumerator<CountedSplit<S>, E> restoreEnumerator(
      SplitEnumeratorContext<CountedSplit<S>> context, E checkpoint) throws Exception {
    return new CountedEnumerator<>(
        source.restoreEnumerator(new CountedContext<>(context), checkpoint));
  }

  @Override
  public SimpleVersionedSerializer<CountedSplit<S>> getSplitSerializer() {
    return new CountedSplitSerializer<>(source.getSplitSerializer());
  }

  @Override
  public SimpleVersionedSerializer<E> getEnumeratorCheckpointSerializer() {
    return source.getEnumeratorCheckpointSerializer();
  }

  @Override
  public TypeInformation<Received> getProducedType() {
    return type;
  }
}
