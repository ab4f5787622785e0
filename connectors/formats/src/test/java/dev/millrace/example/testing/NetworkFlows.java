package dev.millrace.example.testing;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Rows of the shape of KDD Cup 1999's network flows: 41 features, three of them words, and 23
 * classes of uneven size. What a class looks like is drawn once, by its number.
 */
public final class NetworkFlows {

  public static final int FEATURES = 41;

  private static final String[] CLASSES = {
    "normal", "smurf", "neptune", "back", "satan", "ipsweep", "portsweep", "warezclient",
    "teardrop", "pod", "nmap", "guess_passwd", "buffer_overflow", "land", "warezmaster", "imap",
    "rootkit", "loadmodule", "ftp_write", "multihop", "phf", "perl", "spy"
  };

  private static final String[] PROTOCOLS = {"tcp", "udp", "icmp"};
  private static final String[] FLAGS = {
    "SF", "S0", "REJ", "RSTR", "RSTO", "SH", "S1", "S2", "RSTOS0", "S3", "OTH"
  };
  private static final int SERVICES = 66;
  private static final int COUNTS = 18;
  private static final int RATES = 17;

  private final Random random;

  public NetworkFlows(long seed) {
    this.random = new Random(seed);
  }

  public static List<String> classes() {
    return List.of(CLASSES);
  }

  /** Names of the columns, the label's last. */
  public static List<String> columns() {
    List<String> columns =
        new ArrayList<>(
            List.of("duration", "protocol_type", "service", "flag", "src_bytes", "land"));
    for (int i = 0; i < COUNTS; i++) {
      columns.add("count_" + i);
    }
    for (int i = 0; i < RATES; i++) {
      columns.add("rate_" + i);
    }
    columns.add("label");
    return columns;
  }

  /** The cells of a row. */
  public List<String> next() {
    int label = label();
    Random kind = new Random(label);
    List<String> row = new ArrayList<>(FEATURES + 1);
    row.add(Integer.toString(size(kind, 100)));
    row.add(word(PROTOCOLS, kind.nextInt(PROTOCOLS.length)));
    row.add(service(kind.nextInt(SERVICES)));
    row.add(word(FLAGS, kind.nextInt(FLAGS.length)));
    row.add(Integer.toString(size(kind, 5000)));
    row.add(random.nextInt(50) == 0 ? "1" : "0");
    for (int i = 0; i < COUNTS; i++) {
      row.add(Integer.toString(size(kind, 20)));
    }
    for (int i = 0; i < RATES; i++) {
      double mean = kind.nextDouble();
      double rate = Math.min(1, Math.max(0, mean + 0.2 * random.nextGaussian()));
      row.add(String.format(Locale.ROOT, "%.2f", rate));
    }
    row.add(CLASSES[label]);
    return row;
  }

  /** Later classes are rarer. */
  private int label() {
    double place = Math.pow(random.nextDouble(), 2);
    return (int) (place * CLASSES.length);
  }

  private int size(Random kind, int usual) {
    double mean = usual * kind.nextDouble();
    return (int) (mean * -Math.log(1 - random.nextDouble()));
  }

  private String word(String[] words, int usual) {
    return words[random.nextInt(10) > 0 ? usual : random.nextInt(words.length)];
  }

  private String service(int usual) {
    return "service_" + (random.nextInt(10) > 0 ? usual : random.nextInt(SERVICES));
  }

  /**
   * Writes a file of rows.
   *
   * @param header whether its first line names the columns
   */
  public void write(Path file, int rows, boolean header) throws IOException {
    try (BufferedWriter writer = Files.newBufferedWriter(file)) {
      if (header) {
        writer.write(String.join(",", columns()) + "\n");
      }
      for (int i = 0; i < rows; i++) {
        writer.write(String.join(",", next()) + "\n");
      }
    }
  }
}
