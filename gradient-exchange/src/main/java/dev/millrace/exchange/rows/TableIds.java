package dev.millrace.exchange.rows;

import dev.millrace.model.IdLists;
import java.util.ArrayList;
import java.util.List;

/**
 * The different ids of a minibatch, table by table; fields may share a table. Reused from minibatch
 * to minibatch. Belongs to one thread.
 */
public final class TableIds {

  private final int[] tableOf;
  private final List<UniqueIds> unique = new ArrayList<>();
  private int[] numbers = new int[0];

  /**
   * @param tables number of tables
   * @param tableOf for each field the number of its table
   */
  public TableIds(int tables, int... tableOf) {
    for (int field = 0; field < tableOf.length; field++) {
      if (tableOf[field] < 0 || tableOf[field] >= tables) {
        throw new IllegalArgumentException(
            "Field %s has table %s of %s tables".formatted(field, tableOf[field], tables));
      }
    }
    this.tableOf = tableOf.clone();
    for (int i = 0; i < tables; i++) {
      unique.add(new UniqueIds());
    }
  }

  /** Takes the ids of a minibatch in the place of those before; each counts as a use. */
  public void take(IdLists lists) {
    take(lists, lists.rows());
  }

  /**
   * Takes the ids of a minibatch in the place of those before.
   *
   * @param fresh rows whose ids count as uses; those behind are replayed
   */
  public void take(IdLists lists, int fresh) {
    if (lists.fields() != tableOf.length) {
      throw new IllegalArgumentException(
          "A minibatch has ids of %s fields, and %s have a table"
              .formatted(lists.fields(), tableOf.length));
    }
    unique.forEach(UniqueIds::clear);
    if (numbers.length < lists.size()) {
      numbers = new int[lists.size() + lists.size() / 2];
    }
    long[] ids = lists.ids();
    int all = lists.rows() * lists.fields();
    int at = 0;
    for (int list = 0; list < all; list++) {
      UniqueIds ofTable = unique.get(tableOf[list % tableOf.length]);
      int uses = list < fresh * tableOf.length ? 1 : 0;
      for (int end = lists.start(list + 1); at < end; at++) {
        numbers[at] = ofTable.add(ids[at], uses);
      }
    }
  }

  /** Returns the different ids of a table. */
  public UniqueIds unique(int table) {
    return unique.get(table);
  }

  /** Returns the number of each id of the lists among the different ids of its table. */
  public int[] numbers() {
    return numbers;
  }

  /** Returns the number of tables. */
  public int tables() {
    return unique.size();
  }
}
