package dev.millrace.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.model.testing.Seeds;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class IdListsTest {

  /** Lists as they should be: of rows, of fields, of ids. */
  private static List<List<List<Long>>> content(IdLists lists) {
    List<List<List<Long>>> rows = new ArrayList<>();
    for (int row = 0; row < lists.rows(); row++) {
      List<List<Long>> fields = new ArrayList<>();
      for (int list = row * lists.fields(); list < (row + 1) * lists.fields(); list++) {
        List<Long> ids = new ArrayList<>();
        for (int i = lists.start(list); i < lists.start(list + 1); i++) {
          ids.add(lists.ids()[i]);
        }
        fields.add(ids);
      }
      rows.add(fields);
    }
    return rows;
  }

  private static IdLists read(byte[] bytes) throws IOException {
    return IdLists.read(new DataInputStream(new ByteArrayInputStream(bytes)));
  }

  private static byte[] write(IdLists lists, int rows) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    lists.write(new DataOutputStream(bytes), rows);
    return bytes.toByteArray();
  }

  private static void addRow(IdLists lists, List<List<Long>> row) {
    for (List<Long> list : row) {
      list.forEach(lists::add);
      lists.end();
    }
  }

  @RepeatedTest(20)
  void rowsAreAddedCopiedRemovedAndSaved() throws IOException {
    long seed = Seeds.next();
    Random random = new Random(seed);
    int fields = 1 + random.nextInt(3);
    IdLists lists = new IdLists(fields);
    IdLists copied = new IdLists(fields);
    List<List<List<Long>>> expected = new ArrayList<>();
    for (int step = 0; step < 50; step++) {
      List<List<Long>> row = new ArrayList<>();
      for (int field = 0; field < fields; field++) {
        row.add(random.longs(random.nextInt(4)).boxed().toList());
      }
      expected.add(row);
      addRow(lists, row);
      copied.addRow(lists, lists.rows() - 1);
      if (random.nextInt(5) == 0) {
        BitSet removed = new BitSet();
        random.ints(3, 0, expected.size()).forEach(removed::set);
        lists.remove(removed);
        copied.remove(removed);
        for (int at = removed.length() - 1; at >= 0; at = removed.previousSetBit(at - 1)) {
          expected.remove(at);
        }
      }
    }

    assertThat(content(lists)).as("seed %s", seed).isEqualTo(expected);
    assertThat(content(copied)).as("seed %s", seed).isEqualTo(expected);
    int some = expected.size() / 2;
    assertThat(content(read(write(lists, some)))).isEqualTo(expected.subList(0, some));
    IdLists other = new IdLists(fields);
    other.set(lists);
    assertThat(content(other)).isEqualTo(expected);
    lists.clear();
    assertThat(lists.rows()).isZero();
  }

  @Test
  void examplesWithoutIdsCostNothing() throws IOException {
    IdLists none = new IdLists(0);

    none.addRow(IdLists.NONE, 7);

    assertThat(none.rows()).isZero();
    assertThat(read(write(none, 3)).fields()).isZero();
  }

  @Test
  void rowsOfAnotherNumberOfListsAreRefused() {
    assertThatThrownBy(() -> new IdLists(2).addRow(new IdLists(1), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Rows of 1 lists of ids, where 2 belong");
  }

  @Test
  void damagedBytesAreRefused() throws IOException {
    IdLists lists = new IdLists(1);
    lists.add(5);
    lists.end();
    byte[] bytes = write(lists, 1);
    bytes[11] = 3;

    assertThatThrownBy(() -> read(bytes)).hasMessage("1 ids, where 3 belong");
  }
}
