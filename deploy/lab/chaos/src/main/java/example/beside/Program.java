package example.beside;

/**
 * A user's program, for {@code flink run}: it trains on a topic of digits. Arguments: the {@link
 * Way}, the brokers' addresses, the topic, and a directory for models.
 */
public final class Program {

  private Program() {}

  public static void main(String[] args) throws Exception {
    Way way = Way.valueOf(args[0]);
    if (way == Way.SQL) {
      SqlTraining.submit(args[1], args[2], args[3]);
    } else {
      StreamTraining.submit(way, args[1], args[2], args[3]);
    }
  }
}
