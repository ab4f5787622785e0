package dev.millrace.exchange.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.Minibatch;
import dev.millrace.model.Partition;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplicaLogTest {

  private static final int BLOCKS = 4;
  private static final ExampleShape SHAPE = new ExampleShape(1, 1, Target.REGRESSION);
  private static final Partition FIRST = new Partition("clicks", 0);
  private static final Partition SECOND = new Partition("clicks", 1);
  private static final Partition OTHER = new Partition("odd topic, 2/3", 7);

  private final ReplicaLog log = new ReplicaLog(true, BLOCKS);

  @Test
  void aRoundOfOnePartitionIsShort() {
    tellAll(6, false);
    log.accept(6, false);
    learn(FIRST, 192, 32);
    learn(FIRST, 224, 32);
    log.contribute();

    assertThat(log.text()).isEqualTo("b6 h6 @clicks 0:192+32*2 d");
  }

  @Test
  void minibatchesKeepTheirBoundariesAndTheOrderOfTheirRecords() {
    learn(FIRST, 0, 8);
    learn(FIRST, 8, 7);
    learn(FIRST, 16, 8);
    Minibatch mixed = new Minibatch(SHAPE, 5);
    add(mixed, SECOND, 3);
    add(mixed, SECOND, 4);
    add(mixed, OTHER, 9);
    add(mixed, SECOND, 2);
    log.learn(mixed);

    assertThat(played())
        .containsExactly(
            "learn clicks-0:0+8",
            "learn clicks-0:8+7",
            "learn clicks-0:16+8",
            "learn clicks-1:3+2 odd topic, 2/3-7:9+1 clicks-1:2+1");
  }

  @Test
  void allThatHappensIsPlayedInItsOrder() {
    log.reject(FIRST, 0);
    log.reject(FIRST, 1);
    log.skip(FIRST, 2);
    log.holdOut(FIRST, 3);
    log.accept(2, 5, false);
    log.accept(0, 5, false);
    log.accept(6, false);
    log.accept(1, 5, false);
    learn(FIRST, 4, 2);
    log.check();
    log.endDelay();
    log.contributeAll();
    log.absorb(1, "(1 b3 ) r1 d");
    log.absorb(0, "");
    log.deal("replay", List.of(new PartRun(1, 0, 64), new PartRun(0, 12, 1)));
    log.restored(List.of(1, 0));
    log.inputEnded();
    log.contributeLast();

    assertThat(played())
        .containsExactly(
            "reject clicks-0:0+2",
            "skip clicks-0:2+1",
            "holdOut clicks-0:3+1",
            "blocks 5 {0, 2}",
            "head 6",
            "blocks 5 {1}",
            "learn clicks-0:4+2",
            "check",
            "endDelay",
            "contribute ALL",
            "before 1: (1 b3 ) r1 d",
            "before 0: ",
            "deal replay [1:0+64, 0:12+1]",
            "restored [1, 0]",
            "inputEnded",
            "contribute LAST");
  }

  @Test
  void aReplicaThatIsIdleForLongTellsTheNewestAlone() {
    for (long round = 1; round <= 1_000; round++) {
      log.accept(round, true);
      tellAll(round, true);
    }
    log.accept(0, 1_001, true);

    assertThat(log.text()).isEqualTo("h1000 b1000/1-3 b1001/0");
  }

  @Test
  void whatWasToldWhileOlderOnesCountedIsKept() {
    log.accept(0, 1, false);
    log.accept(0, 2, true);
    log.accept(0, 3, true);

    assertThat(log.text()).isEqualTo("b1/0 b2/0 b3/0");
  }

  /** Whoever begins from a checkpoint has done what stands before it. */
  @Test
  void whatACheckpointHasStandsInFront() {
    learn(FIRST, 0, 8);
    String saved = log.text();
    learn(FIRST, 8, 8);

    assertThat(log.text()).isEqualTo(saved + " 0:8+8");
    ReplicaLog restored = new ReplicaLog(true, BLOCKS);
    restored.absorb(0, saved);
    restored.restored(List.of(0));
    assertThat(restored.text()).isEqualTo("(0 " + saved + " ) r0");
  }

  /** The topic of what follows may be named in what was done before. */
  @Test
  void whatIsBehindACheckpointIsPlayedByItself() {
    learn(FIRST, 0, 8);
    log.absorb(3, "@other 1:7+1 d");
    log.restored(List.of(3));
    learn(FIRST, 8, 8);
    String saved = log.text();
    learn(FIRST, 16, 8);
    log.contribute();
    Telling telling = new Telling();
    LogPlayer player = new LogPlayer(BLOCKS, telling);

    player.play(saved, log.text());

    assertThat(telling.told).containsExactly("learn clicks-0:16+8", "contribute DUE");
    assertThatThrownBy(() -> player.play(saved + " q", log.text()))
        .isInstanceOf(UnusableLogException.class)
        .hasMessageContaining("isn't the one that the log tells of");
  }

  @Test
  void whatIsDoneAgainIsToldAsItWasTold() {
    learn(FIRST, 0, 8);
    log.retell("0:0+9 q");
    log.contribute();

    assertThat(log.text()).isEqualTo("0:0+9 q d");
  }

  @Test
  void aLogThatWouldBeTooLongSaysSo() {
    for (long round = 1; round <= 200_000; round++) {
      log.accept(round, false);
      log.check();
    }

    assertThat(log.text()).startsWith("! ").hasSizeLessThan(200_000);
    assertThatThrownBy(this::played)
        .isInstanceOf(UnusableLogException.class)
        .hasMessageContaining("too much to be written down: a replica was idle for long")
        .hasMessageContaining("offsets of its records have gaps")
        .hasMessageContaining("Begin at a savepoint behind it that the job was restarted from");
  }

  @Test
  void nothingIsWrittenWhereNobodyAsks() {
    ReplicaLog silent = new ReplicaLog(false, BLOCKS);
    silent.accept(1, false);
    silent.check();
    silent.absorb(0, "d");

    assertThat(silent.text()).isEmpty();
  }

  @Test
  void whatIsNoLogIsRefusedWithItsWord() {
    LogPlayer player = new LogPlayer(BLOCKS, new Telling());

    assertThatThrownBy(() -> player.play("b1 0:1*2 d"))
        .isInstanceOf(UnusableLogException.class)
        .hasMessage(
            "'0:1*2' is no word of a training log: '0:1' is no run of records, such as 0:1200+32."
                + " It is in 'b1 0:1*2 d'");
    assertThatThrownBy(() -> player.play("b1/2-9"))
        .isInstanceOf(UnusableLogException.class)
        .hasMessageContaining("'2-9' are no blocks of a model that has 4");
  }

  private void tellAll(long round, boolean newestAlone) {
    for (int block = 0; block < BLOCKS; block++) {
      log.accept(block, round, newestAlone);
    }
  }

  private void learn(Partition partition, long first, int count) {
    Minibatch minibatch = new Minibatch(SHAPE, count);
    for (long offset = first; offset < first + count; offset++) {
      add(minibatch, partition, offset);
    }
    log.learn(minibatch);
  }

  private static void add(Minibatch minibatch, Partition partition, long offset) {
    minibatch.add(new float[] {1}, new float[] {1}, 1, partition, offset);
  }

  private List<String> played() {
    Telling telling = new Telling();
    new LogPlayer(BLOCKS, telling).play(log.text());
    return telling.told;
  }

  private static final class Telling implements LoggedDeeds {

    private final List<String> told = new ArrayList<>();

    private static String text(RecordRun run) {
      return "%s-%s:%s+%s".formatted(run.topic(), run.partition(), run.first(), run.count());
    }

    @Override
    public void learn(List<RecordRun> records) {
      told.add("learn " + String.join(" ", records.stream().map(Telling::text).toList()));
    }

    @Override
    public void reject(RecordRun records) {
      told.add("reject " + text(records));
    }

    @Override
    public void skip(RecordRun records) {
      told.add("skip " + text(records));
    }

    @Override
    public void holdOut(RecordRun records) {
      told.add("holdOut " + text(records));
    }

    @Override
    public void acceptHead(long round) {
      told.add("head " + round);
    }

    @Override
    public void acceptBlocks(long round, BitSet blocks) {
      told.add("blocks " + round + " " + blocks);
    }

    @Override
    public void endDelay() {
      told.add("endDelay");
    }

    @Override
    public void inputEnded() {
      told.add("inputEnded");
    }

    @Override
    public void check() {
      told.add("check");
    }

    @Override
    public void contribute(Contributing how) {
      told.add("contribute " + how);
    }

    @Override
    public void before(int replica, String log) {
      told.add("before " + replica + ": " + log);
    }

    @Override
    public void deal(String hook, List<PartRun> parts) {
      told.add("deal " + hook + " " + parts.stream().map(PartRun::text).toList());
    }

    @Override
    public void restored(List<Integer> replicas) {
      told.add("restored " + replicas);
    }
  }
}
