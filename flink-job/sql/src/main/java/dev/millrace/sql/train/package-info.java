/** Tables whose rows are learned: the connector {@code millrace}, for INSERT INTO. */
package dev.millrace.sql.train;
