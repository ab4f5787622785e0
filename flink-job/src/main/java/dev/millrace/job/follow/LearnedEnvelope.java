package dev.millrace.job.follow;

import dev.millrace.fields.Envelope;
import java.util.Map;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;

/** The envelope that a model's records had, as the options say that are kept with it. */
final class LearnedEnvelope {

  private static final ConfigOption<Envelope> OPTION =
      ConfigOptions.key("input.envelope").enumType(Envelope.class).defaultValue(Envelope.NONE);

  private LearnedEnvelope() {}

  /** Returns the one in a job's options. */
  static Envelope in(Map<String, String> options) {
    return Configuration.fromMap(options).get(OPTION);
  }
}
