package dev.millrace.exchange.replica;

import dev.millrace.exchange.round.JobProgress;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.round.Standing;
import dev.millrace.exchange.steering.Steering;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Steps;

/**
 * How far the whole job has come, as one of its replicas knows it, and the learning rates that
 * follow from it.
 *
 * <p>Of what the global model has learned it hears with each head. Meanwhile it takes the others to
 * learn as many examples as it learns itself. The next head corrects that. So schedules mean the
 * same at any parallelism, and all replicas make the first step of a round by the same count.
 *
 * <p>Not thread-safe.
 */
final class JobSteps {

  private final JobShare share;
  private JobProgress global = JobProgress.NONE;
  private ExamplesAhead ahead = ExamplesAhead.NONE;
  private Steering steering = Steering.NONE;

  private double proportional = 1;
  private double adaptive = 1;

  /** Nothing has been learned; a replica's model has its learning rates as configured. */
  JobSteps(JobShare share) {
    this.share = share;
  }

  /** Returns how far the job is now. */
  JobProgress now() {
    return global.plus(ahead.total(), share.ofStep());
  }

  /** Has a model make its next step by the job's count, at the learning rates of that. */
  void prepare(ModelReplica model) {
    JobProgress now = now();
    model.setSteps(new Steps(now.steps(), model.steps().ofUpdater()));
    double nextProportional = share.rates().proportional(now.examples());
    double nextAdaptive = share.rates().adaptive(now.examples());
    if (nextProportional != proportional || nextAdaptive != adaptive) {
      proportional = nextProportional;
      adaptive = nextAdaptive;
      model.scaleLearningRates(proportional, adaptive);
    }
  }

  /** This replica has learned so many examples. */
  void learned(int examples) {
    ahead = ahead.plus((long) examples * share.replicas());
  }

  /** All that it has learned is in the contribution of that sequence. */
  void contributed(long sequence) {
    ahead = ahead.contributed(sequence);
  }

  /** Notes that what it has learned since its last contribution is in none. */
  void refused() {
    ahead = ahead.refused();
  }

  /** Takes in the head of a round. */
  void accept(RoundHead head, Standing standing) {
    global = head.progress();
    ahead = ahead.without(standing.included());
    steering = head.steering();
  }

  /** See {@link Steering#minibatch}. */
  int minibatch(int configured) {
    return steering.minibatch(configured);
  }

  /** Returns what the job is ahead of the global model, for a checkpoint. */
  ExamplesAhead ahead() {
    return ahead;
  }

  /** Continues from what a replica of the same number had saved. */
  void restore(ExamplesAhead saved) {
    ahead = saved;
  }

  /** Takes over what another replica has yet to contribute. */
  void absorb(ExamplesAhead theirs) {
    ahead = ahead.absorb(theirs);
  }
}
