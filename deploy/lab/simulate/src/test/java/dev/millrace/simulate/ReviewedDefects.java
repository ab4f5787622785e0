package dev.millrace.simulate;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Defects that readers of the code found once, and that have been mended: each is put back into the
 * source that it was in.
 */
final class ReviewedDefects {

  private static final String CONNECTORS = "connectors/src/main/java/dev/millrace/source/";

  private static final String ROUND =
      "gradient-exchange/src/main/java/dev/millrace/exchange/round/";

  private static final String SNAPSHOT = "model-state/src/main/java/dev/millrace/snapshot/";

  private static final String RELEASES =
      "flink-job/src/main/java/dev/millrace/job/train/publish/SnapshotReleases.java";

  private static final String TOPIC =
      "connectors/src/main/java/dev/millrace/kafka/models/ModelTopicWriter.java";

  private ReviewedDefects() {}

  /** Returns what makes each, by its name in words. */
  static Map<String, List<SourceChange>> all() {
    Map<String, List<SourceChange>> all = new LinkedHashMap<>();
    all.put(
        "stream: its places are a union list",
        List.of(
            new SourceChange(
                CONNECTORS + "StreamPlace.java", ".getListState(", ".getUnionListState(")));
    all.put(
        "stop: what works in mails works on behind the savepoint",
        List.of(
            new SourceChange(
                CONNECTORS + "StoppingOperator.java", "return stopped;", "return false;")));
    all.put(
        "start: the round's clock runs while replicas start",
        List.of(
            new SourceChange(
                ROUND + "RoundMaker.java",
                "coordinator.isOpen()",
                "coordinator.hasAnnouncements()")));
    all.put(
        "rounds: a replica that has ended stays the straggler",
        List.of(new SourceChange(ROUND + "RoundClock.java", "steps.forget(replica);", "")));
    publication(all);
    return all;
  }

  private static void publication(Map<String, List<SourceChange>> all) {
    all.put(
        "publication: what is to be adopted is lost when the store fails once",
        List.of(
            new SourceChange(
                RELEASES,
                "} catch (IOException | RuntimeException e) {",
                "} catch (IOException | RuntimeException e) { toAdopt.clear();")));
    all.put(
        "publication: the topic's slot in use is overwritten after a rollback",
        List.of(
            new SourceChange(TOPIC, "OF_PEOPLE(\"c\", \"d\")", "OF_PEOPLE(\"a\", \"b\")"),
            new SourceChange(TOPIC, "if (records.end() != end) {", "if (false) {")));
    all.put(
        "publication: a rollback amid it is undone",
        List.of(
            new SourceChange(
                SNAPSHOT + "SnapshotWriter.java",
                "} while (!catalog.hold().equals(held));",
                "} while (false);")));
    all.put(
        "publication: two jobs share a generation",
        List.of(
            new SourceChange(
                SNAPSHOT + "WriterClaim.java",
                "if (claimed.contains(generation)) {",
                "if (generation >= 0) {")));
  }
}
