package dev.millrace.simulate.task;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.util.function.ThrowingRunnable;

/** The mails of a task, in their order. */
final class Mailbox implements MailboxExecutor {

  /**
   * @param yielded whether work that waits may do it, too
   */
  private record Mail(ThrowingRunnable<? extends Exception> task, boolean yielded) {}

  private final Deque<Mail> mails = new ArrayDeque<>();
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

  /** Whether there is one that work that waits may do. */
  boolean hasForWork() {
    return mails.stream().anyMatch(Mail::yielded);
  }

  void runOne() throws Exception {
    mails.removeFirst().task().run();
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
    add(new Mail(mail, true));
  }

  /** Adds a mail that is done between works only, in its turn. */
  void executeBetween(ThrowingRunnable<? extends Exception> mail) {
    add(new Mail(mail, false));
  }

  private void add(Mail mail) {
    if (closed) {
      throw new RejectedExecutionException("The task has ended");
    }
    mails.add(mail);
    wake.run();
  }

  @Override
  public void yield() {
    while (!tryYield()) {
      await.run();
    }
  }

  @Override
  public boolean tryYield() {
    for (Mail mail : mails) {
      if (mail.yielded()) {
        mails.remove(mail);
        run(mail.task());
        return true;
      }
    }
    return false;
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
