package dev.millrace.source;

import dev.millrace.example.LabelLags;
import java.util.OptionalLong;

/**
 * Links a source with the operator that is chained behind it, a replica or a scorer. Both run on
 * one task thread and find each other through it: the operator installs the link when it is opened,
 * the source's reader looks for it at its first poll. Only that thread may use it.
 */
public final class TaskLink {

  private static final ThreadLocal<TaskLink> OF_THIS_TASK = new ThreadLocal<>();

  private final SourceGate gate = new SourceGate();
  private final LabelLags lagsOrNull;
  private PendingRecords pending = new PendingRecords();

  private TaskLink(LabelLags lagsOrNull) {
    this.lagsOrNull = lagsOrNull;
  }

  /** Makes a link the one of the calling task thread. */
  public static TaskLink install() {
    return install(null);
  }

  /**
   * Makes a link the one of the calling task thread, for an operator that makes labels features.
   *
   * @param lagsOrNull that the reader saves with the partitions which it reads
   */
  public static TaskLink install(LabelLags lagsOrNull) {
    TaskLink link = new TaskLink(lagsOrNull);
    OF_THIS_TASK.set(link);
    return link;
  }

  public static void uninstall() {
    OF_THIS_TASK.remove();
  }

  /**
   * Returns the link of the calling task thread.
   *
   * @throws IllegalStateException if nothing that holds a source back is chained behind it
   */
  public static TaskLink ofThisTask() {
    TaskLink link = OF_THIS_TASK.get();
    if (link == null) {
      throw new IllegalStateException(
          "The source and the operator that holds it back run in different tasks, so the source"
              + " could run ahead. They must be chained: don't disable operator chaining"
              + " (pipeline.operator-chaining.enabled), and give both the same parallelism");
    }
    return link;
  }

  /** Returns the gate by which the operator holds the source back. */
  public SourceGate gate() {
    return gate;
  }

  /** Returns labels before that are features; null where the operator makes none. */
  public LabelLags lagsOrNull() {
    return lagsOrNull;
  }

  /** Has the operator know how many records wait for the source. */
  void tell(PendingRecords records) {
    pending = records;
  }

  /** Returns how many records the source has yet to read; empty where it doesn't know. */
  public OptionalLong pendingRecords() {
    return pending.now();
  }
}
