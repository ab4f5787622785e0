/** Says when replicas contribute, and which blocks. */
package dev.millrace.exchange.schedule;
