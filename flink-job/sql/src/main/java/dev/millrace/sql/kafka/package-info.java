/** Settings of Kafka's clients in statements are called {@code properties.*}, as in Flink's own. */
package dev.millrace.sql.kafka;
