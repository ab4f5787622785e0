package dev.millrace.dl4j.spark;

import dev.millrace.dl4j.options.NoMeaning;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.annotation.PublicEvolving;

/**
 * How a program begins, as Spark's configuration says it. The master {@code local[n]} has n workers
 * in this process. Without a master the program trains where {@code flink run} has started it, or
 * else in this process.
 */
@PublicEvolving
public final class SparkConf {

  /** The key of the directory that program and cluster both reach. */
  public static final String DIRECTORY = "millrace.directory";

  private static final Pattern LOCAL = Pattern.compile("local(?:\\[(\\d+|\\*)(?:,\\d+)?])?");

  private Integer workersOrNull;
  private boolean local;
  private String directoryOrNull;
  private String appName = "";

  /**
   * Sets how many workers there are, in this process.
   *
   * @param master {@code local}, {@code local[n]} or {@code local[*]}
   * @throws UnsupportedOperationException if it is a cluster of Spark
   */
  public SparkConf setMaster(String master) {
    Matcher matcher = LOCAL.matcher(master);
    if (!matcher.matches()) {
      throw new UnsupportedOperationException(
          ("The master %s is a cluster of Spark, and training runs on Flink. For a cluster make the context by"
                  + " JavaSparkContext.of(TrainingContext.remote(host, port, jars).directory(\"s3://…\"), workers), or leave"
                  + " the master out and start the program by flink run; local[n] trains in this process")
              .formatted(master));
    }
    local = true;
    workersOrNull = 1;
    String count = matcher.group(1);
    if (count != null) {
      workersOrNull =
          count.equals("*") ? Runtime.getRuntime().availableProcessors() : Integer.valueOf(count);
    }
    if (workersOrNull == 0) {
      throw new IllegalArgumentException(
          "The master %s has no worker: give 1 or more".formatted(master));
    }
    return this;
  }

  /** Sets the program's name. */
  public SparkConf setAppName(String name) {
    appName = Objects.requireNonNull(name, "name");
    return this;
  }

  /** Sets {@link #DIRECTORY}. Spark's own keys change nothing. */
  public SparkConf set(String key, String value) {
    if (key.equals("spark.master")) {
      return setMaster(value);
    }
    if (key.equals("spark.app.name")) {
      return setAppName(value);
    }
    if (key.equals(DIRECTORY)) {
      directoryOrNull = Objects.requireNonNull(value, "value");
    } else {
      NoMeaning.say(key, "It configures Spark, and training runs on Flink.");
    }
    return this;
  }

  /** Returns the program's name. */
  public String appName() {
    return appName;
  }

  /** Whether it trains in this process for sure. */
  boolean isLocal() {
    return local;
  }

  /** Returns how many workers there are; null where nothing was said. */
  Integer workersOrNull() {
    return workersOrNull;
  }

  /** Returns the directory that program and cluster both reach; null where nothing was said. */
  String directoryOrNull() {
    return directoryOrNull;
  }
}
