/** Examples of the rows of a table. */
package dev.millrace.sql.row;
