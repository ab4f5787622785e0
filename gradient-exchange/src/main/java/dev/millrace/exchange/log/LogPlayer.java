package dev.millrace.exchange.log;

import dev.millrace.exchange.log.LoggedDeeds.Contributing;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Has somebody do again what a {@link ReplicaLog} has written down. */
public final class LogPlayer {

  /** Does nothing, where all was done before. */
  private static final LoggedDeeds NOTHING = new LoggedDeeds() {};

  private final int blocks;
  private final LoggedDeeds deeds;
  private String topic = "";

  /**
   * @param blocks of the model
   * @param deeds does it
   */
  public LogPlayer(int blocks, LoggedDeeds deeds) {
    this.blocks = blocks;
    this.deeds = deeds;
  }

  /**
   * Does all of it, in order.
   *
   * @throws UnusableLogException if the text is no log, or has parts left out
   */
  public void play(String log) {
    play("", log);
  }

  /**
   * Does what is behind the beginning of a log, which was done before.
   *
   * @throws UnusableLogException if the text is no log, begins otherwise, or has parts left out
   */
  public void play(String beginning, String log) {
    topic = "";
    List<String> words = words(log);
    List<String> done = words(beginning);
    if (done.size() > words.size() || !done.equals(words.subList(0, done.size()))) {
      throw new UnusableLogException(
          "'%s' should go on from '%s'; the state that it goes on from isn't the one that the log tells of"
              .formatted(log, beginning));
    }
    for (int at = 0; at < words.size(); at++) {
      String word = words.get(at);
      LoggedDeeds doer = at < done.size() ? NOTHING : deeds;
      if (word.startsWith("(")) {
        int end = end(words, at, log);
        doer.before(number(word), String.join(" ", words.subList(at + 1, end)));
        topic = "";
        at = end;
      } else {
        play(word, log, doer);
      }
    }
  }

  private static List<String> words(String log) {
    return Stream.of(log.split(" ", -1)).filter(word -> !word.isEmpty()).toList();
  }

  /** Returns where what a word begins has its end. */
  private static int end(List<String> words, int begin, String log) {
    int depth = 0;
    for (int at = begin; at < words.size(); at++) {
      depth += words.get(at).startsWith("(") ? 1 : words.get(at).equals(")") ? -1 : 0;
      if (depth == 0) {
        return at;
      }
    }
    throw new UnusableLogException("'%s' has no end in '%s'".formatted(words.get(begin), log));
  }

  private static int number(String word) {
    return Integer.parseInt(word.substring(1));
  }

  private void play(String word, String log, LoggedDeeds doer) {
    try {
      act(word.charAt(0), word.substring(1), word, doer);
    } catch (IllegalArgumentException e) {
      throw new UnusableLogException(
          "'%s' is no word of a training log: %s. It is in '%s'"
              .formatted(word, e.getMessage(), log),
          e);
    }
  }

  private void act(char kind, String rest, String word, LoggedDeeds doer) {
    switch (kind) {
      case '@' -> topic = decode(rest);
      case 'x' -> doer.reject(RecordRun.parse(topic, rest));
      case 's' -> doer.skip(RecordRun.parse(topic, rest));
      case 'o' -> doer.holdOut(RecordRun.parse(topic, rest));
      case 'h' -> doer.acceptHead(Long.parseLong(rest));
      case 'b' -> acceptBlocks(rest, doer);
      case 'e' -> doer.endDelay();
      case 'i' -> doer.inputEnded();
      case 'q' -> doer.check();
      case 'd' -> doer.contribute(Contributing.DUE);
      case 'a' -> doer.contribute(Contributing.ALL);
      case 'l' -> doer.contribute(Contributing.LAST);
      case 'k' -> deal(rest, doer);
      case 'r' -> doer.restored(numbers(rest));
      case '!' ->
          throw new UnusableLogException(
              ("What a replica did here was too much to be written down: %s. So nothing after it can be"
                      + " made again from what is before it. Begin at a savepoint behind it that the job"
                      + " was restarted from, by --from; if there is none yet, restart the job from one")
                  .formatted(ReplicaLog.CAUSES));
      default -> learn(word, doer);
    }
  }

  private void acceptBlocks(String text, LoggedDeeds doer) {
    int slash = text.indexOf('/');
    String round = slash < 0 ? text : text.substring(0, slash);
    doer.acceptBlocks(
        Long.parseLong(round),
        ToldBlocks.parse(slash < 0 ? null : text.substring(slash + 1), blocks));
  }

  private static void deal(String text, LoggedDeeds doer) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      throw new IllegalArgumentException("It names no parts");
    }
    List<PartRun> parts = new ArrayList<>();
    for (String part : text.substring(slash + 1).split(",", -1)) {
      parts.add(PartRun.parse(part));
    }
    doer.deal(decode(text.substring(0, slash)), parts);
  }

  private void learn(String word, LoggedDeeds doer) {
    int star = word.indexOf('*');
    List<RecordRun> runs = new ArrayList<>();
    for (String part : (star < 0 ? word : word.substring(0, star)).split(",", -1)) {
      int slash = part.indexOf('/');
      if (part.startsWith("@") && slash > 0) {
        topic = decode(part.substring(1, slash));
        runs.add(RecordRun.parse(topic, part.substring(slash + 1)));
      } else {
        runs.add(RecordRun.parse(topic, part));
      }
    }
    int times = star < 0 ? 1 : Integer.parseInt(word.substring(star + 1));
    for (int time = 0; time < times; time++) {
      doer.learn(runs);
      runs = List.of(runs.get(0).next());
    }
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  private static List<Integer> numbers(String text) {
    List<Integer> numbers = new ArrayList<>();
    for (String number : text.split(",", -1)) {
      if (!text.isEmpty()) {
        numbers.add(Integer.parseInt(number));
      }
    }
    return numbers;
  }
}
