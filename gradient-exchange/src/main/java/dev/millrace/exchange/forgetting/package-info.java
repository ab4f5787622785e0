/** What keeps a model near an older one of itself, while it learns. Knows no Flink. */
package dev.millrace.exchange.forgetting;
