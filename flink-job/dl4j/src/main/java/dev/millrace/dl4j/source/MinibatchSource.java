package dev.millrace.dl4j.source;

import dev.millrace.dl4j.data.DataRow;
import java.util.Objects;
import java.util.Set;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * DL4J's minibatches as a bounded source of examples, for a number of epochs: dealt out in turn,
 * one share for each replica. A share's place is in checkpoints, so each example of each epoch
 * comes once.
 */
public final class MinibatchSource
    implements Source<DataRow, Share, Set<Integer>>, ResultTypeQueryable<DataRow> {

  private final Minibatches minibatches;
  private final int shares;
  private final int epochs;

  /**
   * @param shares how many there are, at least 1
   * @param epochs passes over the minibatches, at least 1
   */
  public MinibatchSource(Minibatches minibatches, int shares, int epochs) {
    this.minibatches = Objects.requireNonNull(minibatches, "minibatches");
    this.shares = shares;
    this.epochs = epochs;
  }

  @Override
  public Boundedness getBoundedness() {
    return Boundedness.BOUNDED;
  }

  @Override
  public SourceReader<DataRow, Share> createReader(SourceReaderContext context) {
    return new MinibatchReader(minibatches, epochs);
  }

  @Override
  public SplitEnumerator<Share, Set<Integer>> createEnumerator(
      SplitEnumeratorContext<Share> context) {
    return new ShareEnumerator(context, shares, Set.of());
  }

  @Override
  public SplitEnumerator<Share, Set<Integer>> restoreEnumerator(
      SplitEnumeratorContext<Share> context, Set<Integer> given) {
    return new ShareEnumerator(context, shares, given);
  }

  @Override
  public SimpleVersionedSerializer<Share> getSplitSerializer() {
    return new ShareSerializer();
  }

  @Override
  public SimpleVersionedSerializer<Set<Integer>> getEnumeratorCheckpointSerializer() {
    return new GivenSharesSerializer();
  }

  @Override
  public TypeInformation<DataRow> getProducedType() {
    return Types.POJO(DataRow.class);
  }
}
