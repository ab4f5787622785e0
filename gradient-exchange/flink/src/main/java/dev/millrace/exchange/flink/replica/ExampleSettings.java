package dev.millrace.exchange.flink.replica;

import dev.millrace.example.LagSettings;
import dev.millrace.exchange.segment.SegmentRule;
import java.io.Serializable;

/**
 * What a replica does with examples beside learning from them.
 *
 * @param lags of which records labels are features
 * @param segments which records are held out of training
 */
public record ExampleSettings(LagSettings lags, SegmentRule segments) implements Serializable {

  /** Every example is learned from as it came. */
  public static final ExampleSettings PLAIN =
      new ExampleSettings(LagSettings.OF_PARTITION, SegmentRule.NONE);
}
