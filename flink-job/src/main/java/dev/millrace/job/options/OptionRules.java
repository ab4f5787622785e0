package dev.millrace.job.options;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;

/**
 * What options must say together, and which of it they don't. Every value is already known to be
 * right on its own, and presets and the cluster's configuration have been added.
 */
public final class OptionRules {

  private final Configuration options;
  private final List<String> problems = new ArrayList<>();

  public OptionRules(Configuration options) {
    this.options = options;
  }

  public Configuration options() {
    return options;
  }

  /** The rules that are broken, a sentence each. */
  public List<String> problems() {
    return problems;
  }

  public void broken(String problem) {
    problems.add(problem);
  }

  public boolean has(ConfigOption<?> option) {
    return options.contains(option);
  }

  /** An option of {@code group} that has to be there. */
  public void require(OptionGroup group, ConfigOption<?> option) {
    require(group, option, "");
  }

  /**
   * An option of {@code group} that has to be there.
   *
   * @param meaning behind its range: what it is
   */
  void require(OptionGroup group, ConfigOption<?> option, String meaning) {
    if (!has(option)) {
      broken(
          "%s is missing; it must be %s%s"
              .formatted(option.key(), group.range(option).text(), meaning));
    }
  }

  /**
   * An option that the format can't do without.
   *
   * @param format says which it is
   */
  public void requireFor(ConfigOption<String> format, ConfigOption<?> option) {
    if (!has(option)) {
      broken(
          "%s is '%s', and %s is missing; give both"
              .formatted(format.key(), options.get(format), option.key()));
    }
  }

  /**
   * The consumer group has to be there.
   *
   * @param why the option that needs it, and its value
   */
  public void requireConsumerGroup(String why) {
    if (!has(KafkaOptions.GROUP_ID)) {
      broken(
          "%s, and kafka.group.id is missing; give the job a consumer group of its own"
              .formatted(why));
    }
  }

  /**
   * One of some options, and no more.
   *
   * @param example of one that is often given, with its value
   */
  public void requireExactlyOne(String example, ConfigOption<?>... choices) {
    List<String> given = Stream.of(choices).filter(this::has).map(ConfigOption::key).toList();
    String all = Stream.of(choices).map(ConfigOption::key).collect(Collectors.joining(", "));
    if (given.isEmpty()) {
      broken("None of %s is set; give exactly one, such as %s".formatted(all, example));
    } else if (given.size() > 1) {
      broken(String.join(" and ", given) + " are both set; give exactly one of " + all);
    }
  }

  /** Requires, where the option is given, that the file is there. */
  public void requireFile(ConfigOption<String> option) {
    String file = options.getOptional(option).orElse(null);
    if (file != null && !Files.isReadable(Path.of(file))) {
      broken("%s is '%s'; there is no such readable file".formatted(option.key(), file));
    }
  }
}
