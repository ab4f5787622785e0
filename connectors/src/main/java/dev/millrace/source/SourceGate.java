package dev.millrace.source;

import dev.millrace.example.LabelLags;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * Stands between a source and the operator that is chained behind it, a replica or a scorer: while
 * it is shut the source emits nothing, and nothing blocks. It starts shut.
 *
 * <p>Both run on one task thread and find each other through it: the operator installs its gate
 * when it is opened, the source's reader looks for it at its first poll. Only that thread may use a
 * gate.
 */
public final class SourceGate {

  private static final ThreadLocal<SourceGate> OF_THIS_TASK = new ThreadLocal<>();

  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final LabelLags lagsOrNull;
  private CompletableFuture<Void> opened = new CompletableFuture<>();
  private PendingRecords pending = new PendingRecords();

  private SourceGate(LabelLags lagsOrNull) {
    this.lagsOrNull = lagsOrNull;
  }

  /** Makes a gate the one of the calling task thread. */
  public static SourceGate install() {
    return install(null);
  }

  /**
   * The same, of an operator that makes labels features.
   *
   * @param lagsOrNull that the reader saves with the partitions which it reads
   */
  public static SourceGate install(LabelLags lagsOrNull) {
    SourceGate gate = new SourceGate(lagsOrNull);
    OF_THIS_TASK.set(gate);
    return gate;
  }

  public static void uninstall() {
    OF_THIS_TASK.remove();
  }

  /**
   * The gate of the calling task thread.
   *
   * @throws IllegalStateException if nothing with a gate is chained behind the source
   */
  public static SourceGate ofThisTask() {
    SourceGate gate = OF_THIS_TASK.get();
    if (gate == null) {
      throw new IllegalStateException(
          "The source and the operator that holds it back run in different tasks, so the source"
              + " could run ahead. They must be chained: don't disable operator chaining"
              + " (pipeline.operator-chaining.enabled), and give both the same parallelism");
    }
    return gate;
  }

  /** Labels before that are features; null where the operator makes none. */
  public LabelLags lagsOrNull() {
    return lagsOrNull;
  }

  /** Behind this gate these records wait. */
  void isBefore(PendingRecords records) {
    pending = records;
  }

  /** Records that the source has yet to read; empty where it doesn't know. */
  public OptionalLong pendingRecords() {
    return pending.now();
  }

  /** The source emits nothing more, and comes to its end. */
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
