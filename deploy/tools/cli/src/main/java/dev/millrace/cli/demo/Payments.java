package dev.millrace.cli.demo;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Made card payments, of which one in five is fraud: large, at night and far from home. From the
 * middle on fraud is small, by day and close to home.
 */
final class Payments {

  private static final List<String> SHOPS = List.of("food", "fuel", "wear", "book", "toys");
  private static final double FRAUD = 0.2;

  private final Random random = new Random(7);

  private Payments() {}

  /** Writes a table of payments, always the same. */
  static void write(Path table, long count) throws IOException {
    Payments payments = new Payments();
    try (BufferedWriter to = Files.newBufferedWriter(table)) {
      to.write("payment,amount,hour,distance,shop,class\n");
      for (long i = 0; i < count; i++) {
        to.write(payments.next(i, i < count / 2));
      }
    }
  }

  private String next(long number, boolean early) {
    boolean fraud = random.nextDouble() < FRAUD;
    double sign = fraud ? early ? 1 : -1 : 0;
    double hour =
        fraud && early ? (20 + 10 * random.nextDouble()) % 24 : 7 + 16 * random.nextDouble();
    return String.format(
        Locale.ROOT,
        "p-%d,%.2f,%.1f,%.1f,%s,%s\n",
        number,
        Math.exp(3.2 + 0.6 * random.nextGaussian() + 1.2 * sign),
        hour,
        Math.exp(1 + 1.2 * random.nextGaussian() + 1.5 * sign),
        SHOPS.get(random.nextInt(SHOPS.size())),
        fraud ? "fraud" : "legit");
  }
}
