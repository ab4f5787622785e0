package dev.millrace.job.train.part;

import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;

/**
 * A compacted topic that a part writes to.
 *
 * @param option that names it
 * @param content what it holds, for messages: {@code rows}
 * @param one of them: {@code a row}
 * @param partitions of a new topic
 * @param lasting whether readers rely on all of it, also on what an earlier job has written
 * @param orDirectory whether the option may name a directory in its place, by a path or a URI
 */
public record PartTopic(
    ConfigOption<String> option,
    String content,
    String one,
    int partitions,
    boolean lasting,
    boolean orDirectory) {

  /** Whether options name it. */
  public boolean isNamed(Configuration options) {
    return options.contains(option) && !(orDirectory && isDirectory(options.get(option)));
  }

  /** Whether the name is that of a directory: no topic's has a slash. */
  public static boolean isDirectory(String name) {
    return name.contains("/");
  }
}
