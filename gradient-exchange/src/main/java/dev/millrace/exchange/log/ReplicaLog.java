package dev.millrace.exchange.log;

import dev.millrace.model.Minibatch;
import dev.millrace.model.Partition;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Writes down what a replica does and is told since its last contribution, in order. Whoever has a
 * replica do all of it again, see {@link LogPlayer}, gets the same contribution.
 *
 * <p>The text is short words: runs of records, and numbers of rounds. {@code
 * docs/internals/rebuild.md} explains them. Nothing is allocated per example. Not thread-safe.
 */
public final class ReplicaLog {

  /** Stands for all that came before in a text that has become too long. */
  static final String TOO_LONG = "!";

  /** Says how a text becomes too long. */
  static final String CAUSES =
      "a replica was idle for long while its codec kept something of its own, or the offsets of its"
          + " records have gaps, as in a topic of transactions with a record each, or the round had"
          + " very many replicas";

  /**
   * The most characters: a replica that is idle for long while codecs keep something of its own
   * tells each round, and one that learns records between which offsets are missing tells each
   * record.
   */
  private static final int MOST = 100_000;

  private final boolean kept;
  private final StringBuilder text = new StringBuilder();
  private final TellingLog told;
  private String topic = "";

  /**
   * Records that the next ones may go on from, each minibatch or kind of its own; null for none.
   */
  private Partition open;

  private char kind;
  private long first;
  private int count;
  private int times;

  /**
   * @param kept whether anything is written down
   * @param blocks of the model
   */
  public ReplicaLog(boolean kept, int blocks) {
    this.kept = kept;
    this.told = new TellingLog(blocks);
  }

  /** Whether something is missing in a text. No name in it has the sign: those are encoded. */
  static boolean isTooLong(String log) {
    return log.contains(TOO_LONG);
  }

  /** The replica is about to learn these, of which it may find some that it can't use. */
  public void learn(Minibatch minibatch) {
    int rows = minibatch.fresh();
    if (!kept || rows == 0) {
      return;
    }
    int run = run(minibatch, 0);
    if (run == rows) {
      minibatchOfOneRun(minibatch.partition(0), minibatch.offset(0), rows);
      return;
    }
    end();
    for (int from = 0; from < rows; from += run) {
      run = run(minibatch, from);
      if (from > 0) {
        text.append(',');
      }
      of(minibatch.partition(from), from > 0);
      RecordRun.write(text, minibatch.partition(from).number(), minibatch.offset(from), run);
    }
    text.append(' ');
  }

  /** Returns how many rows from this one on are records that follow each other. */
  private static int run(Minibatch minibatch, int from) {
    Partition partition = minibatch.partition(from);
    int to = from + 1;
    while (to < minibatch.fresh()
        && minibatch.offset(to) == minibatch.offset(to - 1) + 1
        && minibatch.partition(to).equals(partition)) {
      to++;
    }
    return to - from;
  }

  private void minibatchOfOneRun(Partition partition, long offset, int rows) {
    if (told.isEmpty()
        && continues('m', partition, offset, (long) count * times)
        && rows == count) {
      times++;
      return;
    }
    open('m', partition, offset);
    count = rows;
  }

  private boolean continues(char next, Partition partition, long offset, long length) {
    return open != null && kind == next && offset == first + length && partition.equals(open);
  }

  private void open(char next, Partition partition, long offset) {
    end();
    open = partition;
    kind = next;
    first = offset;
    count = 1;
    times = 1;
  }

  /** A record was rejected before it was learned. */
  public void reject(Partition partition, long offset) {
    single('x', partition, offset);
  }

  /** A record said nothing to learn from. */
  public void skip(Partition partition, long offset) {
    single('s', partition, offset);
  }

  /** A record was held out of training. */
  public void holdOut(Partition partition, long offset) {
    single('o', partition, offset);
  }

