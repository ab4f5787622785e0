package dev.millrace.source;

import dev.millrace.example.Example;
import dev.millrace.example.Received;
import dev.millrace.model.Partition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.core.io.InputStatus;

/** Reads for a {@link MappedSource}. */
@SuppressWarnings("try") // As the class that it extends.
final class MappedReader<T, S extends SourceSplit>
    extends ConvertingReader<T, S, Received, CountedSplit<S>> {

  private final RecordMapper<T> mapper;
  private final SplitCounts counts = new SplitCounts();

  /** Readers keep the outputs of splits, which belong to the one that they were given first. */
  private Output output;

  MappedReader(SourceReader<T, S> reader, RecordMapper<T> mapper) {
    super(reader);
    this.mapper = mapper;
  }

  @Override
  public InputStatus pollNext(ReaderOutput<Received> to) throws Exception {
    if (output == null || output.to != to) {
      output = new Output(to);
    }
    return reader.pollNext(output);
  }

  @Override
  public List<CountedSplit<S>> snapshotState(long checkpointId) {
    List<S> splits = reader.snapshotState(checkpointId);
    List<List<SplitCounts.Count>> saved =
        counts.save(splits.stream().map(SourceSplit::splitId).toList());
    List<CountedSplit<S>> counted = new ArrayList<>();
    for (int i = 0; i < splits.size(); i++) {
      counted.add(new CountedSplit<>(splits.get(i), saved.get(i)));
    }
    return counted;
  }

  @Override
  public void addSplits(List<CountedSplit<S>> splits) {
    splits.forEach(split -> counts.add(split.splitId(), split.counts()));
    reader.addSplits(splits.stream().map(CountedSplit::split).toList());
  }

  /** Maps what comes for one output of Flink's, and numbers it under one name. */
  private class SplitOutput implements SourceOutput<T> {

    private final SourceOutput<Received> to;
    private Partition place;

    /**
     * @param splitOrNull that all records are of; null where that isn't told
     */
    SplitOutput(SourceOutput<Received> to, String splitOrNull) {
      this.to = to;
      this.place = splitOrNull == null ? null : new Partition(splitOrNull, 0);
    }

    @Override
    public void collect(T record) {
      to.collect(map(record, Example.NO_TIMESTAMP));
    }

    @Override
    public void collect(T record, long timestamp) {
      to.collect(map(record, timestamp), timestamp);
    }

    private Received map(T record, long timestamp) {
      if (place == null) {
        if (counts.untold() == null) {
          throw new IllegalStateException(
              "The source emits a record before it was given a split, so its place isn't known");
        }
        place = new Partition(counts.untold(), 0);
      }
      return mapper.map(record, place, counts.take(place.topic()), timestamp);
    }

    @Override
    public void emitWatermark(Watermark watermark) {
      to.emitWatermark(watermark);
    }

    @Override
    public void markIdle() {
      to.markIdle();
    }

    @Override
    public void markActive() {
      to.markActive();
    }
  }

  private final class Output extends SplitOutput implements ReaderOutput<T> {

    private final ReaderOutput<Received> to;
    private final Map<String, SourceOutput<T>> splits = new HashMap<>();

    Output(ReaderOutput<Received> to) {
      super(to, null);
      this.to = to;
    }

    @Override
    public SourceOutput<T> createOutputForSplit(String split) {
      return splits.computeIfAbsent(
          split, any -> new SplitOutput(to.createOutputForSplit(split), split));
    }

    @Override
    public void releaseOutputForSplit(String split) {
      splits.remove(split);
      counts.end(split);
      to.releaseOutputForSplit(split);
    }
  }
}
