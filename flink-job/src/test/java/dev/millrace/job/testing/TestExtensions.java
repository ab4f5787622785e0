package dev.millrace.job.testing;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.AggregatorExtension;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.aggregate.ServerOptimizerExtension;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.codec.CodecExtension;
import dev.millrace.exchange.codec.Encoder;
import dev.millrace.exchange.schedule.RoundCost;
import dev.millrace.exchange.schedule.Schedule;
import dev.millrace.exchange.schedule.ScheduleExtension;
import dev.millrace.model.shape.IndexRange;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** One extension of each kind, all called {@code test}. */
public final class TestExtensions {

  private static final String NAME = "test";

  private static final List<String> MADE = new CopyOnWriteArrayList<>();

  private TestExtensions() {}

  /** Returns the kind of each extension that was made since the last call. */
  public static List<String> made() {
    List<String> made = List.copyOf(MADE);
    MADE.clear();
    return made;
  }

  /** Needs all contributions at once, and an option where one is asked for. */
  public static final class Aggregators implements AggregatorExtension {

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Aggregator create(Map<String, String> options) {
      MADE.add("aggregator");
      if (options.getOrDefault("sort", "good").equals("bad")) {
        throw new IllegalArgumentException("extension.options.sort is 'bad'; it must be good");
      }
      return Aggregator.median();
    }
  }

  /** Moves by twice the change. */
  public static final class Optimizers implements ServerOptimizerExtension {

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public ServerOptimizer create(Map<String, String> options) {
      MADE.add("server optimizer");
      return ServerOptimizer.none(2);
    }
  }

  /** After the third step. */
  public static final class Schedules implements ScheduleExtension {

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Schedule create(Map<String, String> options) {
      MADE.add("schedule");
      return new Third();
    }

    private record Third() implements Schedule {

      @Override
      public boolean waits() {
        return false;
      }

      @Override
      public int localSteps(long round, RoundCost cost) {
        return 3;
      }
    }
  }

  /** Floats under another name. */
  public static final class Codecs implements CodecExtension {

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public Codec create(Map<String, String> options) {
      MADE.add("codec");
      return new Renamed(Codec.float32());
    }

    private record Renamed(Codec codec) implements Codec {

      @Override
      public String name() {
        return NAME;
      }

      @Override
      public Encoder encoder(List<IndexRange> segments) {
        return codec.encoder(segments);
      }

      @Override
      public void decode(byte[] payload, float[] change, int length) {
        codec.decode(payload, change, length);
      }
    }
  }
}
