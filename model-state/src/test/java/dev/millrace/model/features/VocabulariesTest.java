package dev.millrace.model.features;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.Bytes;
import dev.millrace.model.shape.WordColumn;
import dev.millrace.model.testing.Seeds;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class VocabulariesTest {

  private static final String PAIR = "\uD83D\uDE00";

  @Test
  void theMostFrequentWordsGetPlacesInTheirOrder() {
    Vocabularies vocabularies = of(3);
    learn(vocabularies, "b", "a", "c", "c", "b", "a", "c", "d", "d");

    assertThat(vocabularies.of(0).words()).containsExactly("c", "a", "b");
    assertThat(vocabularies.of(0).number("c")).isEqualTo(2);
    assertThat(vocabularies.of(0).number("b")).isEqualTo(4);
    assertThat(vocabularies.of(0).number("d")).isEqualTo(WordColumn.OTHER);
    assertThat(vocabularies.of(0).number(null)).isEqualTo(WordColumn.MISSING);
  }

  @Test
  void aWordKeepsItsNumberHoweverFrequentOthersBecome() {
    Vocabularies vocabularies = of(2);
    learn(vocabularies, "a", "a");
    learn(vocabularies, "b", "b", "b", "c", "c", "c", "c");
    learn(vocabularies, "b", "b", "b");

    assertThat(vocabularies.of(0).words()).containsExactly("a", "c");
  }

  @Test
  void aWordThatWasSeenOnceWaits() {
    Vocabularies vocabularies = of(5);
    learn(vocabularies, "a", "b", "b");
    assertThat(vocabularies.of(0).words()).containsExactly("b");

    learn(vocabularies, "a");
    assertThat(vocabularies.of(0).words()).containsExactly("b", "a");
    assertThat(vocabularies.counts().count(0, "a")).isEqualTo(2);
  }

  @Test
  void itDoesntMatterInWhichOrderAndPartsARoundsCountsCome() throws IOException {
    long seed = Seeds.next();
    Random random = new Random(seed);
    for (int run = 0; run < 50; run++) {
      List<String> words = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        words.add("w" + (int) Math.abs(random.nextGaussian() * 40));
      }
      byte[] one = learnedInParts(words, random);
      Collections.shuffle(words, random);

      assertThat(learnedInParts(words, random)).as("seed %d", seed).isEqualTo(one);
    }
  }

  private static byte[] learnedInParts(List<String> words, Random random) throws IOException {
    Vocabularies vocabularies = of(5);
    for (int from = 0; from < words.size(); ) {
      int to = Math.min(words.size(), from + 1 + random.nextInt(50));
      WordCounts part = new WordCounts(1);
      words.subList(from, to).forEach(word -> part.add(0, word));
      vocabularies.merge(part);
      from = to;
    }
    vocabularies.fill();
    return Bytes.of(out -> Vocabularies.WIRE.write(vocabularies, out));
  }

  @Test
  void countsOfWordsThatWaitAreBounded() {
    Vocabularies vocabularies = of(4);
    learn(vocabularies, IntStream.range(0, 1000).mapToObj(i -> "w" + i).toArray(String[]::new));

    assertThat(vocabularies.counts().words(0)).isEqualTo(4 * Vocabularies.WAITING);
    assertThat(vocabularies.counts().seen(0)).isEqualTo(1000);
    assertThat(vocabularies.counts().count(0, "w0")).as("the first by its bytes").isOne();
    assertThat(vocabularies.counts().count(0, "w999")).isZero();
  }

  @Test
  void aFullVocabularyCountsItsOwnWordsAlone() {
    Vocabularies vocabularies = of(1);
    learn(vocabularies, "a", "a", "b");
    learn(vocabularies, "a", "b", "b", "b", null);

    assertThat(vocabularies.counts().words(0)).isOne();
    assertThat(vocabularies.counts().count(0, "a")).isEqualTo(3);
    assertThat(vocabularies.counts().seen(0)).isEqualTo(7);
    assertThat(vocabularies.counts().missing(0)).isOne();
  }

  /** Nobody could open its archive. */
  @Test
  void wordsThatDontFitIntoAnArchiveGetNoPlace() {
    String[] words = new String[2 * 30_000];
    String begin = "\u0001".repeat(Vocabulary.MOST_LENGTH - 6);
    for (int i = 0; i < words.length; i++) {
      words[i] = begin + (100_000 + i / 2);
    }
    Vocabularies vocabularies = of(200_000);
    learn(vocabularies, words);
    int places = vocabularies.of(0).size();

    assertThat(vocabularies.of(0).jsonBytes())
        .isBetween(Vocabularies.MOST_BYTES - 2_000, Vocabularies.MOST_BYTES);
    assertThat(vocabularies.of(0).words().get(0)).isEqualTo(words[0]);
    learn(vocabularies, words);
    assertThat(vocabularies.of(0).size()).isEqualTo(places);
  }

  /** A model of a megabyte a word would be in every checkpoint. */
  @Test
  void aVeryLongWordIsOneOfTheOthers() {
    String longest = "x".repeat(Vocabulary.MOST_LENGTH);
    Vocabularies vocabularies = of(3);
    learn(vocabularies, longest, longest, longest + "x", longest + "x");

    assertThat(vocabularies.of(0).words()).containsExactly(longest);
    assertThat(vocabularies.counts().seen(0)).isEqualTo(4);
  }

  /** Whatever Java has in a string: it's the same before a failure and after it. */
  @Test
  void halfASurrogatePairIsAQuestionMarkAsInItsBytes() throws IOException {
    Vocabularies vocabularies = of(3);
    learn(vocabularies, "a\uD83D", "a\uD83D", PAIR, PAIR, PAIR, "", "");

    assertThat(vocabularies.of(0).words()).containsExactly(PAIR, "", "a?");
    Vocabulary back = read(vocabularies).of(0);
    assertThat(back).isEqualTo(vocabularies.of(0));
    for (Vocabulary vocabulary : List.of(back, vocabularies.of(0))) {
      assertThat(vocabulary.number("a\uD83D")).isEqualTo(4);
      assertThat(vocabulary.number("a?")).isEqualTo(4);
      assertThat(vocabulary.number(PAIR)).isEqualTo(2);
      assertThat(vocabulary.number("")).isEqualTo(3);
    }
  }

  @Test
  void wordsAreInTheOrderOfTheirBytes() {
    List<String> words =
        new ArrayList<>(List.of("", "Z", "a", "aa", "ä", "\uFF5E", "\uE000", PAIR, "中"));
    List<String> byBytes = new ArrayList<>(words);
    byBytes.sort((a, b) -> Arrays.compareUnsigned(bytes(a), bytes(b)));
    Collections.shuffle(words, new Random(3));
    words.sort(Vocabulary.ORDER);

    assertThat(words).isEqualTo(byBytes);
  }

  private static byte[] bytes(String word) {
    return word.getBytes(UTF_8);
  }

  @Test
  void copiesAndWhatReplicasGetAreTheirOwn() {
    Vocabularies vocabularies = of(3);
    learn(vocabularies, "a", "a");
    Vocabularies copy = vocabularies.copy();
    Vocabularies head = vocabularies.withoutCounts();
    learn(vocabularies, "b", "b");

    assertThat(copy.of(0).words()).containsExactly("a");
    assertThat(head.of(0).words()).containsExactly("a");
    assertThat(copy.counts().count(0, "a")).isEqualTo(2);
    assertThat(head.counts().words(0)).isZero();
  }

  @Test
  void countsOfOtherColumnsAreRefused() {
    assertThatThrownBy(() -> of(3).merge(new WordCounts(2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 columns");
    assertThatThrownBy(() -> new Vocabulary(List.of("a", "a")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("\"a\" is there twice");
  }

  @Test
  void bytesBringAllOfThemBack() throws IOException {
    Vocabularies vocabularies = of(3);
    learn(vocabularies, "a", "b", "b", null, "ü", "ü", "ü");

    Vocabularies back = read(vocabularies);

    assertThat(back).usingRecursiveComparison().isEqualTo(vocabularies);
    learn(back, "a");
    assertThat(back.of(0).words()).containsExactly("ü", "b", "a");
  }

  private static Vocabularies read(Vocabularies vocabularies) throws IOException {
    return Vocabularies.WIRE.read(
        Bytes.in(Bytes.of(out -> Vocabularies.WIRE.write(vocabularies, out))));
  }

  private static Vocabularies of(int most) {
    return new Vocabularies(List.of(new WordColumn("word", most, 0, true)));
  }

  private static void learn(Vocabularies vocabularies, String... words) {
    WordCounts counts = new WordCounts(1);
    for (String word : words) {
      counts.add(0, word);
    }
    vocabularies.merge(counts);
    vocabularies.fill();
  }
}
