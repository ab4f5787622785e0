package example;

import dev.millrace.exchange.schedule.RoundCost;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.exchange.schedule.ScheduleExtension;
import java.util.Map;

/** Contributes after each step at first, and ever more seldom: one step more each ten rounds. */
public final class Slowing implements ScheduleExtension {

  @Override
  public String name() {
    return "slowing";
  }

  @Override
  public Schedule create(Map<String, String> options) {
    return new Steps(Integer.parseInt(options.getOrDefault("slowing.most", "8")));
  }

  record Steps(int most) implements Schedule {

    @Override
    public boolean waits() {
      return true;
    }

    @Override
    public int localSteps(long round, RoundCost cost) {
      return (int) Math.min(most, 1 + round / 10);
    }
  }
}
