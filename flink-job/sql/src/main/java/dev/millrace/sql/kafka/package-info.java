/** What Kafka's settings are called in statements: {@code properties.*}, as in Flink's own. */
package dev.millrace.sql.kafka;
