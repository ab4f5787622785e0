package dev.millrace.history;

import dev.millrace.example.Received;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.file.src.FileSourceSplit;
import org.apache.flink.connector.file.src.reader.BulkFormat;
import org.apache.flink.connector.file.src.util.ArrayResultIterator;
import org.apache.flink.connector.file.src.util.CheckpointedPosition;

/** Has Flink's source of files read whole files, each from its first record to its last. */
final class HistoryFormat implements BulkFormat<Received, FileSourceSplit> {

  private static final int MOST_RECORDS = 256;
  private static final long MOST_BYTES = 1 << 20;

  private final HistoryForms forms;
  private final TypeInformation<Received> type;

  HistoryFormat(HistoryForms forms, TypeInformation<Received> type) {
    this.forms = forms;
    this.type = type;
  }

  @Override
  public BulkFormat.Reader<Received> createReader(Configuration config, FileSourceSplit split)
      throws IOException {
    return new Batches(HistoryReading.open(split, forms), 0);
  }

  @Override
  public BulkFormat.Reader<Received> restoreReader(Configuration config, FileSourceSplit split)
      throws IOException {
    return new Batches(
        HistoryReading.open(split, forms),
        split.getReaderPosition().orElseThrow().getRecordsAfterOffset());
  }

  @Override
  public boolean isSplittable() {
    return false;
  }

  @Override
  public TypeInformation<Received> getProducedType() {
    return type;
  }

  private static final class Batches implements BulkFormat.Reader<Received> {

    private final HistoryReading reading;
    private long read;

    Batches(HistoryReading reading, long readBefore) throws IOException {
      this.reading = reading;
      this.read = readBefore;
      reading.skip(readBefore);
    }

    @Override
    public BulkFormat.RecordIterator<Received> readBatch() throws IOException {
      List<Received> batch = new ArrayList<>();
      long bytes = 0;
      Received next = null;
      while (batch.size() < MOST_RECORDS && bytes < MOST_BYTES && (next = reading.next()) != null) {
        batch.add(next);
        bytes += HistoryReading.size(next);
      }
      if (batch.isEmpty()) {
        return null;
      }
      ArrayResultIterator<Received> records = new ArrayResultIterator<>();
      records.set(
          batch.toArray(Received[]::new), batch.size(), CheckpointedPosition.NO_OFFSET, read);
      read += batch.size();
      return records;
    }

    @Override
    public void close() throws IOException {
      reading.close();
    }
  }
}
