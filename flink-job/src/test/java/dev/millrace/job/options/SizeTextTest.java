package dev.millrace.job.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.apache.flink.configuration.MemorySize;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SizeTextTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0 bytes",
    "16, 16 bytes",
    "65536, 64 kb",
    "1048577, 1048577 bytes",
    "1048576, 1 mb",
    "1073741824, 1 gb",
    "9007199254740992, 8192 tb"
  })
  void readsBackInEachLocale(long bytes, String text) {
    MemorySize size = new MemorySize(bytes);
    Locale before = Locale.getDefault(Locale.Category.FORMAT);
    Locale.setDefault(Locale.Category.FORMAT, Locale.forLanguageTag("fa"));
    try {
      assertThat(SizeText.of(size)).isEqualTo(text);
      assertThat(MemorySize.parse(text)).isEqualTo(size);
    } finally {
      Locale.setDefault(Locale.Category.FORMAT, before);
    }
  }
}
