/**
 * How rounds and blocks get back to the replicas of a process: links that replicas open, and
 * deliveries that come in any order.
 */
package dev.millrace.exchange.feedback;
