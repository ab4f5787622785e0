package dev.millrace.job.testing;

import dev.millrace.example.Example;
import dev.millrace.example.Received;
import dev.millrace.example.RejectedRecord;
import dev.millrace.kafka.ReceivedTypeInfo;
import dev.millrace.model.Partition;
import dev.millrace.model.testing.SummingEngine;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.connector.datagen.source.GeneratorFunction;

/**
 * A bounded source without a broker: record n of one partition is an example of value 1 to 10, or,
 * every 13th, a rejected record.
 */
public final class NumberedExamples implements GeneratorFunction<Long, Received> {

  public static final Partition PARTITION = new Partition("numbers", 0);

  public static DataGeneratorSource<Received> source(long count) {
    return new DataGeneratorSource<>(new NumberedExamples(), count, new ReceivedTypeInfo());
  }

  @Override
  public Received map(Long number) {
    if (isRejected(number)) {
      return new RejectedRecord(PARTITION, number, 0, null, new byte[0], "every 13th");
    }
    Example example = new Example(SummingEngine.spec(1).shape());
    example.features()[0] = value(number);
    example.setOrigin(PARTITION, number);
    return example;
  }

  public static boolean isRejected(long number) {
    return number % 13 == 5;
  }

  public static float value(long number) {
    return 1 + number * 7 % 10;
  }
}
