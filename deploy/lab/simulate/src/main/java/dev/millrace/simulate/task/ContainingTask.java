package dev.millrace.simulate.task;

import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.runtime.tasks.StreamTask;
import org.apache.flink.streaming.runtime.tasks.mailbox.MailboxExecutorFactory;

/** What operators take for the task that contains them: it gives them mailboxes of virtual time. */
final class ContainingTask extends StreamTask<Object, StreamOperator<Object>> {

  private final MailboxExecutorFactory mailboxes;

  private ContainingTask(TaskEnvironment environment, Mailbox mailbox) throws Exception {
    super(environment);
    mailboxes = priority -> mailbox;
  }

  static ContainingTask of(TaskEnvironment environment, Mailbox mailbox) {
    try {
      return new ContainingTask(environment, mailbox);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** It has been cancelled; its operators may ask. */
  void cancelled() {
    try {
      cancel();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public MailboxExecutorFactory getMailboxExecutorFactory() {
    return mailboxes;
  }

  @Override
  protected void init() {
    throw new UnsupportedOperationException("Its operators are run one by one");
  }
}
