package dev.millrace.dl4j.spark;

import dev.millrace.dl4j.options.NoMeaning;

/** DL4J's routers of statistics. */
final class StatsRouters {

  private StatsRouters() {}

  /** Says that a router gets nothing; null is no router. */
  static void say(Object routerOrNull) {
    if (routerOrNull != null) {
      NoMeaning.say(
          "A StatsStorageRouter",
          "The job's measures are Flink's metrics, and records in a file if that is wanted.");
    }
  }
}
