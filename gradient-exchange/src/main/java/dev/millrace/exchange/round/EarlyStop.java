package dev.millrace.exchange.round;

import dev.millrace.model.Measures;
import dev.millrace.model.io.WireFormat;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Decides when training is over: when a budget is spent, or when predictions before learning
 * (prequential measures, over their sliding window) have long not become better.
 *
 * <p>What it remembers is part of the coordinator's checkpoint, so a restored job neither forgets
 * the best nor starts its time anew. Not thread-safe.
 */
public final class EarlyStop {

  private static final int FORMAT = 1;

  private static final long NEVER = -1;

  private final StopRules rules;
  private long startedAt = NEVER;
  private double best = Double.POSITIVE_INFINITY;
  private long bestAt;
  private long newest;

  /** The rules by which training has ended; null while it goes on. */
  private StopRules endedBy;

  public EarlyStop(StopRules rules) {
    this.rules = rules;
  }

  /** Training begins, or goes on; {@code time} in milliseconds since the epoch. */
  public void begin(long time) {
    if (startedAt == NEVER) {
      startedAt = time;
    }
  }

  /**
   * Looks at how well the newest records were predicted, once {@code learned} of them have been.
   */
  public void observe(Measures recent, long learned) {
    newest = learned;
    if (recent.examples() >= rules.window()) {
      double loss = recent.meanLoss();
      if (loss < best - rules.leastImprovement()) {
        best = loss;
        bestAt = learned;
      }
    } else {
      bestAt = learned;
    }
  }

  /**
   * Returns why training is over.
   *
   * @param time in milliseconds since the epoch
   * @return empty while it isn't
   */
  public Optional<String> reason(long time) {
    Duration elapsed = Duration.ofMillis(startedAt == NEVER ? 0 : time - startedAt);
    if (rules.time().compareTo(Duration.ZERO) > 0 && elapsed.compareTo(rules.time()) >= 0) {
      return Optional.of("it has gone on for %s".formatted(rules.time()));
    }
    if (rules.examples() > 0 && newest >= rules.examples()) {
      return Optional.of("%s records have been learned".formatted(newest));
    }
    if (rules.patience() > 0 && newest - bestAt >= rules.patience()) {
      return Optional.of(
          "the prequential loss has not fallen by %s below %s for %s records"
              .formatted(rules.leastImprovement(), best, newest - bestAt));
    }
    return Optional.empty();
  }

  /**
   * Ends training if it is over, which it stays by the same rules: what was learned before is still
   * to come into the model, and may be better than the best.
   *
   * @param time in milliseconds since the epoch
   * @return why, the first time
   */
  public Optional<String> end(long time) {
    Optional<String> why = hasEnded() ? Optional.empty() : reason(time);
    if (why.isPresent()) {
      endedBy = rules;
    }
    return why;
  }

  /** Whether training was {@linkplain #end ended}, before a restart too. */
  public boolean hasEnded() {
    return rules.equals(endedBy);
  }

  public void write(DataOutput out) throws IOException {
    out.writeByte(FORMAT);
    out.writeLong(startedAt);
    out.writeDouble(best);
    out.writeLong(bestAt);
    out.writeBoolean(endedBy != null);
    if (endedBy != null) {
      endedBy.write(out);
    }
  }

  /** Goes on from what {@link #write} wrote. */
  public void read(DataInput in) throws IOException {
    WireFormat.readVersion(in, FORMAT, EarlyStop.class);
    startedAt = in.readLong();
    best = in.readDouble();
    bestAt = in.readLong();
    endedBy = in.readBoolean() ? StopRules.read(in) : null;
  }
}