  private void single(char next, Partition partition, long offset) {
    if (!kept) {
      return;
    }
    if (told.isEmpty() && continues(next, partition, offset, count)) {
      count++;
    } else {
      open(next, partition, offset);
    }
  }

  /**
   * The replica was told a block of the global model.
   *
   * @param newestAlone whether what it was told before changes nothing any more
   */
  public void accept(int block, long round, boolean newestAlone) {
    if (kept) {
      told.block(block, round, newestAlone);
    }
  }

  /** The replica was told the head of a round, see {@link #accept(int, long, boolean)}. */
  public void accept(long round, boolean newestAlone) {
    if (kept) {
      told.head(round, newestAlone);
    }
  }

  /** Keeps what the replica was told so far, whatever comes after it. */
  public void settle() {
    if (kept) {
      end();
    }
  }

  /** A delay ends before its time. */
  public void endDelay() {
    word("e");
  }

  /** The input has ended. */
  public void inputEnded() {
    word("i");
  }

  /** A checkpoint has what was learned looked at. */
  public void check() {
    word("q");
  }

  /**
   * A contribution of the blocks whose turn it is, or a refusal, is made of all that came before.
   */
  public void contribute() {
    word("d");
  }

  /** A contribution of all blocks, or a refusal, is made of all that came before. */
  public void contributeAll() {
    word("a");
  }

  /** The last contribution, or a refusal, is made of all that came before. */
  public void contributeLast() {
    word("l");
  }

  /**
   * Takes over what a replica had done before a restore that this one goes on from, or gets parts
   * of; {@link #restored} follows.
   *
   * @param before its log
   */
  public void absorb(int replica, String before) {
    word("(" + replica);
    if (kept && !before.isEmpty()) {
      text.append(before).append(' ');
    }
    word(")");
    topic = "";
  }

  /**
   * The replica gets parts back of what a hook kept; {@link #restored} follows.
   *
   * @param parts in their order
   */
  public void deal(String hook, List<PartRun> parts) {
    word(
        parts.stream()
            .map(PartRun::text)
            .collect(Collectors.joining(",", "k" + encode(hook) + "/", "")));
  }

  /**
   * The replica is another one from here on, which goes on from what these had saved.
   *
   * @param replicas its own number first, if it is among them; empty if it has yet to begin
   */
  public void restored(List<Integer> replicas) {
    StringBuilder word = new StringBuilder("r");
    for (int replica : replicas) {
      word.append(word.length() > 1 ? "," : "").append(replica);
    }
    word(word.toString());
  }

  private void word(String word) {
    if (kept) {
      end();
      text.append(word).append(' ');
    }
  }

  /** Ends what the next word might have gone on from. */
  private void end() {
    if (open != null) {
      of(open, false);
      if (kind != 'm') {
        text.append(kind);
      }
      RecordRun.write(text, open.number(), first, count);
      if (times > 1) {
        text.append('*').append(times);
      }
      text.append(' ');
      open = null;
    }
    told.write(text);
    if (text.length() > MOST) {
      clear();
      text.append(TOO_LONG).append(' ');
    }
  }

  /** Names the topic of the records that follow, where it is another one. */
  private void of(Partition partition, boolean inMinibatch) {
    if (!partition.topic().equals(topic)) {
      topic = partition.topic();
      text.append('@').append(encode(topic)).append(inMinibatch ? '/' : ' ');
    }
  }

  private static String encode(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8);
  }

  /**
   * Returns all of it, for a contribution or a checkpoint. What follows isn't put together with
   * what is in it.
   */
  public String text() {
    end();
    return text.toString().stripTrailing();
  }

  /** Tells this in place of what it would tell. */
  public void retell(String other) {
    end();
    clear();
    if (kept && !other.isEmpty()) {
      text.append(other).append(' ');
    }
  }

  /** All of it has been told. */
  public void clear() {
    text.setLength(0);
    topic = "";
  }
}
