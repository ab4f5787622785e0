package dev.millrace.source;

import java.util.concurrent.CompletableFuture;

/**
 * Holds a source back: while it is shut the source emits nothing, and nothing blocks. It starts
 * shut. The source and the operator that opens it find it at their {@link TaskLink}.
 */
public final class SourceGate {

  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private CompletableFuture<Void> opened = new CompletableFuture<>();

  SourceGate() {}

  /** Has the source emit nothing more, and come to its end. */
  public void end() {
    ended.complete(null);
  }

  /** Whether the source has to come to its end. */
  public boolean hasEnded() {
    return ended.isDone();
  }

  /** Completes when the source has to come to its end. */
  CompletableFuture<Void> ended() {
    return ended;
  }

  public boolean isOpen() {
    return opened.isDone();
  }

  /** Completes when the gate opens; is complete while it is open. */
  CompletableFuture<Void> opened() {
    return opened;
  }

  public void setOpen(boolean open) {
    if (open) {
      opened.complete(null);
    } else if (opened.isDone()) {
      opened = new CompletableFuture<>();
    }
  }
}
