package dev.millrace.job.train.part.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.rows.Adagrad;
import dev.millrace.exchange.rows.Admission;
import dev.millrace.exchange.rows.Expiry;
import dev.millrace.exchange.rows.RowTable;
import dev.millrace.exchange.rows.RowwiseAdagrad;
import dev.millrace.job.options.OptionRules;
import dev.millrace.job.options.TableOptions;
import dev.millrace.model.shape.IdColumn;
import dev.millrace.model.shape.IdColumn.Pooling;
import dev.millrace.model.shape.IndexRange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TablesTest {

  private static final List<IdColumn> COLUMNS =
      List.of(
          new IdColumn("user", "users", new IndexRange(0, 16), Pooling.SUM),
          new IdColumn("order.item", "order.item", new IndexRange(16, 20), Pooling.SUM),
          new IdColumn("seen", "order.item", new IndexRange(20, 24), Pooling.MEAN));

  private final Configuration options = new Configuration();

  private void set(String setting, String value) {
    options.setString(TableOptions.TABLES.key() + "." + setting, value);
  }

  private List<RowTable> tables() {
    return Tables.of(COLUMNS, options);
  }

  private List<String> problems() {
    OptionRules rules = new OptionRules(options);
    Tables.check(COLUMNS, rules);
    return rules.problems();
  }

  @Test
  void tablesWithoutSettingsHaveTheUsualOnes() {
    assertThat(tables()).containsExactly(RowTable.of("users", 16), RowTable.of("order.item", 4));
  }

  /** A prediction is a sum over all fields, and a step of it doesn't become larger with more. */
  @Test
  void withMoreFieldsRowsLearnAsMuchMoreSlowly() {
    List<IdColumn> many = new ArrayList<>();
    for (int field = 0; field < 16; field++) {
      IndexRange features = new IndexRange(4 * field, 4 * field + 4);
      many.add(new IdColumn("field" + field, "all", features, Pooling.SUM));
    }
    assertThat(Tables.of(many, options).get(0).updater()).isEqualTo(new RowwiseAdagrad(0.035f, 0));
    assertThat(Tables.of(many.subList(0, 8), options)).containsExactly(RowTable.of("all", 4));

    set("all.learning-rate", "0.07");
    assertThat(Tables.of(many, options)).containsExactly(RowTable.of("all", 4));
  }

  @Test
  void everySettingOfATableCounts() {
    set("users.dimension", "16");
    set("users.updater", "adagrad");
    set("users.learning-rate", "0.1");
    set("users.l2", "0.01");
    set("users.spread", "0");
    set("users.admit-after", "2");
    set("users.expire-after", "30 d");
    set("users.most-rows", "1000");
    set("order.item.expire-after", "500 examples");
    set("order.item.most-bytes", "3600 b");

    assertThat(problems()).isEmpty();
    RowTable users = tables().get(0);
    assertThat(users.updater()).isEqualTo(new Adagrad(0.1f, 0.01f));
    assertThat(users.initial().spread()).isZero();
    assertThat(users.admission()).isEqualTo(Admission.after(2));
    assertThat(users.expiry()).isEqualTo(Expiry.afterTime(Duration.ofDays(30)));
    assertThat(users.mostRows()).isEqualTo(1000);
    RowTable items = tables().get(1);
    assertThat(items.expiry()).isEqualTo(Expiry.afterExamples(500));
    assertThat(items.mostRows()).as("rows of 36 bytes").isEqualTo(100);
  }

  @Test
  void aTablesOwnSettingStandsBeforeThatOfAll() {
    set("*.learning-rate", "0.2");
    set("users.learning-rate", "0.3");

    assertThat(tables())
        .extracting(RowTable::updater)
        .containsExactly(new RowwiseAdagrad(0.3f, 0), new RowwiseAdagrad(0.2f, 0));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "users.dimension     | 8       | the dimension 16; leave it out at the fields",
        "users.updater       | adamax  | one of adagrad-rowwise, adagrad, adam, ftrl, sgd",
        "users.learning-rate | 0       | a number above 0",
        "users.learning-rate | NaN     | a number above 0",
        "users.l2            | -1      | a number of at least 0",
        "users.admit-after   | 256     | a whole number of uses from 1 to 255",
        "users.expire-after  | soon    | a duration such as 30 d",
        "users.expire-after  | 0 d     | a duration such as 30 d",
        "users.most-rows     | 0       | a whole number of at least 1",
        "users.most-bytes    | 3 b     | a row takes 84 bytes",
      })
  void aWrongValueIsNamedWithWhatItMustBe(String setting, String value, String remedy) {
    set(setting, value);

    assertThat(problems())
        .singleElement()
        .asString()
        .contains("tables." + setting, value)
        .contains(remedy);
    assertThatThrownBy(this::tables).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aSettingOrTableThatIsNotThereIsRefused() {
    set("users.dimensions", "16");
    set("user.dimension", "16");
    set("dimension", "16");

    assertThat(problems())
        .containsExactlyInAnyOrder(
            "tables.users.dimensions is no setting of a table; did you mean dimension?",
            "tables.user.dimension is of a table that no field names; the fields' tables are"
                + " order.item, users",
            "tables.dimension is of a table that no field names; the fields' tables are"
                + " order.item, users");
  }
}
