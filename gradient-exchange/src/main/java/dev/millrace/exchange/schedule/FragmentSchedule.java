package dev.millrace.exchange.schedule;

import java.time.Duration;

/**
 * A schedule whose contributions are of one {@link Fragment} each, in turn: each fragment as often
 * as {@code schedule} has the whole model contributed, and one after another in between. So all
 * turns together make its local steps, and each makes one at least.
 */
record FragmentSchedule(Schedule schedule, int fragments) implements Schedule {

  @Override
  public boolean waits() {
    return schedule.waits();
  }

  @Override
  public int delay() {
    return schedule.delay();
  }

  @Override
  public int localSteps(long round, RoundCost cost) {
    int all = schedule.localSteps(round, cost.times(fragments));
    if (all == Integer.MAX_VALUE) {
      return all;
    }
    long turn = round % fragments;
    return (int) Math.max(1, (turn + 1) * all / fragments - turn * all / fragments);
  }

  @Override
  public Duration interval() {
    return schedule.interval().dividedBy(fragments);
  }

  @Override
  public Fragment fragment(long round) {
    return new Fragment((int) (round % fragments), fragments);
  }
}
