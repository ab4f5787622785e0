package dev.millrace.source;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SourceSplit;

/**
 * A source that emits only while the {@link SourceGate} of the operator chained behind it is open.
 * In all else it is the source that it wraps.
 */
public final class GatedSource<T, S extends SourceSplit, E> extends ForwardingSource<T, S, E> {

  private GatedSource(Source<T, S, E> source, TypeInformation<T> type) {
    super(source, type);
  }

  /** Gates a source whose splits and enumerator may be of any type. */
  public static <T, S extends SourceSplit, E> GatedSource<T, S, E> of(
      Source<T, S, E> source, TypeInformation<T> type) {
    return new GatedSource<>(source, type);
  }

  @Override
  public SourceReader<T, S> createReader(SourceReaderContext context) throws Exception {
    PendingRecords pending = new PendingRecords();
    return new GatedReader<>(super.createReader(new ListeningContext(context, pending)), pending);
  }
}
