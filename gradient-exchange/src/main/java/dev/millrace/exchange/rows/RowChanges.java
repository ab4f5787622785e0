package dev.millrace.exchange.rows;

/** Is told of rows that others are to know. It is called from the shard's thread. */
public interface RowChanges {

  /** Tells nobody. */
  RowChanges NONE =
      new RowChanges() {

        @Override
        public long listener() {
          return 0;
        }

        @Override
        public void changed(int table, long id, float[] floats, int at) {}

        @Override
        public void removed(int table, long id) {}
      };

  /**
   * Returns a number of whoever is told, which another one doesn't have; 0 for nobody. It is saved:
   * one who wasn't told of all rows hears of them again.
   */
  long listener();

  /**
   * A row has these values now.
   *
   * @param table number of the table
   * @param floats has the table's dimension of values from {@code at} on, until this returns
   */
  void changed(int table, long id, float[] floats, int at);

  /** An id has no row any more: it reads as its initial values. */
  void removed(int table, long id);
}
