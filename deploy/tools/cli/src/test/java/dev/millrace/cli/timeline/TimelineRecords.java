package dev.millrace.cli.timeline;

/** Records of timelines, as a job writes them. */
final class TimelineRecords {

  private TimelineRecords() {}

  static String round(long generation, long round, long time, String... members) {
    return "{\"type\":\"timeline\",\"time\":%s,\"generation\":%s,\"round\":%s,\"members\":[%s]}"
        .formatted(time, generation, round, String.join(",", members));
  }

  /** Of three steps. */
  static String member(
      int replica,
      long sequence,
      double fit,
      double encode,
      double wait,
      double exchange,
      double apply,
      double elapsed) {
    return ("{\"replica\":%s,\"sequence\":%s,\"steps\":3,\"fit\":%s,\"encode\":%s,\"wait\":%s,"
            + "\"exchange\":%s,\"apply\":%s,\"elapsed\":%s}")
        .formatted(replica, sequence, fit, encode, wait, exchange, apply, elapsed);
  }
}
