/**
 * Embedding tables: a row of values for each 64-bit id, spread over shards by key group. Pure Java:
 * a shard reaches the keyed state that holds its rows through {@link
 * dev.millrace.exchange.rows.RowStore}.
 */
package dev.millrace.exchange.rows;
