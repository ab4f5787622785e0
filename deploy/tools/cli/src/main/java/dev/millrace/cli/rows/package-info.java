/** Embedding tables in savepoints: written for others, looked into, compared and added up. */
package dev.millrace.cli.rows;
