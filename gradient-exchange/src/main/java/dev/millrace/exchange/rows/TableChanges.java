package dev.millrace.exchange.rows;

/** What a shard tells of the rows of one of its tables. */
record TableChanges(RowChanges changes, int table) {

  /** Whether anybody is told. */
  boolean heard() {
    return changes != RowChanges.NONE;
  }

  void changed(long id, float[] floats, int at) {
    changes.changed(table, id, floats, at);
  }

  void removed(long id) {
    changes.removed(table, id);
  }
}
