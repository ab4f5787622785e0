package dev.millrace.dl4j.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/** The numbers of the shares that readers have, in checkpoints. */
final class GivenSharesSerializer implements SimpleVersionedSerializer<Set<Integer>> {

  private static final int VERSION = 1;

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public byte[] serialize(Set<Integer> numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES * numbers.size());
    numbers.forEach(bytes::putInt);
    return bytes.array();
  }

  @Override
  public Set<Integer> deserialize(int version, byte[] serialized) throws IOException {
    if (version != VERSION) {
      throw new IOException("Given shares of version %s can't be read".formatted(version));
    }
    Set<Integer> numbers = new TreeSet<>();
    ByteBuffer bytes = ByteBuffer.wrap(serialized);
    while (bytes.hasRemaining()) {
      numbers.add(bytes.getInt());
    }
    return numbers;
  }
}
