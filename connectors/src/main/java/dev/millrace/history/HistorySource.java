package dev.millrace.history;

import dev.millrace.example.Received;
import java.util.Collection;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.connector.file.src.FileSource;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Files first, each read whole by one reader, then another source: its first record comes when all
 * readers have read the last of their files.
 *
 * @param <L> the splits of the source behind
 * @param <E> what its enumerator saves
 */
public final class HistorySource<L extends SourceSplit, E>
    implements Source<Received, HistorySplit<L>, HistoryState<E>>, ResultTypeQueryable<Received> {

  private final FileSource<Received> files;
  private final Source<Received, L, E> live;
  private final TypeInformation<Received> type;

  private HistorySource(
      FileSource<Received> files, Source<Received, L, E> live, TypeInformation<Received> type) {
    this.files = files;
    this.live = live;
    this.type = type;
  }

  /**
   * Puts files in front of a source.
   *
   * @param places of files, as {@link HistoryFiles#places} has them
   */
  public static <L extends SourceSplit, E> Source<Received, ?, ?> of(
      Collection<Path> places,
      HistoryForms forms,
      Source<Received, L, E> live,
      TypeInformation<Received> type) {
    FileSource<Received> files =
        FileSource.forBulkFileFormat(new HistoryFormat(forms, type), places.toArray(Path[]::new))
            .setFileEnumerator(HistoryFiles::new)
            .setSplitAssigner(PathOrder::new)
            .build();
    return new HistorySource<>(files, live, type);
  }

  @Override
  public Boundedness getBoundedness() {
    return live.getBoundedness();
  }

  @Override
  public SourceReader<Received, HistorySplit<L>> createReader(SourceReaderContext context)
      throws Exception {
    return new HistoryReader<>(context, files.createReader(context), live.createReader(context));
  }

  @Override
  public SplitEnumerator<HistorySplit<L>, HistoryState<E>> createEnumerator(
      SplitEnumeratorContext<HistorySplit<L>> context) throws Exception {
    return new HistoryEnumerator<>(
        context,
        files.createEnumerator(new FileContext<>(context)),
        live.createEnumerator(new LiveContext<>(context)),
        false);
  }

  @Override
  public SplitEnumerator<HistorySplit<L>, HistoryState<E>> restoreEnumerator(
      SplitEnumeratorContext<HistorySplit<L>> context, HistoryState<E> checkpoint)
      throws Exception {
    return new HistoryEnumerator<>(
        context,
        files.restoreEnumerator(new FileContext<>(context), checkpoint.files()),
        live.restoreEnumerator(new LiveContext<>(context), checkpoint.live()),
        checkpoint.isRead());
  }

  @Override
  public SimpleVersionedSerializer<HistorySplit<L>> getSplitSerializer() {
    return new HistorySplitSerializer<>(live.getSplitSerializer());
  }

  @Override
  public SimpleVersionedSerializer<HistoryState<E>> getEnumeratorCheckpointSerializer() {
    return new HistoryStateSerializer<>(
        files.getEnumeratorCheckpointSerializer(), live.getEnumeratorCheckpointSerializer());
  }

  @Override
  public TypeInformation<Received> getProducedType() {
    return type;
  }
}
