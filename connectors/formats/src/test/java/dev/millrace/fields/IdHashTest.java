package dev.millrace.fields;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.testing.Seeds;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IdHashTest {

  /** The ids are those of mmh3 5.3.0 for Python, as {@link IdHash} says. */
  @ParameterizedTest
  @CsvSource({
    "users, 5, -194264720681240345",
    "users, hello, -1532057335401747185",
    "ab, c, -6135236140877776791",
    "a, bc, -2236916788677158625",
    "übersicht, ☂ 😀, 5577710768633670366",
    "items, '', -8121753459617357770",
    "items, é, 4392556716428159647",
  })
  void anIdIsMurmur3OfTableAndWord(String table, String word, long id) {
    assertThat(IdHash.of(table, word)).isEqualTo(id);
  }

  /** Longer and shorter words follow each other in the same scratch space. */
  @RepeatedTest(20)
  void wordsDoNotTouchEachOther() {
    long seed = Seeds.next();
    Random random = new Random(seed);
    IdHash hash = new IdHash("täble");
    for (int i = 0; i < 100; i++) {
      String word =
          random
              .ints(random.nextInt(300), 1, random.nextBoolean() ? 0x80 : 0xd800)
              .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
              .toString();

      assertThat(hash.of(word)).as("seed %s", seed).isEqualTo(IdHash.of("täble", word));
    }
  }
}
