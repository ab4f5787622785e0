package dev.millrace.simulate.task;

import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.runtime.tasks.StreamTask;
import org.apache.flink.streaming.runtime.tasks.mailbox.MailboxExecutorFactory;

/** What operators take for the task that contains them: it gives them mailboxes of virtual time. */
final class ContainingTask extends StreamTask<Object, StreamOperator<Object>> {

  private MailboxExecutorFactory mailboxes;

  ContainingTask(TaskEnvironment environment) throws Exception {
    super(environment);
  }

  void mailboxes(MailboxExecutorFactory factory) {
    mailboxes = factory;
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
