package dev.millrace.job.submission;

import java.util.List;
import java.util.concurrent.Callable;
import org.apache.flink.client.program.ProgramParametrizationException;
import org.apache.flink.runtime.client.JobInitializationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Has what is wrong with a job told in one message, without a stack trace. */
public final class Submission {

  private static final Logger LOG = LoggerFactory.getLogger(Submission.class);

  private Submission() {}

  /**
   * Submits a job.
   *
   * @throws ProgramParametrizationException if the job isn't accepted: of this exception Flink's
   *     command line shows the message alone
   */
  public static void attempt(Callable<?> submit) throws Exception {
    try {
      submit.call();
    } catch (Exception e) {
      List<Throwable> chain = Failures.chain(e);
      if (chain.stream().anyMatch(JobInitializationException.class::isInstance)) {
        LOG.info("The cluster didn't accept the job", e);
        throw new ProgramParametrizationException(
            "The cluster can't start the job: " + Failures.explainDeepest(e));
      }
      if (chain.stream().anyMatch(Failures::isOwn)) {
        LOG.info("The job isn't submitted", e);
        throw new ProgramParametrizationException(Failures.explain(e));
      }
      throw e;
    }
  }
}
