package dev.millrace.job.join;

/** Takes what becomes of records: each record goes to one of these, once. */
interface JoinResults {

  /** Features and their label. */
  void pair(JoinRecord features, JoinRecord label);

  /** Features whose label hasn't come in time. */
  void unlabelled(JoinRecord features);

  /** Too late, or without another side that it belongs to. */
  void late(JoinRecord record, String reason);

  /** The second of its side and key. */
  void duplicate(JoinRecord record, String reason);
}
