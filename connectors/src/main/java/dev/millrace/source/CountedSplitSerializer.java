package dev.millrace.source;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** Writes the numbers of a split's records behind what the source's own serializer writes of it. */
final class CountedSplitSerializer<S extends SourceSplit>
    extends ExtendedSplitSerializer<S, CountedSplit<S>> {

  private static final int VERSION = 1;

  CountedSplitSerializer(SimpleVersionedSerializer<S> plain) {
    super(plain, VERSION, "Splits with numbers of records");
  }

  @Override
  protected S plain(CountedSplit<S> split) {
    return split.split();
  }

  @Override
  protected void writeMore(CountedSplit<S> split, DataOutputStream out) throws IOException {
    out.writeInt(split.counts().size());
    for (SplitCounts.Count count : split.counts()) {
      out.writeUTF(count.name());
      out.writeLong(count.next());
    }
  }

  @Override
  protected CountedSplit<S> withMore(S split, DataInputStream in) throws IOException {
    List<SplitCounts.Count> counts = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      counts.add(new SplitCounts.Count(in.readUTF(), in.readLong()));
    }
    return new CountedSplit<>(split, counts);
  }
}
