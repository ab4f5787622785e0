package dev.millrace.exchange.rows;

/** What a shard tells of the rows of one of its tables. */
record TableChanges(RowChanges changes, int table) {

  /** See {@link RowChanges#listener}. */
  long listener() {
    return changes.listener();
  }

  void changed(long id, float[] floats, int at) {
    changes.changed(table, id, floats, at);
  }

  void removed(long id) {
    changes.removed(table, id);
  }
}
