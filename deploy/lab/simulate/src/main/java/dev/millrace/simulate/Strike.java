package dev.millrace.simulate;

import dev.millrace.exchange.flink.FaultInjector.Place;
import dev.millrace.simulate.job.Input;
import dev.millrace.simulate.job.Job;
import dev.millrace.simulate.job.Jobs;

/** Does to a run what a fault says. */
final class Strike {

  private Strike() {}

  static void of(Fault fault, Jobs jobs, Input input, long now) {
    Job job = jobs.current();
    int target = fault.target();
    long length = fault.length();
    switch (fault.kind()) {
      case KILL_PROCESS -> job.kill(target);
      case ISOLATE_PROCESS -> job.isolate(target, length);
      case LOSE_JOB_MANAGER -> job.loseJobManager();
      case OUTAGE -> jobs.outage(length);
      case THROW_IN_STEP -> job.steps().throwAt(Place.LOCAL_STEP, target % 20);
      case THROW_IN_CONTRIBUTION -> job.steps().throwAt(Place.CONTRIBUTION, target % 20);
      case THROW_IN_FEEDBACK ->
          job.steps()
              .throwAt(target % 2 == 0 ? Place.FEEDBACK_IN : Place.FEEDBACK_OUT, target % 20);
      case THROW_IN_COORDINATOR -> job.steps().throwAt(Place.COORDINATOR, target % 20);
      case THROW_IN_DECISION -> job.steps().throwAt(Place.DECISION, target % 20);
      case THROW_IN_EXCHANGE -> job.steps().throwAt(Place.EXCHANGE, target % 30);
      case THROW_IN_GATHERER -> job.steps().throwAt(Place.GATHERING, target % 20);
      case STALL_TASK -> job.tasks().stall(target, length);
      case DELAY_EDGE -> job.tasks().delay(target, length);
      case ABORT_CHECKPOINT -> job.checkpoints().abort();
      case FAIL_WRITES -> job.checkpoints().failWrites(length);
      case SLOW_WRITES -> job.checkpoints().slowWrites(length);
      case TELL_LATE -> job.checkpoints().tellLate(length);
      case TELL_SOME -> job.checkpoints().tellSome(length);
      case STOP_BROKER -> input.breakUntil(now + length);
      case SLOW_STORE -> jobs.place().slow(length);
      case FAIL_STORE -> jobs.place().fail(length);
      case STOP_WITHOUT_DRAIN -> jobs.stop();
      case DRAIN -> jobs.drain();
      case RESUBMIT -> jobs.resubmit();
      case ROLL_BACK -> jobs.rollBack(target);
      case SECOND_WRITER -> jobs.submitSecond(length);
      case SUBMIT_TWICE -> jobs.submitTwice(length);
      case PUT_BACK -> jobs.putBack(target, length);
    }
  }
}
