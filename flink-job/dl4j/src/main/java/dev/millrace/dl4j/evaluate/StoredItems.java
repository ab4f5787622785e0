package dev.millrace.dl4j.evaluate;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.NoSuchElementException;
import org.apache.flink.util.CloseableIterator;
import org.nd4j.linalg.dataset.api.MultiDataSet;

/** Data sets of a file, each with its length before it, read one by one. */
final class StoredItems implements CloseableIterator<MultiDataSet> {

  private final DataInputStream in;

  private MultiDataSet nextOrNull;

  StoredItems(DataInputStream in) throws IOException {
    this.in = in;
    this.nextOrNull = read();
  }

  static void write(MultiDataSet item, DataOutputStream out) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    item.save(bytes);
    out.writeInt(bytes.size());
    bytes.writeTo(out);
  }

  private MultiDataSet read() throws IOException {
    int length;
    try {
      length = in.readInt();
    } catch (EOFException e) {
      return null;
    }
    MultiDataSet item = new org.nd4j.linalg.dataset.MultiDataSet();
    item.load(new ByteArrayInputStream(in.readNBytes(length)));
    return item;
  }

  @Override
  public boolean hasNext() {
    return nextOrNull != null;
  }

  @Override
  public MultiDataSet next() {
    if (nextOrNull == null) {
      throw new NoSuchElementException();
    }
    MultiDataSet next = nextOrNull;
    try {
      nextOrNull = read();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return next;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
