package dev.millrace.simulate;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Defects that readers of the code found once, and that have been mended: each is put back into the
 * source that it was in.
 */
final class ReviewedDefects {

  private static final Path ROOT = Path.of("../../..");
  private static final String CONNECTORS = "connectors/src/main/java/dev/millrace/source/";

  private static final String ROUND =
      "gradient-exchange/src/main/java/dev/millrace/exchange/round/";

  private ReviewedDefects() {}

  /**
   * Puts another text into a source.
   *
   * @param now a text that it has
   * @param then what it had in that text's place
   */
  record Change(String file, String now, String then) {

    /** Writes the changed source. */
    Path write(Path folder) {
      try {
        Path source = ROOT.resolve(file);
        String text = Files.readString(source);
        if (!text.contains(now)) {
          throw new IllegalStateException(file + " hasn't \"" + now + "\": plant it another way");
        }
        Path changed = folder.resolve(source.getFileName());
        return Files.writeString(changed, text.replace(now, then));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Returns what makes each, by its name in words. */
  static Map<String, List<Change>> all() {
    Map<String, List<Change>> all = new LinkedHashMap<>();
    all.put(
        "stream: its places are a union list",
        List.of(
            new Change(CONNECTORS + "StreamPlace.java", ".getListState(", ".getUnionListState(")));
    all.put(
        "stop: what works in mails works on behind the savepoint",
        List.of(
            new Change(CONNECTORS + "StoppingOperator.java", "return stopped;", "return false;")));
    all.put(
        "start: the round's clock runs while replicas start",
        List.of(
            new Change(
                ROUND + "RoundMaker.java",
                "coordinator.isOpen()",
                "coordinator.hasAnnouncements()")));
    return all;
  }
}
