package dev.millrace.exchange.forgetting;

import dev.millrace.exchange.hook.HookContext;
import dev.millrace.exchange.hook.ReplicaHookFactory;
import dev.millrace.exchange.round.RoundHead;

/**
 * Which older model replicas are kept near, and how strongly: after each local step a parameter
 * goes back towards its older value by a share of the distance.
 *
 * @param moment whose global model is kept
 * @param every examples of the whole job from one moment to the next, where they are periodic
 * @param strength the share of the distance; weighed, the mean of the shares. More than the
 *     distance is never gone
 * @param importanceInterval local steps from one measurement of the parameters' importance to the
 *     next; 0 where all of them weigh the same
 * @param importanceDecay what is left at each moment of the importance that was known before
 */
public record OlderModelPenalty(
    Moment moment, long every, double strength, int importanceInterval, double importanceDecay)
    implements ReplicaHookFactory {

  /** When a global model is kept, in place of the one before. */
  public enum Moment {
    /** The moment is the start of the job. */
    INITIAL,
    /** Each time that the job has learned so many more examples. */
    PERIODIC,
    /** When the coordinator says that the stream has changed. */
    DRIFT
  }

  public OlderModelPenalty {
    if (every < 1 || strength < 0 || importanceInterval < 0) {
      throw new IllegalArgumentException(
          "No attraction by %s examples, the strength %s and %s steps"
              .formatted(every, strength, importanceInterval));
    }
  }

  @Override
  public OlderModel hook(HookContext context) {
    int parts = context.changesAddUp() ? context.readers() : 1;
    return new OlderModel(context.model(), this, strength / parts);
  }

  /** Returns how many moments have passed, as a head tells. */
  long passed(RoundHead head) {
    return switch (moment) {
      case INITIAL -> 1;
      case PERIODIC -> head.progress().examples() / every;
      case DRIFT -> head.steering().changes();
    };
  }
}
