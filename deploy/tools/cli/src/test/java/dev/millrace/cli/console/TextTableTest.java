package dev.millrace.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TextTableTest {

  @Test
  void numbersAreAlignedToTheRightAndTextToTheLeft() {
    TextTable table = new TextTable("layer", ">parameters", "updater");
    table.add("dense", 1_234_567, "Adam");
    table.add("100% out", "-", "");

    assertThat(table.text())
        .isEqualTo(
            """
            layer     parameters  updater
            dense      1,234,567  Adam
            100% out           -\
            """);
  }
}
