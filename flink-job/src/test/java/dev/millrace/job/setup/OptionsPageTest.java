package dev.millrace.job.setup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.job.options.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class OptionsPageTest {

  private static final Path PAGE = Path.of("..", "docs", "reference", "options.md");

  @Test
  void thePublishedPageIsWhatTheCodeSays() throws IOException {
    if (Boolean.getBoolean("millrace.remake")) {
      Files.writeString(PAGE, OptionsPage.markdown(MillraceOptions.all()));
    }

    assertThat(PAGE)
        .as("docs/reference/options.md is stale: run this test with -Dmillrace.remake=true")
        .usingCharset(UTF_8)
        .hasContent(OptionsPage.markdown(MillraceOptions.all()));
  }

  @Test
  void tellsOfEachKeyThatSomebodyElseJudges() {
    String page = OptionsPage.markdown(MillraceOptions.all());

    assertThat(JobOptions.PASSED_ON)
        .allSatisfy(prefix -> assertThat(page).contains("`" + prefix + "`"));
  }

  /** A cell is read at a glance. */
  @Test
  void noCellIsLongerThanFortyWords() {
    assertThat(OptionsPage.markdown(MillraceOptions.all()).lines().filter(l -> l.startsWith("|")))
        .flatMap(line -> List.of(line.split("\\|", -1)))
        .allSatisfy(cell -> assertThat(cell.split(" ", -1)).hasSizeLessThanOrEqualTo(42));
  }

  @Test
  void theCommonOptionsStandFirstAndOnce() {
    String page = OptionsPage.markdown(MillraceOptions.all());
    String common = page.substring(page.indexOf("## Common"), page.indexOf("## Advanced"));

    assertThat(MillraceOptions.settings().filter(Setting::isCommon)).hasSizeBetween(12, 18);
    assertThat(MillraceOptions.settings())
        .allSatisfy(
            setting -> {
              String row = "| `%s` |".formatted(setting.key());
              assertThat(page).containsOnlyOnce(row);
              assertThat(common.contains(row)).isEqualTo(setting.isCommon());
            });
  }
}
