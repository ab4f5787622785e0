package dev.millrace.source;

import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.core.io.InputStatus;

/** Reads for a {@link GatedSource}. */
@SuppressWarnings("try") // As the class that it extends.
final class GatedReader<T, S extends SourceSplit> extends ForwardingReader<T, S> {

  private final PendingRecords pending;
  private SourceGate gate;

  /** {@code pending} is what the reader tells of the records behind it. */
  GatedReader(SourceReader<T, S> reader, PendingRecords pending) {
    super(reader);
    this.pending = pending;
  }

  @Override
  public InputStatus pollNext(ReaderOutput<T> output) throws Exception {
    if (!gate().isOpen()) {
      return InputStatus.NOTHING_AVAILABLE;
    }
    return gate().hasEnded() ? InputStatus.END_OF_INPUT : super.pollNext(output);
  }

  @Override
  public CompletableFuture<Void> isAvailable() {
    if (!gate().isOpen()) {
      return gate().opened();
    }
    CompletableFuture<Void> available = super.isAvailable();
    // A reader that waits for records has to notice that none are wanted any more.
    return available.isDone()
        ? available
        : CompletableFuture.anyOf(available, gate().ended()).thenApply(any -> null);
  }

  private SourceGate gate() {
    if (gate == null) {
      TaskLink link = TaskLink.ofThisTask();
      link.tell(pending);
      gate = link.gate();
    }
    return gate;
  }
}
