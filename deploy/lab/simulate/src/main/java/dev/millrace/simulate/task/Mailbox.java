package dev.millrace.simulate.task;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.util.function.ThrowingRunnable;

/** The mails of a task, in their order. */
final class Mailbox implements MailboxExecutor {

  private final Deque<ThrowingRunnable<? extends Exception>> mails = new ArrayDeque<>();
  private final Runnable wake;
  private final Runnable await;
  private boolean closed;

  /**
   * @param wake is run for each mail
   * @param await returns when something has happened; called by work that waits
   */
  Mailbox(Runnable wake, Runnable await) {
    this.wake = wake;
    this.await = await;
  }

  boolean isEmpty() {
    return mails.isEmpty();
  }

  void runOne() throws Exception {
    mails.removeFirst().run();
  }

  boolean isClosed() {
    return closed;
  }

  void close() {
    closed = true;
    mails.clear();
  }

  @Override
  public void execute(
      MailOptions options,
      ThrowingRunnable<? extends Exception> mail,
      String description,
      Object... arguments) {
    if (closed) {
      throw new RejectedExecutionException("The task has ended");
    }
    mails.add(mail);
    wake.run();
  }

  @Override
  public void yield() {
    while (mails.isEmpty()) {
      await.run();
    }
    run(mails.removeFirst());
  }

  @Override
  public boolean tryYield() {
    if (mails.isEmpty()) {
      return false;
    }
    run(mails.removeFirst());
    return true;
  }

  private static void run(ThrowingRunnable<? extends Exception> mail) {
    try {
      mail.run();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new org.apache.flink.util.FlinkRuntimeException(e);
    }
  }

  @Override
  public boolean shouldInterrupt() {
    return false;
  }
}
