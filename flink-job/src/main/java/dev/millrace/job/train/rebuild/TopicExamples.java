package dev.millrace.job.train.rebuild;

import dev.millrace.example.Received;
import dev.millrace.exchange.log.RecordRun;
import dev.millrace.kafka.record.ExampleDeserializer;
import dev.millrace.kafka.topic.RecordsByOffset;
import java.util.function.Consumer;

/** Records of topics, read as the job read them. */
record TopicExamples(RecordsByOffset records, ExampleDeserializer deserializer)
    implements LoggedExamples {

  @Override
  public void read(RecordRun run, Consumer<Received> reader) {
    for (long offset = run.first(); offset < run.end(); offset++) {
      reader.accept(deserializer.read(records.read(run.topic(), run.partition(), offset)));
    }
  }
}
