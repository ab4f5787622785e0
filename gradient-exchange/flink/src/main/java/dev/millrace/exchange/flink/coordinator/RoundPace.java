package dev.millrace.exchange.flink.coordinator;

import dev.millrace.exchange.round.WholeRound;
import dev.millrace.exchange.schedule.Schedule;
import java.io.Serializable;
import java.time.Duration;

/**
 * How fast rounds follow each other.
 *
 * @param schedule when replicas contribute
 * @param timeout how long a round with a contribution waits for the others at least, see {@link
 *     dev.millrace.exchange.round.RoundWait}
 * @param patience how long it waits once half of them have contributed, as a multiple of the time
 *     that these took; 0 for no other end than the timeout
 * @param whole whose contributions a whole round has
 */
public record RoundPace(Schedule schedule, Duration timeout, double patience, WholeRound whole)
    implements Serializable {}
