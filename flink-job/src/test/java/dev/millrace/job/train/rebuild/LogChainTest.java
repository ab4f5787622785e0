package dev.millrace.job.train.rebuild;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.log.LogEntry;
import dev.millrace.exchange.log.LogEntry.Away;
import dev.millrace.exchange.log.LogEntry.Forgotten;
import dev.millrace.exchange.log.LogEntry.Round;
import dev.millrace.exchange.log.LogEntry.Start;
import dev.millrace.exchange.log.UnusableLogException;
import dev.millrace.model.ModelVersion;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogChainTest {

  private final LogEntries log = new LogEntries();

  private void start(String version, String fromOrNull) {
    start(version, fromOrNull, 2, 2);
  }

  private void start(String version, String fromOrNull, int replicas, int readers) {
    ModelVersion from = fromOrNull == null ? null : version(fromOrNull);
    log.add(new Start(version(version), from, replicas, readers));
  }

  private void rounds(long generation, int from, int to) {
    Away nobody = new Away(new BitSet(), new BitSet(), new BitSet());
    for (int round = from; round <= to; round++) {
      log.add(new Round(new ModelVersion(generation, round), List.of(), List.of(), nobody, false));
    }
  }

  private void forgotten(String version, String from) {
    log.add(new Forgotten(version(version), version(from), List.of()));
  }

  private static ModelVersion version(String text) {
    return ModelVersion.parse(text);
  }

  private List<String> versions(LogChain chain) {
    return chain.entries().stream().map(LogEntry::version).map(ModelVersion::toString).toList();
  }

  private List<String> to(String version) {
    return versions(LogChain.to(version(version), log));
  }

  @Test
  void whatFailedAttemptsDidIsNoneOfIt() {
    start("0.0", null);
    rounds(0, 1, 4);
    start("1.2", "0.2");
    rounds(1, 3, 4);

    assertThat(to("1.4")).containsExactly("0.0", "0.1", "0.2", "1.2", "1.3", "1.4");
    assertThat(to("0.3")).containsExactly("0.0", "0.1", "0.2", "0.3");
  }

  @Test
  void aVersionThatTheLogDoesntHaveIsToldSo() {
    start("0.0", null);

    assertThatThrownBy(() -> to("0.1"))
        .isInstanceOf(UnusableLogException.class)
        .hasMessageContaining("no version 0.1");
  }

  @Test
  void aLogThatWasBegunLaterIsFollowedFromAStateAlone() {
    start("3.7", "2.7");
    rounds(3, 8, 9);

    LogChain chain = LogChain.to(version("3.9"), log);

    assertThatThrownBy(chain::whole)
        .isInstanceOf(UnusableLogException.class)
        .hasMessageContaining("no version 2.7, which version 3.7 goes on from")
        .hasMessageContaining("--from");
    assertThat(versions(chain.behind(version("2.7")))).containsExactly("3.7", "3.8", "3.9");
    assertThat(versions(chain.behind(version("3.8")))).containsExactly("3.9");
    assertThat(chain.behind(version("3.8")).start().version()).isEqualTo(version("3.7"));
  }

  /** Nobody knows of the generation that was named when records were forgotten. */
  @Test
  void aJobMayGoOnFromTheStateThatKnowsWhatWasForgotten() {
    start("2.5", null);
    forgotten("3.5", "2.5");
    start("3.5", "2.5");
    rounds(3, 6, 7);
    start("4.7", "3.7");

    assertThat(LogChain.to(version("4.7"), log).all())
        .hasSize(5)
        .noneMatch(Forgotten.class::isInstance);
    assertThatThrownBy(() -> to("3.5"))
        .isInstanceOf(UnusableLogException.class)
        .hasMessageContaining("two versions 3.5");
  }

  @Test
  void aJobGoesOnFromTheStateThatDoesntKnowIt() {
    start("2.5", null);
    forgotten("3.5", "2.5");
    start("4.5", "3.5");
    rounds(4, 6, 6);

    assertThat(to("4.6")).containsExactly("2.5", "3.5", "4.5", "4.6");
  }

  /** Where each replica has something to read, more partitions are all the same. */
  @Test
  void readersAreThoseOfAllTheWay() {
    start("0.0", null, 2, 2);
    start("1.0", "0.0", 2, 4);
    assertThat(readers("1.0")).isEqualTo(4);

    start("2.0", "1.0", 8, 4);
    assertThat(readers("2.0")).isEqualTo(4);

    start("3.0", "2.0", 8, 6);
    assertThatThrownBy(() -> readers("3.0"))
        .isInstanceOf(UnusableLogException.class)
        .hasMessageContaining("From version 3.0 on 6 of 8 replicas")
        .hasMessageContaining("and 4 at another time");
    assertThat(LogChain.to(version("3.0"), log).behind(version("2.0")).readers()).isEqualTo(6);
  }

  private int readers(String version) {
    return LogChain.to(version(version), log).readers();
  }
}
