package dev.millrace.job.score;

import dev.millrace.exchange.flink.NonRecoverableException;
import dev.millrace.job.follow.ModelWatch;
import dev.millrace.job.follow.ServedModel;
import dev.millrace.model.device.UnusableEngineException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.util.function.ThrowingRunnable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes what a watch finds to the task's thread. */
final class MailboxModelListener implements ModelWatch.Listener {

  private static final Logger LOG = LoggerFactory.getLogger(MailboxModelListener.class);

  private final MailboxExecutor mailbox;
  private final Consumer<ServedModel> serve;
  private final Runnable refused;

  /** The one that the task's thread hasn't served yet: a newer one takes its place. */
  private final AtomicReference<ServedModel> newest = new AtomicReference<>();

  /** {@code serve} and {@code refused} are called on the task's thread. */
  MailboxModelListener(MailboxExecutor mailbox, Consumer<ServedModel> serve, Runnable refused) {
    this.mailbox = mailbox;
    this.serve = serve;
    this.refused = refused;
  }

  @Override
  public void publish(ServedModel model) {
    if (newest.getAndSet(model) == null) {
      send(() -> serve.accept(newest.getAndSet(null)), "serve a new model");
    }
  }

  @Override
  public void refuse(String why) {
    send(refused::run, "count a refused model");
  }

  @Override
  public void fail(Throwable cause) {
    send(
        () -> {
          throw failure(cause);
        },
        "fail");
  }

  /** Returns the exception that ends a job whose watch can't look any more. */
  static RuntimeException failure(Throwable cause) {
    return cause instanceof UnusableEngineException unusable
        ? new NonRecoverableException(unusable)
        : new IllegalStateException("Models can't be looked for any more", cause);
  }

  private void send(ThrowingRunnable<? extends Exception> mail, String description) {
    try {
      mailbox.execute(mail, description);
    } catch (RejectedExecutionException e) {
      LOG.debug("The scorer has ended; what its watch found is dropped");
    }
  }
}
