package dev.millrace.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.millrace.file.TableHead.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TableHeadTest {

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "room,temp,temp,occupied~1,20.5,48.1,yes~2,21.5,44,no | room,temp,temp_2,occupied",
        "id,2019,2020,label~1,5,6,a~2,7,8,b | id,2019,2020,label",
        "0,1,2,occupied~0,1,2,b~1,2,3,a | 0,1,2,occupied",
        "1,2,3,4~5,6,7,8 | 1,2,3,4",
        ",width,grade~0,1.5,a~1,2.5,b | column_1,width,grade",
        "a,b,~1,2,~3,4, | a,b,column_3",
        "Preis,Art~\"1,5\",x~\"2,5\",y | Preis,Art",
        "a,b~NA,?~1,2 | a,b",
        "\"a,\"\"b\"\"\",c~1,2 | a,\"b\",c",
        "name,city~ann,rome~bob,oslo | name,city",
        "x,x,column_3,,x_2~1,2,3,4,5 | x,x_3,column_3,column_4,x_2",
        "# id,x~1,2 | id,x",
        "#,x~1,2 | #,x",
        "at,v~2024-01-01,1 | at,v",
        ",0,1,2~7,0,1,1~8,1,0,0 | column_1,0,1,2",
        "1e5,ok~red,TRUE~blue,FALSE | 1e5,ok",
      })
  void aLineThatNamesColumnsIsAHeader(String lines, String names) throws IOException {
    TableHead head = head(lines);

    assertThat(head.kind()).isEqualTo(Kind.NAMES);
    assertThat(String.join(",", head.names())).isEqualTo(names);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "1,tcp,0~2,udp,1~3,\"a: #b\",2",
        "7,tcp,up~8,udp,down",
        "p,x,s~e,b,s~p,x,y",
        "5.1,3.5,setosa~4.9,3.0,setosa",
        "1,2,3~4,5,6",
        "2024-01-01,x,1.5~2024-01-02,y,2.5",
        "0.5,3,rare~1,2,a~2,3,a",
        "?,2,a~1,2,b",
        "NA,x~1,x",
        "1,2~3",
        "true,x~false,y~true,z",
      })
  void anotherLineIsARow(String lines) throws IOException {
    assertThat(head(lines).kind()).isEqualTo(Kind.ROW);
    assertThat(head(lines).requireNames()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "abc,2,a~1,2,a~3,4,b | \"abc\" stands above numbers or the like, and \"2\" is such a value"
            + " as its column has",
        ",,x~1,2,3 | \"x\" stands above numbers or the like, and most cells are empty",
        "2019,2020,churn~5,6,yes~7,8,no~5,6,yes~7,8,no | \"churn\" is in its column once",
        "a,a~x,y~x,z | two columns have one name or none",
        "-9.65,oops~20.9,1.5~89.93,2 | \"-9.65\" is such a value",
        "1,oops~2,1.5~1,2 | \"1\" is such a value",
        "1e5,out~red,x~blue,x~red,x | \"out\" is in its column once",
      })
  void whatNobodyCanTellIsRefusedWithItsLine(String lines, String reason) throws IOException {
    TableHead head = head("#~" + lines);

    assertThat(head.kind()).isEqualTo(Kind.DOUBTFUL);
    assertThatIOException()
        .isThrownBy(head::requireNames)
        .withMessageContainingAll("t.csv, line 2: ", reason, "--input.csv.columns");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sep=;~",
        "SEP=;~# made by hand~",
        "# one; two~#~~",
        "# exported;today~",
        "~~",
        "\ufeff# x~",
        "\ufeffsep=;~",
      })
  void whatStandsAboveIsPassedOver(String above) throws IOException {
    Path file = write(above + "a;b~\"1,5\";x~2;y~3~");
    try (NamedTable table = NamedTable.open(file, ';', TableHead::requireNames)) {
      assertThat(table.header()).containsExactly("a", "b");
      assertThat(table.next()).isTrue();
      assertThat(table.cell(0)).isEqualTo("1,5");
      assertThat(table.line()).isEqualTo(above.chars().filter(c -> c == '~').count() + 2);
      assertThat(table.next()).isTrue();
      assertThat(table.next()).isTrue();
      assertThatIOException()
          .isThrownBy(table::requireAllCells)
          .withMessageContaining("line %s: expected 2 fields".formatted(table.line()));
    }
  }

  @Test
  void aSeparatorThatTheFileNamesHasToBeTheOneThatIsGiven() throws IOException {
    Path file = write("sep=;~a;b~1;2~");

    assertThat(NamedTable.separatorIn(file)).contains(';');
    assertThat(NamedTable.separatorIn(write("a;b~1;2~"))).isEmpty();
    Path other = write("sep=|~a|b~1|2~");
    assertThatIOException()
        .isThrownBy(() -> TableHead.of(other, ','))
        .withMessageContainingAll("t.csv, line 1", "\"|\" separates columns", "separator '|'");
  }

  @Test
  void carriageReturnsAndAByteOrderMarkArePartOfNoName() throws IOException {
    Path file = directory.resolve("t.csv");
    Files.writeString(file, "\ufeff\"a\",b \r\n1,x\r\n");

    assertThat(TableHead.of(file, ',').names()).isEqualTo(List.of("a", "b"));
  }

  private TableHead head(String lines) throws IOException {
    return TableHead.of(write(lines), ',');
  }

  private Path write(String lines) throws IOException {
    return Files.writeString(directory.resolve("t.csv"), lines.replace('~', '\n') + "\n");
  }
}
