package dev.millrace.job.submission;

import dev.millrace.job.options.SubmissionOptions;
import dev.millrace.job.setup.OptionReader;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.flink.client.program.ProgramParametrizationException;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.runtime.client.JobInitializationException;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Submits a job so that whatever is wrong with it comes as one message, without a stack trace. */
public final class Submission {

  private static final Logger LOG = LoggerFactory.getLogger(Submission.class);

  private Submission() {}

  /** Adds a job to an environment, once its options have been found right. */
  @FunctionalInterface
  public interface Job {
    /**
     * Adds it.
     *
     * @return what the user should know of options that have no effect
     */
    List<String> addTo(StreamExecutionEnvironment environment, Configuration options)
        throws Exception;
  }

  /**
   * Submits a job to the environment that Flink's command line has prepared, when there are slots
   * for it.
   *
   * @param name unless Flink's {@code pipeline.name} gives another, by which several jobs are told
   *     apart
   * @param arguments options as {@code --config FILE} and {@code --key value}
   * @throws ProgramParametrizationException if the job isn't accepted; its message says why
   */
  public static void submit(String name, List<String> arguments, Job job) throws Exception {
    attempt(
        () -> {
          Configuration options = OptionReader.read(arguments);
          StreamExecutionEnvironment environment =
              StreamExecutionEnvironment.getExecutionEnvironment();
          warn(PlaceDependences.submitted(options));
          warn(job.addTo(environment, options));
          SlotCheck.await(environment, options.get(SubmissionOptions.SLOT_WAIT));
          return environment.execute(
              environment.getConfiguration().getOptional(PipelineOptions.NAME).orElse(name));
        });
  }

  /** Flink's command line logs to a file, and shows what is printed. */
  private static void warn(List<String> warnings) {
    for (String warning : warnings) {
      LOG.warn(warning);
      System.err.println("Warning: " + warning);
    }
  }

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
